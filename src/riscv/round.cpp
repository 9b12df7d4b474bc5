#include "riscv/round.hpp"

#include <algorithm>
#include <cstring>

#include "riscv/semantics.hpp"
#include "riscv/store_queue.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint64_t most_instructions = 256;  // loops in question are short

constexpr std::uint32_t block_of(std::uint32_t address) {
  return address & ~(QueuedStore::block_bytes - 1);
}

/// How a value is in other rounds.
enum class Elsewhen : std::uint8_t {
  same,
  moved,    // by what the register `base` had gained at the start of the round
  unknown,  // worked out from such a one
};

struct Value {
  std::uint32_t now = 0;
  Elsewhen elsewhen = Elsewhen::same;
  std::uint8_t base = 0;

  bool is_same() const { return elsewhen == Elsewhen::same; }
};

/// Adding to a value that moves gives one that moves as far.
Value arithmetic(Op op, const Value& a, const Value& b) {
  const Value result{.now = compute(op, a.now, b.now)};
  if (a.is_same() && b.is_same()) return result;
  const bool adds = op == Op::addi || op == Op::add;
  if (a.elsewhen == Elsewhen::moved && b.is_same() && (adds || op == Op::sub))
    return {result.now, Elsewhen::moved, a.base};
  if (b.elsewhen == Elsewhen::moved && a.is_same() && adds) return {result.now, Elsewhen::moved, b.base};
  return {result.now, Elsewhen::unknown, 0};
}

struct Start {
  std::uint32_t pc;
  std::array<std::uint32_t, 32> x;
};

/// One way round, where the registers `changing` are taken to differ from round to round.
class Walk {
 public:
  Walk(const Core& core, std::span<const std::uint8_t> l1, const Start& start, std::uint32_t changing)
      : core_(core), l1_(l1), start_(start), pc_(start.pc) {
    for (unsigned i = 0; i < x_.size(); ++i) {
      x_[i].now = start.x[i];
      if ((changing >> i & 1U) != 0) x_[i] = {start.x[i], Elsewhen::moved, static_cast<std::uint8_t>(i)};
    }
    round_.head = start.pc;
  }

  /// False if it does not come round, or does something that is not known to be the same in every round.
  bool go() {
    do
      if (round_.instructions == most_instructions || !step()) return false;
    while (pc_ != start_.pc);
    const auto is_stored = [this](const Round::Read& read) { return round_.stores_to(block_of(read.address)); };
    return std::ranges::none_of(round_.reads, is_stored);
  }

  /// Where it next jumps back.
  std::optional<Start> jump_back() {
    std::uint32_t before = pc_;
    do {
      before = pc_;
      if (round_.instructions == most_instructions || !step()) return std::nullopt;
    } while (pc_ > before);
    Start there{pc_, {}};
    std::ranges::transform(x_, there.x.begin(), &Value::now);
    return there;
  }

  /// Registers that are not, or may not be, what they were at the start.
  std::uint32_t changed() const {
    std::uint32_t changed = 0;
    for (unsigned i = 0; i < x_.size(); ++i)
      if (!x_[i].is_same() || x_[i].now != start_.x[i]) changed |= 1U << i;
    return changed;
  }

  /// With what registers gain: those that the next round begins with. Others it works out for itself.
  std::optional<Round> round(std::uint32_t changing) {
    round_.changing = changing;
    for (unsigned i = 0; i < x_.size(); ++i) {
      if ((changing & read_first_ & 1U << i) == 0) continue;
      if (x_[i].elsewhen != Elsewhen::moved || x_[i].base != i) return std::nullopt;
      round_.gains[i] = x_[i].now - start_.x[i];
    }
    return round_;
  }

 private:
  Value read(unsigned i) {
    if ((written_ >> i & 1U) == 0) read_first_ |= 1U << i;
    return x_[i];
  }
  void write(unsigned i, const Value& value) {
    written_ |= 1U << i;
    if (i != 0) x_[i] = value;
  }

