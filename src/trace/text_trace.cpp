#include "trace/text_trace.hpp"

#include <fmt/format.h>

#include "isa/disassemble.hpp"

namespace tensim::trace {

void TextTrace::issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t) {
  write_(fmt::format("{:>8}  T{}  {}\n", cycle, thread, to_text(isa::decode(arch_, word), isa::Syntax::brief)));
}

void TextTrace::held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
                     std::uint32_t word) {
  const bool is_empty = stall == event::Stall::empty;
  skipped_[thread] = is_empty ? ""
                              : fmt::format("T{}  -- {}: {}\n", thread, name(stall),
                                            to_text(isa::decode(arch_, word), isa::Syntax::brief));
  if (count == 1 && !is_empty) write_(fmt::format("{:>8}  {}", cycle, skipped_[thread]));
  if (count == 1 || thread + 1 != tensix::thread_count) return;
  for (std::uint64_t i = 0; i < count; ++i)
    for (const std::string& line : skipped_)
      if (!line.empty()) write_(fmt::format("{:>8}  {}", cycle + i, line));
}

}  // namespace tensim::trace
