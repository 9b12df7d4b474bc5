#include "tile/core_bus.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tile/status.hpp"

namespace tensim::tile {

unsigned CoreBus::load_latency(const riscv::Core& core, std::uint32_t address) const {
  const Region* region = find_region(tile.arch, tile.devices.view_of(static_cast<CoreId>(core.number)), address);
  const Region::Kind kind = region == nullptr ? Region::Kind::tile_control : region->kind;
  return tile.timing_->load_latency[static_cast<std::size_t>(kind)];
}

bool CoreBus::are_one_region(const riscv::Core& core, std::uint32_t a, std::uint32_t b) const {
  const CoreBit who = tile.devices.view_of(static_cast<CoreId>(core.number));
  return find_region(tile.arch, who, a) == find_region(tile.arch, who, b);
}

namespace {

/// The core whose local RAM the window shows.
unsigned owner_of(const Region& region) {
  return region.index;
}

}  // namespace

/// What other cores hold privately is seen exactly, or the run is repeated so that it is.
Answer CoreBus::load_from_core(const Region& region, std::uint32_t address, unsigned bytes, Cycle cycle) {
  Answer answer{.watch = watch_time, .region = &region};
  if (!tile.require_exact(cycle)) return answer;
  std::memcpy(&answer.value, tile.cores[owner_of(region)].local_ram.data() + (address - region.base), bytes);
  return answer;
}

/// A word per core, in the order B, NC, T0, T1, T2.
Answer CoreBus::load_pc(const Region& region, std::uint32_t address, Cycle cycle) {
  constexpr std::array<std::uint8_t, core_count> order{0, 4, 1, 2, 3};
  Answer answer{.watch = watch_time, .region = &region};
  if (tile.require_exact(cycle)) answer.value = tile.cores[order[(address - region.base) / 4]].pc;
  return answer;
}

Answer CoreBus::store_to_core(const Region& region, std::uint32_t address, std::uint32_t value, unsigned bytes,
                              Cycle cycle) {
  const Answer answer{.region = &region};
  if (!tile.require_exact(cycle)) return answer;
  std::memcpy(tile.cores[owner_of(region)].local_ram.data() + (address - region.base), &value, bytes);
  return answer;
}

Answer CoreBus::load(const riscv::Core& core, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle cycle) {
  tile.look_again_at(Tile::coprocessor_and_devices);
  tile.catch_up(cycle);
  if (const Region* region = find_region(tile.arch, tile.devices.view_of(static_cast<CoreId>(core.number)), address);
      region != nullptr) {
    if (region->kind == Region::Kind::local_ram_slow) return load_from_core(*region, address, bytes, cycle);
    if (region->kind == Region::Kind::pc_snapshot) return load_pc(*region, address, cycle);
  }
  const Answer answer = tile::load(tile.devices, tile.coprocessor,
                                   {.core = static_cast<CoreId>(core.number),
                                    .size_bytes = static_cast<std::uint8_t>(bytes),
                                    .address = address,
                                    .origin = pc / 4,
                                    .cycle = cycle});
  tile.devices_changed({cycle, time::Phase::load, core.number});
  return answer;
}

void CoreBus::note_landing(const riscv::Core& core, std::uint32_t address, std::uint32_t value, unsigned bytes,
                           std::uint32_t pc, Cycle cycle) {
  tile.journal_.add(time::key(cycle, time::Phase::store, core.number),
                    event::Landed{.core = static_cast<std::uint8_t>(core.number),
                                  .pc = pc,
                                  .address = address,
                                  .value = value & ~0U >> (32 - 8 * bytes)});
}

Answer CoreBus::store(const riscv::Core& core, std::uint32_t address, std::uint32_t value, unsigned bytes,
                      std::uint32_t pc, Cycle cycle) {
  tile.look_again_at(Tile::coprocessor_and_devices);
  tile.catch_up(cycle + 1);
  if (const Region* region = find_region(tile.arch, tile.devices.view_of(static_cast<CoreId>(core.number)), address);
      region != nullptr && region->kind == Region::Kind::local_ram_slow) {
    if (tile.notes_orders()) note_landing(core, address, value, bytes, pc, cycle);
    return store_to_core(*region, address, value, bytes, cycle);
  }
  const Answer answer = tile::store(tile.devices, tile.coprocessor,
                                    {.core = static_cast<CoreId>(core.number),
                                     .is_store = true,
                                     .size_bytes = static_cast<std::uint8_t>(bytes),
                                     .address = address,
                                     .value = value,
                                     .origin = pc / 4,
                                     .cycle = cycle});
  if (answer.is_done() && tile.notes_orders()) note_landing(core, address, value, bytes, pc, cycle);
  tile.devices_changed({cycle, time::Phase::store, core.number});
  if (answer.is_done() && answer.region->kind == Region::Kind::tile_control)
    tile.apply_tile_control({cycle, time::Phase::store, core.number});
  if (const auto warning = refusal_of(answer.warning))
    report(core, {.category = riscv::CoreReport::Category::noc_request,
                  .cycle = cycle,
                  .pc = pc,
                  .address = address,
                  .value = static_cast<std::uint32_t>(*warning)});
  return answer;
}

std::optional<std::uint32_t> CoreBus::fetch(const riscv::Core& core, std::uint32_t address) const {
  const Region* region = find_region(tile.arch, tile.devices.view_of(static_cast<CoreId>(core.number)), address);
  if (region == nullptr || region->kind != Region::Kind::iram) return std::nullopt;
  std::uint32_t word = 0;
  std::memcpy(&word, tile.iram.data() + (address - region->base), sizeof word);
  return word;
}

std::uint32_t CoreBus::status(const riscv::Core& core, unsigned csr) const {
  constexpr unsigned tt_cfg_qstatus = 0xbc0;
  tile.catch_up(core.clock);
  const auto id = static_cast<CoreId>(core.number);
  return csr == tt_cfg_qstatus ? queue_status(tile.coprocessor, id) : busy_status(tile.coprocessor, id);
}

void CoreBus::report(const riscv::Core& core, const riscv::CoreReport& report) {
  constexpr std::size_t most = 1000;  // a kernel in a loop must not fill the host's memory
  for (const TileReport& known : tile.reports)
    if (known.core == static_cast<CoreId>(core.number) && known.report.category == report.category &&
        known.report.pc == report.pc)
      return;
  if (tile.reports.size() == most) return;
  const TileReport added{static_cast<CoreId>(core.number), report};
  const auto place = [](const TileReport& known) { return std::pair(known.report.cycle, known.core); };
  tile.reports.insert(std::ranges::upper_bound(tile.reports, place(added), {}, place), added);
}

bool CoreBus::falls_asleep(const riscv::Core& core) {
  if (!tile.sees_the_same(core, core.clock)) return false;
  tile.watch(core, true);
  return true;
}

}  // namespace tensim::tile
