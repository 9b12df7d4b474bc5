#include "program/unwind.hpp"

#include <algorithm>
#include <array>

namespace tensim::program {
namespace {

constexpr std::size_t ra = 1;
constexpr std::size_t sp = 2;
constexpr std::size_t s0 = 8;

/// What is known of the registers of a frame: of the innermost, all.
struct Frame {
  std::uint32_t pc = 0;
  std::array<std::optional<std::uint32_t>, 32> registers;
  bool innermost = false;

  /// A call may be the last instruction of a function: the return address is then beyond it.
  [[nodiscard]] std::uint32_t within_call() const { return innermost ? pc : pc - 1; }
};

bool is_return_address(const SourceMap& source, std::uint32_t address) {
  return address != 0 && (address & 1U) == 0 && source.function_at(address - 1) != nullptr;
}

/// A caller's frame is at a higher address; a frame that is not would lead round in circles.
std::optional<std::uint32_t> frame_address(const Frame& frame, const FrameRow& row) {
  if (row.frame_register >= frame.registers.size()) return std::nullopt;
  const std::optional<std::uint32_t> base = frame.registers[row.frame_register];
  if (!base) return std::nullopt;
  const std::uint32_t address = *base + static_cast<std::uint32_t>(row.frame_offset);
  const std::uint32_t stack = *frame.registers[sp];
  const bool above = frame.innermost ? address >= stack : address > stack;
  return above && (address & 3U) == 0 ? std::optional(address) : std::nullopt;
}

std::optional<std::uint32_t> restored(const FrameRow::Rule& rule, std::optional<std::uint32_t> current,
                                      std::uint32_t frame, const LoadWord& load) {
  switch (rule.kind) {
    case FrameRow::Rule::Kind::same: return current;
    case FrameRow::Rule::Kind::saved: return load(frame + static_cast<std::uint32_t>(rule.offset));
    case FrameRow::Rule::Kind::unknown: break;
  }
  return std::nullopt;
}

std::optional<Frame> caller(const Frame& frame, const FrameRow& row, const LoadWord& load) {
  const std::optional<std::uint32_t> address = frame_address(frame, row);
  if (!address) return std::nullopt;
  const std::optional<std::uint32_t> pc =
      restored(row.return_address, frame.registers[row.return_register], *address, load);
  if (!pc) return std::nullopt;
  Frame outer;
  outer.pc = *pc;
  outer.registers[sp] = address;
  outer.registers[s0] = restored(row.s0, frame.registers[s0], *address, load);
  return outer;
}

}  // namespace

std::vector<std::uint32_t> call_stack(const SourceMap& source, std::uint32_t pc,
                                      std::span<const std::uint32_t, 32> registers, const LoadWord& load) {
  std::vector<std::uint32_t> stack{pc};
  Frame frame;
  frame.pc = pc;
  frame.innermost = true;
  std::copy(registers.begin(), registers.end(), frame.registers.begin());
  while (stack.size() < max_call_depth) {
    const FrameRow* row = source.frame_at(frame.within_call());
    if (row == nullptr && frame.innermost && is_return_address(source, registers[ra])) stack.push_back(registers[ra]);
    if (row == nullptr) break;
    const std::optional<Frame> outer = caller(frame, *row, load);
    if (!outer || !is_return_address(source, outer->pc)) break;
    stack.push_back(outer->pc);
    frame = *outer;
  }
  return stack;
}

std::vector<std::string> describe(const SourceMap& source, std::span<const std::uint32_t> call_stack) {
  std::vector<std::string> texts;
  texts.reserve(call_stack.size());
  for (std::size_t i = 0; i < call_stack.size(); ++i)
    texts.push_back(source.describe(i == 0 ? call_stack[i] : call_stack[i] - 4));
  return texts;
}

}  // namespace tensim::program
