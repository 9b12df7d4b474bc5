#include "report/device_faults.hpp"

#include <fmt/format.h>

#include "report/cores.hpp"
#include "report/notes.hpp"

namespace tensim::report {

std::vector<std::string> lines_of(const device::Fault& fault) {
  if (fault.core_end) return lines_of(*fault.programs, *fault.core_end);
  if (fault.coprocessor) return {text_of(*fault.programs, *fault.coprocessor)};
  if (fault.noc) return {text_of(names_of_one(*fault.issuer_programs), *fault.noc)};
  if (fault.unanswered) return {text_of(names_of_one(*fault.issuer_programs), *fault.unanswered)};
  return {fault.host};
}

std::string text_of(const TileNames& names, const tile::NocFault& fault) {
  return fmt::format("{} {} {:#010x} over NoC {}, by the request of cycle {} at {}: {}",
                     issuer_text(names, fault.issuer), fault.is_store ? "writes to" : "reads from", fault.address,
                     fault.noc, fault.issuer.cycle, issued_at(names, fault.issuer), tile::meaning(fault.fault));
}

std::string text_of(const TileNames& names, const chip::Unanswered& request) {
  const noc::Message& message = *request.message;
  return fmt::format(
      "{} {} {:#x} of tile {} over NoC {}, by the request of cycle {} at {}: {}", issuer_text(names, message.issuer),
      message.kind == noc::MessageKind::read ? "reads from" : "writes to", message.address, names.name(request.tile),
      message.noc, message.issuer.cycle, issued_at(names, message.issuer), request.why);
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
