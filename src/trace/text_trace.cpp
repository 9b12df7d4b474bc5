#include "trace/text_trace.hpp"

#include <fmt/format.h>

#include "isa/disassemble.hpp"

namespace tensim::trace {

void TextTrace::issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t) {
  write_(fmt::format("{:>8}  T{}  {}\n", cycle, thread, to_text(isa::decode(arch_, word), isa::Syntax::brief)));
}

void TextTrace::held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
                     std::uint32_t word) {
  if (stall == event::Stall::empty) return;
  // Idle time that was skipped reads the same as time that was walked.
  const std::string held = fmt::format("-- {}: {}", name(stall), to_text(isa::decode(arch_, word), isa::Syntax::brief));
  for (std::uint64_t i = 0; i < count; ++i)
    write_(fmt::format("{:>8}  T{}  {}\n", cycle + i, thread, held));
}

}  // namespace tensim::trace
