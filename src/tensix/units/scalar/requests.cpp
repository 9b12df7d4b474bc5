// What the Scalar Unit's instructions ask of L1, of registers and of Src, and what happens when the request is there.
// Pages: LOADIND.md, STOREIND_*.md, LOADREG.md, STOREREG.md, AT*.md, REG2FLOP_*.md.
#include <algorithm>
#include <cstring>

#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tensix/units/scalar/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using namespace scalar_words;

/// REG2FLOP to configuration.
constexpr bool page_confirms_flop(Arch arch) {
  return on(arch, true, false);
}

Candidate candidate_of(const Record& record) {
  return {Entry::expanded(record.word, record.source), record.thread};
}

/// An instruction whose operands are being read.
struct Reading {
  Coprocessor& coprocessor;
  const Record& record;
  const std::array<std::uint32_t, gprs_per_thread>& gprs;

  Word word() const { return record.word; }
  std::uint32_t base() const { return gprs[addr_reg.get(record.word)]; }
  std::uint32_t offset() const {
    const std::uint32_t half = offset_half.get(record.word);
    return gprs[half / 2] >> (half % 2 * 16) & 0xFFFFU;
  }
  std::array<std::uint32_t, 4> group(std::uint32_t reg) const {
    std::array<std::uint32_t, 4> values{};
    std::copy_n(gprs.begin() + (reg - reg % gpr_group), gpr_group, values.begin());
    return values;
  }
  void issue(DataIssue issue) const { coprocessor.data_issue(candidate_of(record), issue); }

  /// The address is known now: `add` says what is there, if anybody wants to know.
  template <class Add>
  void note(Add add) const {
    if (!coprocessor.causes_are_noted()) [[likely]]
      return;
    Footprint footprint(coprocessor.journal->accesses());
    add(footprint);
    coprocessor.journal->add_with_accesses(
        coprocessor.key_of_now(),
        event::Touched{.by = event::Touched::By::scalar_unit, .thread = record.thread, .accepted = record.accepted});
  }
};

/// The offset advances when the instruction is done.
void advance_offset(const Reading& reading) {
  const std::uint32_t step = increment(reading.word());
  if (step == 0) return;
  Record effect;
  effect.effect = Effect::gpr_half_write;
  effect.destination = static_cast<std::uint16_t>(offset_half.get(reading.word()));
  effect.values[0] = reading.offset() + step;
  reading.coprocessor.in_flight.set_effect(reading.coprocessor.scalar.record, effect);
}

/// Without an L1 nothing moves; beyond its end neither.
void ask_l1(const Reading& reading, std::uint32_t address, std::uint32_t bytes,
            const std::array<std::uint32_t, 4>& values = {}) {
  Coprocessor& coprocessor = reading.coprocessor;
  if (!coprocessor.memory.is_attached()) return;
  address -= address % bytes;
  if (!coprocessor.memory.holds(address, bytes)) return reading.issue(DataIssue::l1_range);
  reading.note(
      [&](Footprint& footprint) { units::add_scalar_request(coprocessor, reading.word(), address, bytes, footprint); });
  Record effect;
  effect.effect = Effect::l1_request;
  effect.address = address;
  effect.values = values;
  coprocessor.in_flight.set_effect(coprocessor.scalar.request, effect);
}

void ask_mmio(const Reading& reading, std::uint32_t address, std::uint32_t value) {
  Coprocessor& coprocessor = reading.coprocessor;
  ScalarUnit& scalar = coprocessor.scalar;
  if (!coprocessor.memory.is_attached()) return;
  const Cycle due = reading.record.accepted + coprocessor.timing->scalar_request - 1;
  if (address < ScalarUnit::first_mmio_address) {
    coprocessor.in_flight.set_last(scalar.request, due);
    return reading.issue(DataIssue::scalar_mmio_address);
  }
  if (isa::opcode_of(reading.word()) == "STOREIND"_op)
    reading.note([&](Footprint& footprint) { add_tile_register(footprint, coprocessor, address, true); });
  Record effect;
  effect.address = address;
  effect.values[0] = value;
  coprocessor.in_flight.set_effect(scalar.request, effect);
  scalar.mmio.push({due, scalar.request});
}

/// Four values of two GPRs: the lower halves have the exponent below the mantissa, as the unpackers' formats do; the
/// upper halves are BF16 as usual. In Src an exponent is below a mantissa of ten bits.
std::uint32_t src_datum(std::uint32_t reg, bool upper) {
  if (upper) return (reg >> 31U) << 18U | (reg >> 16U & 0x7FU) << 11U | (reg >> 23U & 0xFFU);
  return (reg & 0xFF00U) << 3U | (reg & 0xFFU);
}

