#include "tile/tile_control.hpp"

#include "tile/handlers.hpp"
#include "tile/soft_reset.hpp"

namespace tensim::tile {
namespace {

/// What a load or a store does there, beside the storage.
enum class Special : std::uint8_t {
  none,
  reads_zero,
  not_modelled_load,
  not_modelled_store,
  soft_reset,
  instruction_push,
  instruction_status,
  config_read,
};

struct SpecialRow {
  std::size_t word;
  Special special;
};
constexpr std::array special_rows{
    SpecialRow{debug_word("SOFT_RESET_0"), Special::soft_reset},
    SpecialRow{debug_word("INSTRN_BUF_CTRL0"), Special::instruction_push},
    SpecialRow{debug_word("INSTRN_BUF_STATUS"), Special::instruction_status},
    SpecialRow{debug_word("CFGREG_RD_CNTL"), Special::config_read},
    SpecialRow{debug_word("CFGREG_RDDATA"), Special::none},
    SpecialRow{debug_word("ECC_STATUS"), Special::none},  // L1 never fails here
    SpecialRow{debug_word("TIMESTAMP"), Special::not_modelled_store},
    SpecialRow{debug_word("TIMESTAMP_STATUS"), Special::not_modelled_store},
    SpecialRow{debug_word("WDT_CNTL"), Special::not_modelled_store},
    SpecialRow{debug_word("RISC_DBG_CNTL_0"), Special::not_modelled_store},
    SpecialRow{debug_word("BREAKPOINT_CTRL"), Special::not_modelled_store},
};

struct Word {
  std::uint8_t row = 0;  // of debug_registers, plus one; 0: no register
  Special special = Special::none;
};

template <Arch arch>
consteval auto make_words() {
  std::array<Word, TileControl::word_count> words{};
  for (std::size_t i = 0; i < debug_registers.size(); ++i) {
    const DebugRegister& row = debug_registers[i];
    if (!row.archs.contains(arch)) continue;
    Word& word = words[(row.address - TileControl::base) / 4];
    word.row = static_cast<std::uint8_t>(i + 1);
    // Nobody here computes what hardware would put there, unless a row above says so.
    if (row.access == Region::Access::read_only) word.special = Special::not_modelled_load;
    if (row.access == Region::Access::write_only) word.special = Special::reads_zero;
  }
  for (const SpecialRow& row : special_rows)
    words[row.word].special = row.special;
  return words;
}
constexpr std::array wormhole_words = make_words<Arch::wormhole>();
constexpr std::array blackhole_words = make_words<Arch::blackhole>();

const Word* word_at(Arch arch, std::uint32_t address) {
  const std::size_t index = (address - TileControl::base) / 4;
  if (index >= TileControl::word_count) return nullptr;
  const Word& word = (*on(arch, &wormhole_words, &blackhole_words))[index];
  return word.row == 0 ? nullptr : &word;
}

std::uint32_t& storage(const Request& request) {
  return request.devices.control.words[(request.access.address - TileControl::base) / 4];
}

/// Per thread: room in the FIFO before the Replay Expander, and whether it is empty.
std::uint32_t instruction_status(const tensix::Coprocessor& coprocessor) {
  std::uint32_t status = 0;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const tensix::Frontend& frontend = coprocessor.frontends[thread];
    status |= (frontend.second_fifo_full() ? 0U : 1U) << thread;
    status |= (frontend.second_fifo_empty() ? 1U : 0U) << (4 + thread);
  }
  return status;
}

/// A bit that rises pushes CTRL1's word, if the debug bus has the FIFO. Software must not push to a full one: lost.
void push_instructions(const Request& request, std::uint32_t before) {
  constexpr unsigned first_push_bit = 4;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const std::uint32_t push = 1U << (first_push_bit + thread);
    if ((request.value() & ~before & push) == 0 || !request.devices.control.debug_bus_has(thread)) continue;
    if (request.coprocessor.can_push_from_brisc(thread))
      request.coprocessor.push_from_brisc(thread, request.devices.control.words[debug_word("INSTRN_BUF_CTRL1")],
                                          request.access.origin);
  }
}

/// The word is there "a few cycles later" on hardware; here at once (assumed).
void read_config(const Request& request) {
  const std::uint32_t offset = (request.value() & 0x7FFU) * 4;
  const auto value = tensix::riscv_config_load(request.coprocessor.config, request.arch(), offset);
  request.devices.control.words[debug_word("CFGREG_RDDATA")] = value.value_or(0);
}

}  // namespace

const DebugRegister* find_debug_register(Arch arch, std::uint32_t address) {
  const Word* word = word_at(arch, address);
  return word == nullptr ? nullptr : &debug_registers[word->row - 1U];
}

Answer load_tile_control(const Request& request) {
  const Word* word = word_at(request.arch(), request.access.address);
  if (word == nullptr) return faults(AccessFault::no_register);
  switch (word->special) {
    case Special::not_modelled_load: return faults(AccessFault::not_modelled);
    case Special::reads_zero: return done();
    case Special::instruction_status: return done(instruction_status(request.coprocessor), watch_coprocessor);
    default: return done(storage(request), watch_devices);
  }
}

Answer store_tile_control(const Request& request) {
  const Word* word = word_at(request.arch(), request.access.address);
  if (word == nullptr) return faults(AccessFault::no_register);
  if (debug_registers[word->row - 1U].access == Region::Access::read_only) return faults(AccessFault::not_writable);
  if (word->special == Special::not_modelled_store) return faults(AccessFault::not_modelled);
  if (word->special == Special::soft_reset && !can_soft_reset(request.devices, request.coprocessor, request.value()))
    return faults(AccessFault::not_modelled);
  const std::uint32_t before = std::exchange(storage(request), request.value());
  if (word->special == Special::soft_reset)
    apply_soft_reset(request.devices, request.coprocessor, before, request.value());
  if (word->special == Special::instruction_push) push_instructions(request, before);
  if (word->special == Special::config_read) read_config(request);
  // Bit 11 puts 16-bit rows of Dst into the upper halves of 32-bit ones (Dst.md).
  request.coprocessor.dst.upper_halves =
      (request.devices.control.words[debug_word("DBG_FEATURE_DISABLE")] >> 11U & 1U) != 0;
  request.devices.wake(all_cores);
  return done();
}

/// The counter is the tile's clock, in the cycle of the access.
Answer load_wall_clock(const Request& request) {
  const Cycle now = request.access.cycle;
  TileControl& control = request.devices.control;
  switch (request.word()) {
    case 0:
      control.wall_clock_high = static_cast<std::uint32_t>(now >> 32U);
      return done(static_cast<std::uint32_t>(now), watch_time);
    case 1: return done(static_cast<std::uint32_t>(now >> 32U), watch_time);
    default: return done(control.wall_clock_high, watch_time);
  }
}

/// A store to the low half latches the high one, too; nothing else happens.
Answer store_wall_clock(const Request& request) {
  if (request.word() == 0)
    request.devices.control.wall_clock_high = static_cast<std::uint32_t>(request.access.cycle >> 32U);
  return done();
}

}  // namespace tensim::tile
