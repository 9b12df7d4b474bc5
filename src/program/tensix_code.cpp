#include "program/tensix_code.hpp"

#include <algorithm>
#include <cstring>

#include "isa/decode.hpp"
#include "isa/table.hpp"
#include "riscv/decode.hpp"
#include "riscv/table.hpp"

namespace tensim::program {
namespace {

using riscv::Instruction;
using riscv::Op;

constexpr std::size_t lui_reach = 16;  // how far behind a lui its addi is looked for: compilers move them apart
constexpr unsigned return_address = 1;

std::vector<std::uint32_t> words_of(const Segment& segment) {
  std::vector<std::uint32_t> words(segment.bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), segment.bytes.data(), words.size() * 4);
  return words;
}

/// A piece of code, and which of its words can be executed from now on.
struct Code {
  std::uint32_t base = 0;
  std::vector<std::uint32_t> words;
  std::vector<bool> is_reached;

  bool has(std::uint32_t pc) const { return pc >= base && (pc - base) / 4 < words.size() && (pc - base) % 4 == 0; }
};

class Walk {
 public:
  Walk(Arch arch, const Image& image) : arch_(arch) {
    for (const Segment& segment : image.segments) {
      if (!segment.executable) continue;
      Code code{segment.run_address, words_of(segment), {}};
      code.is_reached.resize(code.words.size());
      code_.push_back(std::move(code));
    }
  }

  const std::vector<Code>& from(std::span<const std::uint32_t> addresses) {
    to_visit_.assign(addresses.begin(), addresses.end());
    while (!to_visit_.empty()) {
      const std::uint32_t pc = to_visit_.back();
      to_visit_.pop_back();
      for (Code& code : code_)
        if (code.has(pc) && !code.is_reached[(pc - code.base) / 4]) visit(code, pc);
    }
    return code_;
  }

 private:
  void visit(Code& code, std::uint32_t pc) {
    const std::size_t at = (pc - code.base) / 4;
    code.is_reached[at] = true;
    const Instruction instruction = riscv::decode(arch_, code.words[at]);
    const auto target = pc + static_cast<std::uint32_t>(instruction.imm);
    switch (isa::is_ttinsn(code.words[at]) ? riscv::Kind::ttinsn : riscv::kind(instruction.op)) {
      case riscv::Kind::branch:
        to_visit_.push_back(target);
        to_visit_.push_back(pc + 4);
        break;
      case riscv::Kind::jal:
        to_visit_.push_back(target);
        if (instruction.rd != 0) to_visit_.push_back(pc + 4);  // the call returns
        break;
      case riscv::Kind::jalr:
        if (instruction.rd == 0 && instruction.rs1 == return_address) break;  // to a caller, which is known already
        reach_everything();
        break;
      default: to_visit_.push_back(pc + 4);
    }
  }

  void reach_everything() {
    for (Code& code : code_)
      std::fill(code.is_reached.begin(), code.is_reached.end(), true);
  }

  Arch arch_;
  std::vector<Code> code_;
  std::vector<std::uint32_t> to_visit_;
};

/// What the lui at the start of `code` makes with the first addi of its register, or alone.
std::uint32_t constant_at(Arch arch, std::span<const std::uint32_t> code, const Instruction& lui) {
  const auto upper = static_cast<std::uint32_t>(lui.imm);
  for (const std::uint32_t word : code.subspan(1, std::min(lui_reach, code.size() - 1))) {
    const Instruction next = riscv::decode(arch, word);
    if (next.op == Op::addi && next.rs1 == lui.rd) return upper + static_cast<std::uint32_t>(next.imm);
  }
  return upper;
}

void add_code(Arch arch, const Code& code, TensixCode& found) {
  for (std::size_t i = 0; i < code.words.size(); ++i) {
    if (!code.is_reached[i]) continue;
    const auto pc = static_cast<std::uint32_t>(code.base + 4 * i);
    if (isa::is_ttinsn(code.words[i])) {
      found.words.push_back({isa::word_of_ttinsn(code.words[i]), pc});
      continue;
    }
    const Instruction instruction = riscv::decode(arch, code.words[i]);
    if (instruction.op != Op::lui) continue;
    const std::uint32_t constant = constant_at(arch, std::span(code.words).subspan(i), instruction);
    found.constants.push_back(constant);
    if (!isa::forms_of(arch, isa::opcode_of(constant)).empty()) found.words.push_back({constant, pc});
  }
}

}  // namespace

TensixCode tensix_code(Arch arch, const Image& image, std::span<const std::uint32_t> from) {
  TensixCode found;
  Walk walk(arch, image);
  for (const Code& code : walk.from(from))
    add_code(arch, code, found);
  for (const Segment& segment : image.segments) {
    if (segment.executable) continue;
    const std::vector<std::uint32_t> data = words_of(segment);
    found.constants.insert(found.constants.end(), data.begin(), data.end());
  }
  return found;
}

}  // namespace tensim::program