void ask_src(const Reading& reading) {
  Coprocessor& coprocessor = reading.coprocessor;
  const bool is_b = store_to_src_b.get(reading.word()) != 0;
  const std::uint32_t address = reading.base() + (reading.offset() >> 4U);
  coprocessor.scalar.wait = ScalarUnit::Wait::src_bank;
  reading.note([&](Footprint& footprint) {
    units::add_src_store(coprocessor, reading.record.thread, reading.word(), footprint);
  });
  Record effect;
  effect.bank = coprocessor.src.unpack_bank[is_b ? 1 : 0];
  effect.destination = is_b ? 0x80 : 0;
  const units::SrcRow place = units::storeind_src_row(coprocessor, reading.record.thread, reading.word());
  if (place.is_undefined) reading.issue(DataIssue::scalar_src_row);
  if (const auto row = place.row) {
    const auto pair = reading.group(data_reg.get(reading.word()));
    effect.effect = Effect::src_store;
    effect.destination = static_cast<std::uint16_t>(effect.destination | *row);
    effect.address = (address & 3U) * 4;
    effect.values = {src_datum(pair[0], false), src_datum(pair[0], true), src_datum(pair[1], false),
                     src_datum(pair[1], true)};
  }
  coprocessor.in_flight.set_effect(coprocessor.scalar.record, effect);
}

void read_storeind(const Reading& reading) {
  const std::uint32_t reg = data_reg.get(reading.word());
  switch (store_target(reading.word())) {
    case StoreTarget::l1: {
      const std::uint32_t bytes = size_bytes(store_size.get(reading.word()));
      auto values = reading.group(reg);
      if (bytes != block_bytes) values[0] = reading.gprs[reg];
      ask_l1(reading, reading.base() * block_bytes + reading.offset(), bytes, values);
      return advance_offset(reading);
    }
    case StoreTarget::mmio: {
      const std::uint32_t address = reading.base() + (reading.offset() >> 4U);
      ask_mmio(reading, ScalarUnit::mmio_base + (address & 0xFFFFCU), reading.gprs[reg]);
      return advance_offset(reading);
    }
    // The offset advances at once: what lands at the end is the store.
    case StoreTarget::src: {
      ask_src(reading);
      const std::uint32_t advanced = reading.offset() + increment(reading.word());
      write_half(reading.coprocessor.gprs, reading.record.thread, offset_half.get(reading.word()), advanced);
      return reading.coprocessor.tracked_writes_landed(reading.coprocessor.scalar.record);
    }
  }
}

void read_atswap(const Reading& reading) {
  const std::uint32_t reg = data_reg.get(reading.word());
  auto values = reading.group(reg);
  if (swap_single.get(reading.word()) != 0) {
    values = {};
    values[reg % gpr_group] = reading.gprs[reg];
  }
  ask_l1(reading, reading.base() * block_bytes, block_bytes, values);
}

std::uint32_t adc_value(Word word, std::uint32_t value) {
  const std::uint32_t bytes = adc_shift8.get(word);
  switch (flop_size.get(word)) {
    case 1: return bytes == 0 ? value : 0;
    case 2: return bytes % 2 == 0 ? value >> (8 * bytes) & 0xFFFFU : 0;
    case 3: return value >> (8 * bytes) & 0xFFU;
    default: return 0;
  }
}

void read_reg2flop(const Reading& reading) {
  Coprocessor& coprocessor = reading.coprocessor;
  const Word word = reading.word();
  const std::uint32_t reg = flop_input.get(word);
  Record effect;
  if (!flop_goes_to_config(word)) {
    effect.effect = Effect::adc_write;
    effect.values[0] = adc_value(word, reading.gprs[reg]);
    return coprocessor.in_flight.set_effect(coprocessor.scalar.record, effect);
  }
  const auto first = static_cast<unsigned>(size(coprocessor.arch, "config_thcon_base_word"_size));
  const bool is_wide = flop_size.get(word) == 0;
  const std::uint32_t index = flop_index.get(word);
  if (first + index >= config_global_base(coprocessor.arch)) return reading.issue(DataIssue::scalar_flop_index);
  if (!page_confirms_flop(coprocessor.arch)) reading.issue(DataIssue::scalar_flop_blackhole);
  const unsigned bank = config_bank_of(coprocessor.config, coprocessor.arch, reading.record.thread);
  effect.effect = Effect::config_write;
  effect.bank = bank == 0 ? ConfigStore::bank0 : ConfigStore::bank1;
  effect.destination = static_cast<std::uint16_t>(first + (is_wide ? index - index % gpr_group : index));
  effect.value_count = is_wide ? gpr_group : 1;
  effect.values = reading.group(reg);
  if (!is_wide) effect.values[0] = reading.gprs[reg];
  coprocessor.in_flight.set_effect(coprocessor.scalar.record, effect);
}

