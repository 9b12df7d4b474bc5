#include "report/accounts.hpp"

#include <fmt/format.h>

namespace tensim::report {
namespace {

bool is_held(event::Stall stall) {
  return stall != event::Stall::issued && stall != event::Stall::empty;
}

void add(std::string& text, std::string_view name, std::uint64_t cycles) {
  if (cycles != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, cycles);
}

}  // namespace

std::string text_of(const event::StallAccount& account) {
  std::string text;
  for (const auto& [stall, name] : event::stall_rows)
    if (is_held(stall)) add(text, name, account[stall]);
  return text;
}

std::string text_of(const riscv::CoreAccount& account) {
  std::string text;
  for (const auto& [stall, name] : riscv::core_stall_rows)
    if (stall != riscv::CoreStall::none) add(text, name, account[stall]);
  return text;
}

std::uint64_t held_cycles(const event::StallAccount& account) {
  std::uint64_t held = 0;
  for (const auto& [stall, name] : event::stall_rows)
    if (is_held(stall)) held += account[stall];
  return held;
}

}  // namespace tensim::report
