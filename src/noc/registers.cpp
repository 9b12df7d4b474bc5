#include "noc/registers.hpp"

namespace tensim::noc {

std::optional<NiuRegisterAt> niu_register_at(Arch arch, std::uint32_t offset) {
  constexpr std::uint32_t word = 4;
  if (offset % word != 0 || offset >= niu_bytes(arch)) return std::nullopt;
  const unsigned buffer = offset / command_buffer_stride(arch);
  const std::uint32_t within = offset % command_buffer_stride(arch);
  for (const NiuRegister& row : niu_registers) {
    const NiuPlaces places = row.on(arch);
    if (within < places.offset || within >= places.offset + places.count * word) continue;
    if (row.scope == NiuRegister::Scope::niu && buffer != 0) continue;
    return NiuRegisterAt{.row = &row,
                         .buffer = row.scope == NiuRegister::Scope::everywhere ? 0 : buffer,
                         .index = (within - places.offset) / word};
  }
  return std::nullopt;
}

}  // namespace tensim::noc
