#include "tile/soft_reset.hpp"

#include "arch/sizes.hpp"

namespace tensim::tile {
namespace {

using tensix::Coprocessor;
using namespace tensix::config_fields_literals;

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

std::uint32_t config_word(const Coprocessor& coprocessor, const tensix::ConfigWordRow& row, unsigned plus = 0) {
  return coprocessor.config.bank[0][static_cast<std::size_t>(row.on(coprocessor.arch)) + plus];
}

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
  coprocessor.src.matrix_owns[file] = {};
  coprocessor.src.matrix_bank[file] = coprocessor.src.unpack_bank[file] = 0;
}

/// Some value is assigned to them, says the page: nobody knows which.
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

bool in_reset(const Devices& devices, CoreId core) {
  return (devices.control.soft_reset() & reset_bit(core)) != 0;
}

void set_in_reset(Devices& devices, CoreId core, bool held) {
  std::uint32_t& reg = devices.control.words[debug_word("SOFT_RESET_0")];
  reg = held ? reg | reset_bit(core) : reg & ~reset_bit(core);
}

std::uint32_t reset_pc(const Devices& devices, const Coprocessor& coprocessor, CoreId core) {
  const std::uint32_t fixed = default_pcs[static_cast<unsigned>(core)];
  if (core == CoreId::brisc) return fixed;
  const auto& words = devices.control.words;
  const bool is_wormhole = coprocessor.arch == Arch::wormhole;
  if (core == CoreId::ncrisc) {
    const std::uint32_t overridden =
        is_wormhole ? config_word(coprocessor, "NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en"_config_word)
                    : words[debug_word("NCRISC_RESET_PC_OVERRIDE")];
    if ((overridden & 1U) == 0) return fixed;
    return is_wormhole ? config_word(coprocessor, "NCRISC_RESET_PC_PC"_config_word)
                       : words[debug_word("NCRISC_RESET_PC")];
  }
  const unsigned thread = thread_of(core);
  const std::uint32_t overridden =
      is_wormhole ? config_word(coprocessor, "TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en"_config_word)
                  : words[debug_word("TRISC_RESET_PC_OVERRIDE")];
  if ((overridden >> thread & 1U) == 0) return fixed;
  return is_wormhole ? config_word(coprocessor, "TRISC_RESET_PC_SEC0_PC"_config_word, thread)
                     : words[debug_word("TRISC0_RESET_PC") + thread];
}

bool keeps_local_ram(const Devices& devices, CoreId core) {
  if (devices.arch == Arch::wormhole) return true;
  constexpr std::array<unsigned, core_count> bit_of{6, 0, 2, 4, 8};
  return (devices.control.words[debug_word("DISABLE_RESET")] >> bit_of[static_cast<unsigned>(core)] & 1U) != 0;
}

bool can_soft_reset(const Devices& devices, const Coprocessor& coprocessor, std::uint32_t after) {
  const std::uint32_t entered = after & ~devices.control.soft_reset();
  return (entered & unit_bits) == 0 ||
         (coprocessor.in_flight.is_empty() && coprocessor.mover.free_from <= coprocessor.now);
}

void apply_soft_reset(Devices& devices, Coprocessor& coprocessor, std::uint32_t before, std::uint32_t after) {
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

}  // namespace tensim::tile
