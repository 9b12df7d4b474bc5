#include "report/device_faults.hpp"

#include <fmt/format.h>

#include "report/cores.hpp"
#include "report/notes.hpp"
#include "report/places.hpp"

namespace tensim::report {

std::vector<std::string> lines_of(const device::Fault& fault) {
  if (fault.core_end) return lines_of(*fault.programs, *fault.core_end);
  if (fault.coprocessor) return {text_of(*fault.programs, *fault.coprocessor)};
  if (fault.noc) return {text_of(*fault.noc, fault.issuer_programs.get())};
  if (fault.unanswered) return {text_of(*fault.unanswered)};
  return {fault.host};
}

std::string text_of(const tile::NocFault& fault, const scenario::Scenario* issuer_programs) {
  const noc::Issuer& issuer = fault.issuer;
  const std::string where = issuer_programs == nullptr
                                ? fmt::format("{:#x}", issuer.pc)
                                : location(*issuer_programs, static_cast<tile::CoreId>(issuer.core), issuer.pc);
  return fmt::format("{} of tile {},{} {} {:#010x} over the NoC, by the request of cycle {} at {}: {}",
                     tile::core_names[issuer.core], issuer.tile.x, issuer.tile.y,
                     fault.is_store ? "writes to" : "reads from", fault.address, issuer.cycle, where,
                     tile::meaning(fault.fault));
}

std::string text_of(const chip::Unanswered& request) {
  const noc::Message& message = *request.message;
  return fmt::format("{} of tile {},{} {} {:#x} over the NoC, by the request of cycle {} at {:#010x}: {}",
                     tile::core_names[message.issuer.core], message.issuer.tile.x, message.issuer.tile.y,
                     message.kind == noc::MessageKind::read ? "reads from" : "writes to", message.address,
                     message.issuer.cycle, message.issuer.pc, request.why);
}

std::string text_of(const device::Fault& fault) {
  std::string text = fmt::format("cycle {}", fault.cycle);
  if (fault.tile) text += fmt::format(", tile {},{}", fault.tile->x, fault.tile->y);
  std::string_view separator = ": ";
  for (const std::string& line : lines_of(fault)) {
    text += fmt::format("{}{}", separator, line);
    separator = "\n  ";
  }
  return text;
}

}  // namespace tensim::report