  bool step() {
    const Decoded* const decoded = core_.icache.look_at(pc_);
    if (decoded == nullptr) return false;
    const Instruction& in = decoded->instruction;
    const auto imm = static_cast<std::uint32_t>(in.imm);
    const std::uint8_t has = operands(in.op);
    const Value a = (has & op_rs1) != 0 ? read(in.rs1) : Value{};
    const Value b = (has & op_rs2) != 0 ? read(in.rs2) : Value{.now = imm};
    std::uint32_t next = pc_ + 4;
    switch (decoded->kind) {
      case Kind::alu:
      case Kind::mul: write(in.rd, arithmetic(in.op, a, b)); break;
      case Kind::div:  // how long it takes is a matter of values
        if (!a.is_same() || !b.is_same()) return false;
        write(in.rd, arithmetic(in.op, a, b));
        break;
      case Kind::branch:
        if (!a.is_same() || !b.is_same()) return false;
        if (taken(in.op, a.now, b.now)) next = pc_ + imm;
        break;
      case Kind::jal:
        write(in.rd, {.now = pc_ + 4});
        next = pc_ + imm;
        break;
      case Kind::jalr:
        if (!a.is_same()) return false;
        write(in.rd, {.now = pc_ + 4});
        next = (a.now + imm) & ~1U;
        break;
      case Kind::load:
        if (!a.is_same() || !load(in, a.now + imm)) return false;
        break;
      case Kind::store:
        if (!a.is_same() || !store(a.now + imm, access_bytes(in.op))) return false;
        break;
      default: return false;
    }
    pc_ = next;
    ++round_.instructions;
    return true;
  }

  bool is_in_l1(std::uint32_t address, unsigned bytes) const {
    return address % bytes == 0 && std::uint64_t{address} + bytes <= l1_.size();
  }
  bool load(const Instruction& in, std::uint32_t address) {
    const unsigned bytes = access_bytes(in.op);
    std::uint32_t raw = 0;
    if (address % bytes == 0 && address - local_ram_base < core_.local_bytes)
      std::memcpy(&raw, core_.local_ram.data() + (address - local_ram_base), bytes);  // nothing is stored there
    else if (!is_in_l1(address, bytes) || !load_l1(address, bytes, raw))
      return false;
    write(in.rd, {.now = loaded(in.op, raw)});
    return true;
  }
  /// A line of the L0 data cache that holds something else may be there in one round and gone in the next.
  bool load_l1(std::uint32_t address, unsigned bytes, std::uint32_t& raw) {
    std::memcpy(&raw, l1_.data() + address, bytes);
    const std::uint32_t block = block_of(address);
    if (const L0Cache::Line* line = core_.l0.find(address);
        line != nullptr && std::memcmp(line->data(), l1_.data() + block, L0Cache::line_bytes) != 0)
      return false;
    const Round::Read read{address, raw, static_cast<std::uint8_t>(bytes)};
    return std::ranges::find(round_.reads, read) != round_.reads.end() || round_.reads.push_back(read);
  }
  bool store(std::uint32_t address, unsigned bytes) {
    if (!is_in_l1(address, bytes)) return false;
    return round_.stores_to(block_of(address)) || round_.stored_blocks.push_back(block_of(address));
  }

  const Core& core_;
  std::span<const std::uint8_t> l1_;
  Start start_;
  std::uint32_t pc_;
  std::array<Value, 32> x_{};
  std::uint32_t written_ = 0;
  std::uint32_t read_first_ = 0;  // before they are written, if they are
  Round round_;
};

}  // namespace

bool Round::stores_to(std::uint32_t block) const {
  return std::ranges::find(stored_blocks, block) != stored_blocks.end();
}

bool Round::goes_like(const Round& other) const {
  return head == other.head && instructions == other.instructions && changing == other.changing &&
         std::ranges::equal(reads, other.reads) && std::ranges::equal(stored_blocks, other.stored_blocks);
}

namespace {

/// Which registers change is found out by going round: those that are worked out from others that change do, too.
std::optional<Round> round_from(const Core& core, std::span<const std::uint8_t> l1, const Start& start) {
  std::uint32_t changing = 0;
  while (true) {
    Walk walk(core, l1, start, changing);
    if (!walk.go()) return std::nullopt;
    const std::uint32_t changed = changing | walk.changed();
    if (changed == changing) return walk.round(changing);
    changing = changed;
  }
}

}  // namespace

std::optional<Round> next_round(const Core& core, std::span<const std::uint8_t> l1) {
  return round_from(core, l1, {core.pc, core.x});
}

std::optional<Round> round_ahead(const Core& core, std::span<const std::uint8_t> l1) {
  const std::optional<Start> start = Walk(core, l1, {core.pc, core.x}, 0).jump_back();
  return start ? round_from(core, l1, *start) : std::nullopt;
}

}  // namespace tensim::riscv
