#include "tile/soft_reset.hpp"

#include "arch/sizes.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {
namespace {

using tensix::Coprocessor;

constexpr std::uint32_t mover_bit = 1U << 6U;
constexpr std::uint32_t tdma_bit = 1U << 8U;
constexpr std::uint32_t thcon_bit = 1U << 9U;
constexpr std::uint32_t src_a_bit = 1U << 15U;
constexpr std::uint32_t src_b_bit = 1U << 16U;
constexpr std::uint32_t auto_ttsync_bit = 1U << 23U;  // Blackhole
/// Unpackers (0, 1, 7), packers (2-5, 17), mover, Scalar Unit (9), Matrix and Vector Unit (10).
constexpr std::uint32_t unit_bits = 0x3FU | mover_bit | 1U << 7U | thcon_bit | 1U << 10U | 1U << 17U;

constexpr std::array<std::uint32_t, core_count> default_pcs{
    size_of_both("reset_pc_b"_size), size_of_both("reset_pc_t0"_size), size_of_both("reset_pc_t1"_size),
    size_of_both("reset_pc_t2"_size), size_of_both("reset_pc_nc"_size)};

/// Wormhole's reset PCs are configuration, of which both banks have the same.
std::uint32_t of_config(const Coprocessor& coprocessor, const ConfigField& field) {
  const ConfigField::Place& place = field.on(coprocessor.arch);
  return place.get(coprocessor.config.bank[0][static_cast<std::size_t>(place.word)]);
}

constexpr std::array trisc_reset_pc{&"TRISC_RESET_PC_SEC0_PC"_config, &"TRISC_RESET_PC_SEC1_PC"_config,
                                    &"TRISC_RESET_PC_SEC2_PC"_config};

void enter(Devices& devices, Coprocessor& coprocessor, CoreId core) {
  if (core == CoreId::ncrisc) return;
  devices.mailboxes.discard_from(core);
  if (!is_trisc(core)) return;
  coprocessor.discard_before_mop_expander(thread_of(core));
  devices.pc_buffers.of[thread_of(core)].reader_waits = false;  // its load is gone
}

void leave(Devices& devices, CoreId core) {
  if (is_trisc(core)) devices.pc_buffers.of[thread_of(core)].fifo = {};
}

void reset_src(Coprocessor& coprocessor, tensix::Src which) {
  const auto file = static_cast<std::size_t>(which);
  coprocessor.src.matrix_owns[file] = coprocessor.src.returning[file] = {};
  coprocessor.src.matrix_bank[file] = coprocessor.src.unpack_bank[file] = 0;
}

/// The page says that reset assigns some value to them, and not which: they count as never written.
void forget_register_writes(Coprocessor& coprocessor) {
  coprocessor.packers.register_bases = {};
  coprocessor.packers.known_scalers = 0;
  coprocessor.unpackers.register_bases = {};
}

void reset_thcon_config(Coprocessor& coprocessor) {
  const auto first = static_cast<std::ptrdiff_t>(size(coprocessor.arch, "config_thcon_base_word"_size));
  for (auto& bank : coprocessor.config.bank)
    std::fill(bank.begin() + first, bank.begin() + tensix::config_global_base(coprocessor.arch), 0U);
}

}  // namespace

std::uint32_t reset_bit(const Devices& devices, CoreId core) {
  constexpr std::uint32_t second_of_ethernet = 1U << 12U;  // Blackhole (tt-metal: RISCV_SOFT_RESET_0_TRISC0)
  if (!devices.is_ethernet || core == CoreId::brisc) return reset_bit(core);
  return core == CoreId::ncrisc ? on(devices.arch, 0U, second_of_ethernet) : 0;
}

bool in_reset(const Devices& devices, CoreId core) {
  const std::uint32_t bit = reset_bit(devices, core);
  return bit == 0 || (devices.control.soft_reset() & bit) != 0;
}

/// Configuration says where cores start; otherwise debug registers do.
constexpr bool reset_pc_is_in_config(Arch arch) {
  return on(arch, true, false);
}

std::uint32_t reset_pc(const Devices& devices, const Coprocessor& coprocessor, CoreId core) {
  if (devices.is_ethernet) return devices.ethernet.reset_pc(devices.arch, core == CoreId::brisc ? 0 : 1);
  const std::uint32_t fixed = default_pcs[static_cast<unsigned>(core)];
  if (core == CoreId::brisc) return fixed;
  const auto& words = devices.control.words;
  const bool in_config = reset_pc_is_in_config(coprocessor.arch);
  if (core == CoreId::ncrisc) {
    const std::uint32_t overridden =
        in_config ? of_config(coprocessor, "NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en"_config)
                  : words[debug_word("NCRISC_RESET_PC_OVERRIDE")];
    if ((overridden & 1U) == 0) return fixed;
    return in_config ? of_config(coprocessor, "NCRISC_RESET_PC_PC"_config) : words[debug_word("NCRISC_RESET_PC")];
  }
  const unsigned thread = thread_of(core);
  const std::uint32_t overridden = in_config
                                       ? of_config(coprocessor, "TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en"_config)
                                       : words[debug_word("TRISC_RESET_PC_OVERRIDE")];
  if ((overridden >> thread & 1U) == 0) return fixed;
  return in_config ? of_config(coprocessor, *trisc_reset_pc[thread]) : words[debug_word("TRISC0_RESET_PC") + thread];
}