void ask_comparison(const Reading& reading, std::uint32_t address) {
  reading.note([&](Footprint& footprint) {
    units::add_scalar_request(reading.coprocessor, reading.word(), address, 4, footprint);
  });
  units::begin_comparison(reading.coprocessor, reading.record, address);
}

std::uint32_t word_address(const Reading& reading) {
  return reading.base() * block_bytes + word_in_block.get(reading.word()) * 4;
}

}  // namespace

units::SrcRow units::storeind_src_row(const Coprocessor& coprocessor, unsigned thread, Word word) {
  constexpr unsigned rows_of_face = 16;
  constexpr std::uint32_t srca_first_row = 4;
  constexpr std::uint32_t address_bits = 0xFFFFF;
  constexpr std::uint32_t meaningful_bits = 0xFFFF;
  const auto& gprs = coprocessor.gprs.value[thread];
  const std::uint32_t half = offset_half.get(word);
  const std::uint32_t offset = gprs[half / 2] >> (half % 2 * 16) & 0xFFFFU;
  const std::uint32_t address = (gprs[addr_reg.get(word)] + (offset >> 4U)) & address_bits;
  const bool is_b = store_to_src_b.get(word) != 0;
  if (address > meaningful_bits) return {.row = {}, .is_undefined = true};
  std::uint32_t row = address / 4;
  bool is_absolute = false;
  if (!is_b) {
    if (row < srca_first_row) return {};
    row -= srca_first_row;
    const ConfigView config(coprocessor.config, coprocessor.arch, thread);
    is_absolute = config.get_thread("SRCA_SET_SetOvrdWithAddr"_thread_config) != 0;
  }
  if (row >= (is_absolute ? SrcRegisters::rows : rows_of_face)) return {.row = {}, .is_undefined = true};
  if (!is_absolute) row += coprocessor.unpackers.src_row[is_b ? 1 : 0][thread];
  return {.row = row % SrcRegisters::rows};
}

void units::read_scalar_request(Coprocessor& coprocessor, const Record& record) {
  const Reading reading{coprocessor, record, coprocessor.gprs.value[record.thread]};
  const Word word = record.word;
  switch (isa::opcode_of(word)) {
    case "LOADIND"_op:
      ask_l1(reading, reading.base() * block_bytes + reading.offset(), size_bytes(load_size.get(word)));
      return advance_offset(reading);
    case "STOREIND"_op: return read_storeind(reading);
    case "STOREREG"_op:
    case "LOADREG"_op:
      return ask_mmio(reading, ScalarUnit::mmio_base + register_address.get(word) * 4,
                      reading.gprs[register_data.get(word)]);
    case "ATINCGET"_op: return ask_l1(reading, word_address(reading), 4, {reading.gprs[data_reg.get(word)]});
    case "ATSWAP"_op: return read_atswap(reading);
    case "ATCAS"_op: return ask_comparison(reading, word_address(reading));
    case "ATINCGETPTR"_op: return ask_comparison(reading, reading.base() * block_bytes);
    case "REG2FLOP"_op: return read_reg2flop(reading);
    case "FLUSHDMA"_op: coprocessor.scalar.wait = ScalarUnit::Wait::flush; return;
    default: return;
  }
}

// ---- the request is there ----

