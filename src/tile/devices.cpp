#include "tile/devices.hpp"

#include <algorithm>
#include <array>

#include "tile/handlers.hpp"

namespace tensim::tile {

Answer refuse_load(const Request& request) {
  static_cast<void>(request);
  return faults(AccessFault::not_readable);
}
Answer refuse_store(const Request& request) {
  static_cast<void>(request);
  return faults(AccessFault::not_writable);
}
Answer discard_store(const Request& request) {
  static_cast<void>(request);
  return done();
}
Answer not_modelled(const Request& request) {
  static_cast<void>(request);
  return faults(AccessFault::not_modelled);
}
Answer no_register(const Request& request) {
  static_cast<void>(request);
  return faults(AccessFault::no_register);
}
Answer hang(const Request& request) {
  static_cast<void>(request);
  return waits(Wait::for_ever);
}

namespace {

using Kind = Region::Kind;

struct Row {
  Kind kind = {};
  Handler load = not_modelled;
  Handler store = not_modelled;
  /// Whole words only is documented for configuration, and assumed for the rest.
  enum class Sizes : std::uint8_t { word_stores, any_stores, elements } sizes = Sizes::word_stores;
};

// L1 and the cores' RAMs are the tile's, and never get here.
constexpr std::array rows{
    Row{Kind::l1},
    Row{Kind::local_ram},
    Row{Kind::local_ram_slow},
    Row{Kind::tdma_risc, load_tdma, store_tdma},
    Row{Kind::tile_control, load_tile_control, store_tile_control},
    Row{Kind::wall_clock, load_wall_clock, store_wall_clock},
    Row{Kind::pic, load_pic, store_pic},
    Row{Kind::pc_snapshot},
    Row{Kind::noc_niu, load_niu, store_niu},
    Row{Kind::noc_overlay, load_stream, store_stream},
    Row{Kind::mop_config, refuse_load, store_mop_config},
    Row{Kind::dst, load_dst, store_dst, Row::Sizes::elements},
    Row{Kind::iram, hang, discard_store, Row::Sizes::any_stores},  // InstructionRAM.md
    Row{Kind::gprs_all, load_gpr, store_gpr},
    Row{Kind::gprs_own, load_gpr, store_gpr},
    Row{Kind::instruction_buffer_own, refuse_load, push_own},
    Row{Kind::instruction_buffer_brisc, refuse_load, push_from_brisc},
    Row{Kind::pc_buffer_brisc, load_pc_buffer_of_brisc, store_pc_buffer_of_brisc},
    Row{Kind::pc_buffer_own, load_own_pc_buffer, discard_store, Row::Sizes::any_stores},
    Row{Kind::tt_sync, load_tt_sync, discard_store, Row::Sizes::any_stores},
    Row{Kind::semaphores, load_semaphore, store_semaphore},
    Row{Kind::semaphores_tail, no_register, no_register},  // errata 15
    Row{Kind::mailbox, load_mailbox, store_mailbox},
    Row{Kind::config, load_config, store_config},
    Row{Kind::ethernet_control, load_ethernet_control, store_ethernet_control},
    Row{Kind::ethernet_link},
};
static_assert(rows.size() == Region::kind_count);
static_assert([] {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].kind) != i) return false;
  return true;
}());

bool is_aligned(const Access& access) {
  return access.address % access.size_bytes == 0;
}

/// Another thread's instruction buffer: the store never completes (C23).
bool is_foreign_buffer(const Access& access) {
  const std::uint32_t window = access.address >> 16U;
  return is_trisc(access.core) && access.is_store && (window == 0xFFE5 || window == 0xFFE6);
}

/// What a narrow load takes of the word; the core extends the sign.
std::uint32_t cut(std::uint32_t word, const Access& access) {
  if (access.size_bytes == 4) return word;
  const std::uint32_t shifted = word >> (8 * (access.address & 3U));
  return shifted & (access.size_bytes == 1 ? 0xFFU : 0xFFFFU);
}

Answer of_region(Answer answer, const Region* region) {
  answer.region = region;
  return answer;
}

}  // namespace

Devices::Devices(Arch chip) : Devices(chip, lone_tile(chip)) {}

Devices::Devices(Arch chip, NocPlace place)
    : arch(chip), is_ethernet(place.kind() == noc::TileKind::ethernet), nius(chip, std::move(place)) {
  constexpr std::size_t word_4 = 4;  // Wormhole's clock gating hysteresis; on Blackhole another register stands there
  pic.words[word_4] = on(arch, 3U, 0U);
}

void advance(Devices& devices, tensix::Coprocessor& coprocessor, Cycle cycle) {
  if (devices.tdma.queue.empty() || devices.memory_operations.full()) return;
  const unsigned commands = devices.tdma.queue.size();
  if (const auto operation = advance(devices.tdma, coprocessor, cycle)) devices.memory_operations.push(*operation);
  if (devices.tdma.queue.size() != commands) devices.wake(all_cores);
}

void postpone_move(Devices& devices, Cycle due) {
  for (unsigned i = 0; i < devices.memory_operations.size(); ++i)
    if (MemoryOperation& operation = devices.memory_operations.at(i);
        operation.source != MemoryOperation::Source::value)
      operation.due = due;
}

Cycle next_event(const Devices& devices, const tensix::Coprocessor& coprocessor) {
  const Cycle move = coprocessor.mover.job ? coprocessor.mover.job->due : never;
  const Cycle command = std::min(move, next_event(devices.tdma, coprocessor));
  if (devices.memory_operations.empty()) return command;
  const Cycle due = devices.memory_operations.front().due;
  return devices.memory_operations.full() ? due : std::min(command, due);
}

Answer load(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access) {
  const Region* region = find_region(coprocessor.arch, devices.view_of(access.core), access.address);
  if (!is_aligned(access)) return of_region(faults(AccessFault::misaligned), region);
  if (region == nullptr) return faults(AccessFault::unmapped);
  const Row& row = rows[static_cast<std::size_t>(region->kind)];
  Answer answer = of_region(row.load({devices, coprocessor, access, *region}), region);
  if (row.sizes != Row::Sizes::elements) answer.value = cut(answer.value, access);
  return answer;
}

Answer store(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access) {
  const Region* region = find_region(coprocessor.arch, devices.view_of(access.core), access.address);
  if (!is_aligned(access)) return of_region(faults(AccessFault::misaligned), region);
  if (region == nullptr) return is_foreign_buffer(access) ? waits(Wait::for_ever) : faults(AccessFault::unmapped);
  const Row& row = rows[static_cast<std::size_t>(region->kind)];
  if (access.size_bytes != 4 && row.sizes == Row::Sizes::word_stores)
    return of_region(faults(AccessFault::wrong_size), region);
  return of_region(row.store({devices, coprocessor, access, *region}), region);
}

}  // namespace tensim::tile