/// Unless told not to.
constexpr bool reset_clears_local_ram(Arch arch) {
  return on(arch, false, true);
}

bool keeps_local_ram(const Devices& devices, CoreId core) {
  if (!reset_clears_local_ram(devices.arch)) return true;
  constexpr std::array<unsigned, core_count> bit_of{6, 0, 2, 4, 8};
  return (devices.control.words[debug_word("DISABLE_RESET")] >> bit_of[static_cast<unsigned>(core)] & 1U) != 0;
}

bool can_soft_reset(const Devices& devices, const Coprocessor& coprocessor, std::uint32_t after) {
  const std::uint32_t entered = after & ~devices.control.soft_reset();
  return devices.is_ethernet || (entered & unit_bits) == 0 ||
         (coprocessor.in_flight.is_empty() && coprocessor.mover.free_from <= coprocessor.now);
}

void apply_soft_reset(Devices& devices, Coprocessor& coprocessor, std::uint32_t before, std::uint32_t after) {
  if (devices.is_ethernet) return;  // there is nothing but its cores
  const std::uint32_t entered = after & ~before;
  const std::uint32_t left = before & ~after;
  for (unsigned i = 0; i < core_count; ++i) {
    const auto core = static_cast<CoreId>(i);
    if ((entered & reset_bit(core)) != 0) enter(devices, coprocessor, core);
    if ((left & reset_bit(core)) != 0) leave(devices, core);
  }
  if ((entered & src_a_bit) != 0) reset_src(coprocessor, tensix::Src::a);
  if ((entered & src_b_bit) != 0) reset_src(coprocessor, tensix::Src::b);
  if ((entered & thcon_bit) != 0) reset_thcon_config(coprocessor);
  if ((entered & tdma_bit) != 0) {
    devices.tdma.reset_commands();
    forget_register_writes(coprocessor);
  }
  if ((entered & auto_ttsync_bit) != 0) coprocessor.reset_auto_ttsync();
  coprocessor.state_changed_from_outside();
}

// ---- the cores ----

/// The debug bus may have taken threads over from their cores, or given them back: words of cores that are under way get
/// lost, or do not any more, and those that found no room try again.
void Tile::apply_debug_bus(const Moment& moment) {
  const std::uint32_t fed = devices.control.words[debug_word("INSTRN_BUF_CTRL0")];
  if (fed == time_.debug_bus) return;
  time_.debug_bus = fed;
  require_exact(moment.cycle);
  time_.fed = 0;
  for (riscv::Core& core : cores) {
    const bool is_later = moment.phase != time::Phase::store || core.number > moment.agent;
    core.stores.retry(is_later ? moment.cycle : moment.cycle + 1);
  }
}

/// After a store to a register of tile control.
void Tile::apply_tile_control(const Moment& moment) {
  const Cycle cycle = moment.cycle;
  apply_debug_bus(moment);
  if (script.is_given()) retry_script(all_cores, moment);
  if (l1.empty()) return;  // there is nothing that a core could run
  std::uint8_t released = 0;
  for (riscv::Core& core : cores) {
    const auto id = static_cast<CoreId>(core.number);
    const bool was_held = (time_.held >> core.number & 1U) != 0;
    const bool is_held = in_reset(devices, id);
    if (is_held == was_held) continue;
    time_.held = static_cast<std::uint8_t>(time_.held ^ 1U << core.number);
    look_again_at(all_agents);
    time_.fed = static_cast<std::uint8_t>(time_.fed & ~(1U << core.number));
    if (!is_held) {
      core.release(start_pcs_[core.number].value_or(reset_pc(devices, coprocessor, id)), cycle + 1, timing_->cores,
                   keeps_local_ram(devices, id));
      released = static_cast<std::uint8_t>(released | 1U << core.number);
      if (walks_) time_.window = time_.horizon = std::min(time_.window, cycle + 1);  // of run_without_cores()
    } else if (require_exact(cycle)) {
      core.hold(cycle + 1);
      if (journal_.wants(event::wants_time)) note_time_until(core, cycle + 1);
    }
  }
  if (released != 0 && notes_orders()) note_release(released, moment);
}

/// As the NoC would do it, but for where the core starts. One that runs is put into reset first.
void Tile::release(CoreId id, std::uint32_t pc) {
  const std::uint32_t bit = reset_bit(devices, id);
  const auto store = [&](std::uint32_t value) { write_register(TileControl::soft_reset_address, value); };
  if (!in_reset(devices, id)) store(devices.control.soft_reset() | bit);
  std::optional<std::uint32_t>& start_pc = start_pcs_[static_cast<unsigned>(id)];
  start_pc = pc;
  store(devices.control.soft_reset() & ~bit);
  start_pc.reset();
}

}  // namespace tensim::tile