namespace {

void load(Coprocessor& coprocessor, const Record& record) {
  const std::uint32_t bytes = size_bytes(load_size.get(record.word));
  const std::uint32_t reg = first_reg(data_reg.get(record.word), bytes);
  std::memcpy(&coprocessor.gprs.value[record.thread][reg], &coprocessor.memory.l1[record.address], bytes);
}

void write_words(Coprocessor& coprocessor, std::uint32_t address, const std::uint32_t* words, std::uint32_t bytes) {
  std::array<std::uint8_t, block_bytes> raw{};
  std::memcpy(raw.data(), words, bytes);
  coprocessor.memory.write(address, raw.data(), bytes);
}

std::uint32_t read_word(const Coprocessor& coprocessor, std::uint32_t address) {
  std::uint32_t word = 0;
  std::memcpy(&word, &coprocessor.memory.l1[address], sizeof word);
  return word;
}

/// The old value is on its way for some cycles more.
void increment_counter(Coprocessor& coprocessor, Record record) {
  const std::uint32_t old = read_word(coprocessor, record.address);
  const std::uint32_t mask = counter_mask(counter_width.get(record.word));
  const std::uint32_t changed = ((old + record.values[0]) & mask) | (old & ~mask);
  write_words(coprocessor, record.address, &changed, sizeof changed);
  record.effect = Effect::gpr_write;
  record.destination = static_cast<std::uint16_t>(data_reg.get(record.word));
  record.values[0] = old;
  record.last = record.accepted + coprocessor.timing->atincget_result - 1;
  coprocessor.frontends[record.thread].auto_ttsync.write_goes_on(record.tracked_writes);
  coprocessor.in_flight.add(record);
}

void swap(Coprocessor& coprocessor, const Record& record) {
  std::array<std::uint8_t, block_bytes> block{};
  std::memcpy(block.data(), &coprocessor.memory.l1[record.address], block_bytes);
  const std::uint32_t mask = swap_mask.get(record.word);
  std::array<std::uint8_t, block_bytes> given{};
  std::memcpy(given.data(), record.values.data(), block_bytes);
  for (unsigned byte = 0; byte < block_bytes; ++byte)
    if ((mask >> (byte / 2) & 1U) != 0) block[byte] = given[byte];
  coprocessor.memory.write(record.address, block.data(), block_bytes);
}

/// ATINCGETPTR: `values` are the new and the old pointer.
void move_pointer(Coprocessor& coprocessor, const Record& record) {
  if (no_increment.get(record.word) == 0)
    write_words(coprocessor, record.address + word_in_block.get(record.word) * 4, record.values.data(), 4);
  coprocessor.gprs.value[record.thread][data_reg.get(record.word)] = record.values[1];
}

}  // namespace

void units::finish_scalar_request(Coprocessor& coprocessor, const Record& record) {
  switch (isa::opcode_of(record.word)) {
    case "LOADIND"_op: return load(coprocessor, record);
    case "STOREIND"_op:
      return write_words(coprocessor, record.address, record.values.data(), size_bytes(store_size.get(record.word)));
    case "ATINCGET"_op: return increment_counter(coprocessor, record);
    case "ATSWAP"_op: return swap(coprocessor, record);
    case "ATCAS"_op: return write_words(coprocessor, record.address, record.values.data(), 4);
    case "ATINCGETPTR"_op: return move_pointer(coprocessor, record);
    default: return;
  }
}

void units::finish_src_store(Coprocessor& coprocessor, const Record& record) {
  const Src which = (record.destination & 0x80U) != 0 ? Src::b : Src::a;
  auto& row = coprocessor.src_registers.bank(which, record.bank)[record.destination % SrcRegisters::rows];
  std::ranges::copy(record.values, row.begin() + record.address);
}

void units::finish_adc_write(Coprocessor& coprocessor, const Record& record) {
  const unsigned thread = adc_override.get(record.word) != 0 ? adc_thread.get(record.word) : record.thread;
  const unsigned set = adc_set.get(record.word);
  if (thread >= thread_count || set > 2) return;
  AdcContext& context = coprocessor.adcs.context[thread];
  AdcChannel& channel = (set == 2 ? context.packer : context.unpacker[set]).channel[adc_channel.get(record.word)];
  const auto write = [&](auto& counter) {
    (adc_cr.get(record.word) != 0 ? counter.cr : counter.value) = record.values[0] & counter.mask;
  };
  switch (adc_dimension.get(record.word)) {
    case 0: return write(channel.x);
    case 1: return write(channel.y);
    case 2: return write(channel.z);
    default: return write(channel.w);
  }
}

// ---- registers of the tile ----

const Record* units::arrived_mmio_request(const Coprocessor& coprocessor) {
  const ScalarUnit& scalar = coprocessor.scalar;
  if (scalar.mmio.empty() || scalar.mmio_waits || scalar.mmio.front().due >= coprocessor.now) return nullptr;
  return &coprocessor.in_flight[scalar.mmio.front().record];
}

void units::answer_mmio_request(Coprocessor& coprocessor, std::uint32_t value) {
  const unsigned slot = coprocessor.scalar.mmio.pop().record;
  const Record& record = coprocessor.in_flight[slot];
  if (isa::opcode_of(record.word) == "LOADREG"_op)
    coprocessor.gprs.value[record.thread][register_data.get(record.word)] = value;
  coprocessor.in_flight.set_last(slot, coprocessor.now - 1);
  coprocessor.settle(coprocessor.now);
}

}  // namespace tensim::tensix
