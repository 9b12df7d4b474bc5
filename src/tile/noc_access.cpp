// What reaches a tile over the NoC, between runs: its memories and registers.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tile/core_bus.hpp"
#include "tile/soft_reset.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {
namespace {

/// The plain memory that holds [address, address + bytes), and where in it; nullptr if none does.
template <class Memory>
auto* memory_at(Memory& memory, std::uint32_t base, std::uint32_t address, std::size_t bytes) {
  const bool fits = address >= base && std::uint64_t{address} - base + bytes <= memory.size();
  return fits ? memory.data() + (address - base) : nullptr;
}

constexpr std::uint32_t iram_base = 0xFFC00000;

}  // namespace

/// What the NoC finds there beside L1. NCRISC has the same of the tile's registers on both chips, and more of its own, and so
/// do the cores of Ethernet tiles (BabyRISCV/README.md of either tile, the column "NoC").
const Region* register_from_noc(Arch arch, noc::TileKind kind, std::uint32_t address) {
  const Region* region = find_region(arch, kind == noc::TileKind::ethernet ? E1 : NC, address);
  if (region == nullptr) return nullptr;
  switch (region->kind) {
    case Region::Kind::tdma_risc:
    case Region::Kind::tile_control:
    case Region::Kind::wall_clock:
    case Region::Kind::pic:
    case Region::Kind::pc_snapshot:
    case Region::Kind::local_ram_slow:
    case Region::Kind::noc_niu:
    case Region::Kind::noc_overlay:
    case Region::Kind::ethernet_control:
    case Region::Kind::ethernet_link: return region;
    default: return nullptr;
  }
}

bool Tile::read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) const {
  const std::uint8_t* from = memory_at(l1, 0, address, bytes);
  if (from == nullptr) from = memory_at(iram, iram_base, address, bytes);
  if (from == nullptr) return false;
  std::copy_n(from, bytes, to);
  return true;
}

bool Tile::write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  std::uint8_t* to = memory_at(l1, 0, address, bytes);
  if (to == nullptr) to = memory_at(iram, iram_base, address, bytes);
  if (to == nullptr) return false;
  wake_everybody();  // they may poll it
  std::copy_n(from, bytes, to);
  if (time_.now != 0) tensix::units::l1_changed(coprocessor, address, static_cast<std::uint32_t>(bytes), time_.now - 1);
  return true;
}

/// A load is one of the cycle behind the moment: it happens at the end of that, and what belongs to a core has to be exact then.
Answer Tile::load_register(std::uint32_t address, const Moment& moment) {
  const Region& region = *register_from_noc(arch, devices.nius.place.kind(), address);
  CoreBus bus{*this};
  Answer answer;
  if (region.kind == Region::Kind::local_ram_slow)
    answer = bus.load_from_core(region, address, sizeof(std::uint32_t), moment.cycle);
  else if (region.kind == Region::Kind::pc_snapshot)
    answer = bus.load_pc(region, address, moment.cycle);
  else
    answer = load(devices, coprocessor, {.core = CoreId::ncrisc, .address = address, .cycle = moment.cycle + 1});
  devices_changed(moment);
  return answer;
}

/// Cores that it lets go start in the cycle after.
Answer Tile::store_register(std::uint32_t address, std::uint32_t value, const Moment& moment,
                            const noc::Issuer& issuer) {
  const Region& region = *register_from_noc(arch, devices.nius.place.kind(), address);
  if (region.kind == Region::Kind::local_ram_slow)
    return CoreBus{*this}.store_to_core(region, address, value, sizeof value, moment.cycle);
  devices.nius.outsider = issuer;
  const Answer answer = store(devices, coprocessor,
                              {.core = CoreId::ncrisc,
                               .is_store = true,
                               .address = address,
                               .value = value,
                               .cycle = moment.cycle == never ? 0 : moment.cycle});
  devices.nius.outsider.reset();
  devices_changed(moment);
  if (answer.is_done() && region.kind == Region::Kind::tile_control) apply_tile_control(moment);
  return answer;
}

/// Between runs nobody is ahead of the others, so everything is exact. A load is one of the cycle to come. In a tile that is
/// new the cycle before wraps, and the one after that is 0 again.
Answer Tile::read_register(std::uint32_t address) {
  const Region* region = register_from_noc(arch, devices.nius.place.kind(), address);
  if (region == nullptr) return {.fault = AccessFault::unmapped};
  if (address % 4 != 0) return {.fault = AccessFault::misaligned, .region = region};
  wake_everybody();
  const bool walked = std::exchange(walks_, true);
  const Answer answer = load_register(address, {time_.now - 1, time::Phase::store, agent_count});
  walks_ = walked;
  return answer;
}

/// A store is one of the cycle before.
Answer Tile::write_register(std::uint32_t address, std::uint32_t value) {
  const Region* region = register_from_noc(arch, devices.nius.place.kind(), address);
  if (region == nullptr) return {.fault = AccessFault::unmapped};
  if (address % 4 != 0) return {.fault = AccessFault::misaligned, .region = region};
  wake_everybody();
  const bool walked = std::exchange(walks_, true);
  const Answer answer = store_register(address, value, {time_.now - 1, time::Phase::store, agent_count},
                                       {.tile = devices.nius.place.tile, .is_host = true, .cycle = time_.now});
  walks_ = walked;
  for (unsigned i = 0; i < core_count; ++i)
    if (in_reset(devices, static_cast<CoreId>(i))) cores[i].stop.reset();
  return answer;
}

}  // namespace tensim::tile
