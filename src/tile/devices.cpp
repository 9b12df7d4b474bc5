#include "tile/devices.hpp"

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
  bool narrow_stores = false;  // else words only: documented for configuration, assumed for the rest
};

// L1 and the cores' RAMs are the tile's, and never get here.
constexpr std::array rows{
    Row{Kind::l1},
    Row{Kind::local_ram},
    Row{Kind::local_ram_slow},
    Row{Kind::tdma_risc},
    Row{Kind::tile_control},
    Row{Kind::wall_clock},
    Row{Kind::pic},
    Row{Kind::pc_snapshot},
    Row{Kind::noc_niu},
    Row{Kind::noc_overlay},
    Row{Kind::mop_config, refuse_load, store_mop_config},
    Row{Kind::dst},
    Row{Kind::iram, hang, discard_store, true},  // InstructionRAM.md
    Row{Kind::gprs_all, load_gpr, store_gpr},
    Row{Kind::gprs_own, load_gpr, store_gpr},
    Row{Kind::instruction_buffer_own, refuse_load, push_own},
    Row{Kind::instruction_buffer_brisc, refuse_load, push_from_brisc},
    Row{Kind::pc_buffer_brisc, load_pc_buffer_of_brisc, store_pc_buffer_of_brisc},
    Row{Kind::pc_buffer_own, load_own_pc_buffer, discard_store, true},
    Row{Kind::tt_sync, load_tt_sync, discard_store, true},
    Row{Kind::semaphores, load_semaphore, store_semaphore},
    Row{Kind::semaphores_tail, no_register, no_register},  // errata 15
    Row{Kind::mailbox, load_mailbox, store_mailbox},
    Row{Kind::config, load_config, store_config},
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

Answer load(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access) {
  const Region* region = find_region(coprocessor.arch, bit(access.core), access.address);
  if (!is_aligned(access)) return of_region(faults(AccessFault::misaligned), region);
  if (region == nullptr) return faults(AccessFault::unmapped);
  const Row& row = rows[static_cast<std::size_t>(region->kind)];
  Answer answer = of_region(row.load({devices, coprocessor, access, *region}), region);
  answer.value = cut(answer.value, access);
  return answer;
}

Answer store(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access) {
  const Region* region = find_region(coprocessor.arch, bit(access.core), access.address);
  if (!is_aligned(access)) return of_region(faults(AccessFault::misaligned), region);
  if (region == nullptr) return is_foreign_buffer(access) ? waits(Wait::for_ever) : faults(AccessFault::unmapped);
  const Row& row = rows[static_cast<std::size_t>(region->kind)];
  if (access.size_bytes != 4 && !row.narrow_stores) return of_region(faults(AccessFault::wrong_size), region);
  return of_region(row.store({devices, coprocessor, access, *region}), region);
}

}  // namespace tensim::tile
