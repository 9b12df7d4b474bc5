#include "noc/registers.hpp"

#include <array>

namespace tensim::noc {
namespace {

constexpr std::uint32_t word = 4;
constexpr std::uint8_t no_row = 0xFF;
static_assert(niu_registers.size() < no_row);

/// By word of a command buffer's window: which row is there. Cores poll these registers.
template <Arch arch>
constexpr auto rows = [] {
  std::array<std::uint8_t, command_buffer_stride(arch) / word> table{};
  table.fill(no_row);
  for (std::size_t row = 0; row < niu_registers.size(); ++row) {
    const NiuPlaces places = niu_registers[row].on(arch);
    for (std::size_t index = 0; index < places.count; ++index) {
      std::uint8_t& there = table[places.offset / word + index];
      if (there != no_row) throw "two registers in one place";
      there = static_cast<std::uint8_t>(row);
    }
  }
  return table;
}();

}  // namespace

std::optional<NiuRegisterAt> niu_register_at(Arch arch, std::uint32_t offset) {
  if (offset % word != 0 || offset >= niu_bytes(arch)) return std::nullopt;
  const unsigned buffer = offset / command_buffer_stride(arch);
  const std::uint32_t within = offset % command_buffer_stride(arch);
  const std::uint8_t number = with_arch(arch, [&]<Arch chip>() { return rows<chip>[within / word]; });
  if (number == no_row) return std::nullopt;
  const NiuRegister& row = niu_registers[number];
  if (row.scope == NiuRegister::Scope::niu && buffer != 0) return std::nullopt;
  return NiuRegisterAt{.row = &row,
                       .buffer = row.scope == NiuRegister::Scope::everywhere ? 0 : buffer,
                       .index = (within - row.on(arch).offset) / word};
}

}  // namespace tensim::noc
