// The state that instructions read and write, as a list of values, each with the cell of event::Resource that it belongs to.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "event/access.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tile/memory_operation.hpp"

namespace tensim::test {

/// What a value is part of. `bits`: those of it that count.
struct Cell {
  enum class Kind : std::uint8_t {
    data,     // anything may stand there
    setting,  // likewise, but noise in it would only lead to what is not modelled
    fixed,    // must stay as the instructions left it
  };
  event::Resource resource;
  unsigned owner = 0;
  unsigned index = 0;
  Kind kind = Kind::data;
  std::uint32_t bits = ~0U;

  std::string text() const { return fmt::format("{}[{}] {}", event::name(resource), owner, index); }
};

/// Bits that accesses name, by cell.
class AccessedCells {
 public:
  void add(const event::Access& access) {
    auto& masks = masks_of(access.resource, access.owner);
    if (masks.size() < access.first + access.count) masks.resize(access.first + access.count);
    for (unsigned i = 0; i < access.count; ++i)
      masks[access.first + i] |= access.mask;
  }
  /// Any of the first owner's.
  bool has(event::Resource resource) const {
    const std::size_t key = key_of(resource, 0);
    return key < masks_.size() && !masks_[key].empty();
  }
  std::uint32_t mask(const Cell& cell) const {
    const std::size_t key = key_of(cell.resource, cell.owner);
    if (key >= masks_.size()) return 0;
    // Which bank is the one that a side is on belongs to all of them.
    if (cell.resource == event::Resource::src_ownership) return masks_[key].empty() ? 0 : ~0U;
    return cell.index < masks_[key].size() ? masks_[key][cell.index] : 0;
  }

 private:
  static std::size_t key_of(event::Resource resource, unsigned owner) {
    return static_cast<std::size_t>(resource) * 256 + owner;
  }
  std::vector<std::uint32_t>& masks_of(event::Resource resource, unsigned owner) {
    const std::size_t key = key_of(resource, owner);
    if (masks_.size() <= key) masks_.resize(key + 1);
    return masks_[key];
  }
  std::vector<std::vector<std::uint32_t>> masks_;
};

struct FootprintState {
  static constexpr std::size_t l1_bytes = 0x8000;

  tensix::Coprocessor coprocessor;
  std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(l1_bytes);

  explicit FootprintState(Arch arch) : coprocessor(arch) {}

  /// `visit(cell, value)` of everything; `value` is some unsigned integer or bool that can be changed.
  template <class Visit>
  void for_each(Visit visit) {
    visit_registers(visit);
    visit_src_and_dst(visit);
    visit_lanes(visit);
    visit_movers(visit);
    for (unsigned i = 0; i < l1.size(); ++i)
      visit(Cell{event::Resource::l1, 0, i}, l1[i]);
  }
  std::vector<std::uint32_t> values() {
    std::vector<std::uint32_t> found;
    found.reserve(100'000);
    for_each([&](const Cell& cell, auto& value) { found.push_back(static_cast<std::uint32_t>(value) & cell.bits); });
    return found;
  }
  std::vector<Cell> cells() {
    std::vector<Cell> found;
    found.reserve(100'000);
    for_each([&](const Cell& cell, auto&) { found.push_back(cell); });
    return found;
  }

  /// What is kept beside the state that it follows from.
  void derive() {
    const Arch arch = coprocessor.arch;
    auto& banks = coprocessor.config.bank;
    for (unsigned word = tensix::config_global_base(arch); word < banks[0].size(); ++word)
      banks[1][word] = banks[0][word];
    tensix::VectorRegisters& registers = coprocessor.vector.registers;
    for (std::uint32_t& config : registers.lane_config)
      config &= 0x3'FFFFU;
    registers.config = tensix::masks_of(registers.lane_config);
    coprocessor.matrix.blocked_move_columns = tensix::blocked_move_columns(registers.lane_config);
    // Columns that do not agree on what to schedule are not modelled.
    if (!registers.macros_differ) registers.macros.fill(registers.macros[0]);
    registers.macros_changed();
    registers.stack.depth %= tensix::FlagStack::capacity + 1;
    coprocessor.state_changed_from_outside();
  }

  void attach() {
    coprocessor.memory.l1 = l1;
    coprocessor.memory.changes.clear();
  }
  /// What the tile does for the coprocessor. Registers answer 0, and nothing is there to be written.
  void answer() {
    if (coprocessor.mover.job && coprocessor.mover.job->due < coprocessor.now) {
      (void)tile::carry_out(*coprocessor.mover.job, coprocessor, l1, {});
      coprocessor.mover.job.reset();
    }
    while (tensix::units::arrived_mmio_request(coprocessor) != nullptr)
      tensix::units::answer_mmio_request(coprocessor, 0);
    for (const tensix::Memory::Change& change : coprocessor.memory.changes)
      tensix::units::l1_changed(coprocessor, change.address, change.bytes, coprocessor.now - 1);
    coprocessor.memory.changes.clear();
  }
  bool is_drained() const {
    return coprocessor.is_idle() && !coprocessor.vector.schedule.any() && !coprocessor.mover.job &&
           coprocessor.mover.free_from <= coprocessor.now && !coprocessor.scalar.is_active &&
           coprocessor.scalar.mmio.empty() && coprocessor.vector.stale_until <= coprocessor.now &&
           coprocessor.matrix.exclusive_until <= coprocessor.now;
  }

 private:
  using Resource = event::Resource;
  using Kind = Cell::Kind;

  template <class Visit, class Values>
  static void each(Visit& visit, Cell cell, Values& values) {
    for (auto& value : values)
      visit(cell, value);
  }
  template <class Visit, class Counter>
  static void counter(Visit& visit, Cell cell, Counter& value) {
    cell.bits = Counter::mask;
    visit(cell, value.value);
    visit(cell, value.cr);
  }

  template <class Visit>
  void visit_registers(Visit& visit) {
    for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
      for (unsigned i = 0; i < tensix::gprs_per_thread; ++i) {
        std::uint32_t& reg = coprocessor.gprs.value[thread][i];
        visit(Cell{Resource::gpr, thread, 2 * i, Kind::setting, 0xFFFF}, reg);
        visit(Cell{Resource::gpr, thread, 2 * i + 1, Kind::setting, 0xFFFF0000}, reg);
      }
      for (unsigned i = 0; i < tensix::thread_config_words(coprocessor.arch); ++i)
        visit(Cell{Resource::thread_config, thread, i, Kind::setting}, coprocessor.config.thread[thread][i]);
      visit_counters(visit, thread);
    }
    const unsigned global = tensix::config_global_base(coprocessor.arch);
    for (unsigned bank = 0; bank < 2; ++bank)
      for (unsigned i = 0; i < (bank == 0 ? tensix::config_words(coprocessor.arch) : global); ++i)
        visit(Cell{Resource::config, bank, i, Kind::setting}, coprocessor.config.bank[bank][i]);
    for (unsigned i = 0; i < 8; ++i) {
      tensix::Semaphore semaphore = coprocessor.sync.semaphores()[i];
      const tensix::Semaphore old = semaphore;
      visit(Cell{Resource::semaphore, 0, i, Kind::data, 15}, semaphore.value);
      visit(Cell{Resource::semaphore, 0, i, Kind::data, 15}, semaphore.max);
      if (semaphore != old) coprocessor.sync.set_semaphore(i, semaphore);
      visit(Cell{Resource::mutex, 0, i, Kind::fixed}, coprocessor.sync.mutex_owner[i]);
    }
    visit_streams(visit);
  }

  template <class Visit>
  void visit_streams(Visit& visit) {
    for (unsigned stream = 0; stream < tensix::stream_count; ++stream)
      for (const tensix::StreamRegisterRow& row : tensix::stream_register_rows)
        if (row.store != tensix::StreamRegisterRow::Store::adds_to_space)
          visit(Cell{Resource::stream, stream, row.on(coprocessor.arch)}, coprocessor.streams[stream].*row.value);
  }

  template <class Visit>
  void visit_counters(Visit& visit, unsigned thread) {
    tensix::AdcContext& context = coprocessor.adcs.context[thread];
    for (unsigned set = 0; set < 3; ++set)
      for (unsigned i = 0; i < 2; ++i) {
        tensix::AdcChannel& channel = (set == 2 ? context.packer : context.unpacker[set]).channel[i];
        const auto cell = [&](unsigned dimension) {
          return Cell{Resource::adc, thread, tensix::adc_counter(set, i, dimension), Kind::setting};
        };
        counter(visit, cell(0), channel.x);
        counter(visit, cell(1), channel.y);
        counter(visit, cell(2), channel.z);
        counter(visit, cell(3), channel.w);
      }
    tensix::Rwc& rwc = coprocessor.rwcs.thread[thread];
    counter(visit, Cell{Resource::rwc, thread, tensix::rwc_dst}, rwc.dst);
    counter(visit, Cell{Resource::rwc, thread, tensix::rwc_src_a}, rwc.src_a);
    counter(visit, Cell{Resource::rwc, thread, tensix::rwc_src_b}, rwc.src_b);
    visit(Cell{Resource::rwc, thread, tensix::rwc_fidelity, Kind::data, 3}, rwc.fidelity_phase);
    visit(Cell{Resource::rwc, thread, tensix::rwc_extra_addr_mod_bit, Kind::data, 1}, rwc.extra_addr_mod_bit);
    visit(Cell{Resource::rwc, thread, tensix::rwc_stack, Kind::data, 0x3FF}, coprocessor.vector.stack_pointer[thread]);
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
      visit(Cell{Resource::unpacker, unpacker, tensix::unpacker_context(thread), Kind::data, 7},
            coprocessor.unpackers.context_counter[unpacker][thread]);
      visit(Cell{Resource::unpacker, unpacker, tensix::unpacker_row(thread), Kind::data, 63},
            coprocessor.unpackers.src_row[unpacker][thread]);
    }
  }

  template <class Visit>
  void visit_src_and_dst(Visit& visit) {
    for (unsigned file = 0; file < 2; ++file) {
      tensix::SrcBanks& src = coprocessor.src;
      for (unsigned bank = 0; bank < 2; ++bank) {
        auto& rows = coprocessor.src_registers.banks[file][bank];
        for (unsigned row = 0; row < rows.size(); ++row)
          each(visit, Cell{file == 0 ? Resource::src_a : Resource::src_b, bank, row, Kind::data, 0x7FFFF}, rows[row]);
        visit(Cell{Resource::src_format, file, bank, Kind::data, 15}, coprocessor.src_registers.format[file][bank]);
        visit(Cell{Resource::src_ownership, file, bank, Kind::fixed, 1}, src.matrix_owns[file][bank]);
      }
      visit(Cell{Resource::src_ownership, file, 0, Kind::fixed, 1}, src.matrix_bank[file]);
      visit(Cell{Resource::src_ownership, file, 0, Kind::fixed, 1}, src.unpack_bank[file]);
    }
    for (unsigned row = 0; row < tensix::Dst::rows; ++row) {
      each(visit, Cell{Resource::dst, 0, row}, coprocessor.dst.bits[row]);
      visit(Cell{Resource::dst, 0, row, Kind::data, 1}, coprocessor.dst.is_undefined[row]);
    }
    visit(Cell{Resource::matrix, 0, tensix::matrix_src_a_row, Kind::data, 63}, coprocessor.matrix.last_src_a_row);
  }

  template <class Visit>
  void visit_lanes(Visit& visit) {
    tensix::VectorRegisters& registers = coprocessor.vector.registers;
    for (unsigned lreg = 0; lreg < tensix::all_lreg_count; ++lreg) {
      const bool is_constant = lreg == 8 || lreg == 9 || lreg == 10 || lreg == 15;
      each(visit, Cell{Resource::lreg, 0, lreg, is_constant ? Kind::fixed : Kind::data}, registers.lreg[lreg].lane);
    }
    visit(Cell{Resource::lane_flags, 0, tensix::lane_flags}, registers.flags);
    visit(Cell{Resource::lane_flags, 0, tensix::lane_flags}, registers.uses_flags);
    each(visit, Cell{Resource::lane_flags, 0, tensix::lane_config, Kind::setting, 0x3'FFFF}, registers.lane_config);
    each(visit, Cell{Resource::lane_flags, 0, tensix::lane_random}, registers.random);
    each(visit, Cell{Resource::lane_flags, 0, tensix::lane_flag_stack}, registers.stack.flags);
    each(visit, Cell{Resource::lane_flags, 0, tensix::lane_flag_stack}, registers.stack.uses_flags);
    visit(Cell{Resource::lane_flags, 0, tensix::lane_flag_stack, Kind::data, 3}, registers.stack.depth);
    each(visit, Cell{Resource::lane_flags, 0, tensix::lanes_rotated}, coprocessor.vector.rotated.lane);
    for (tensix::LoadMacroConfig& macro : registers.macros) {
      for (unsigned i = 0; i < 4; ++i) {
        visit(Cell{Resource::load_macro, 0, i, Kind::setting}, macro.instruction[i]);
        visit(Cell{Resource::load_macro, 0, 4 + i, Kind::setting}, macro.sequence[i]);
      }
      visit(Cell{Resource::load_macro, 0, 8, Kind::setting, 0xFFF}, macro.misc);
    }
  }

  template <class Visit>
  void visit_movers(Visit& visit) {
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
      visit(Cell{Resource::unpacker, unpacker, tensix::unpacker_sum, Kind::data, 0x1FFFF},
            coprocessor.unpackers.register_sum[unpacker]);
    tensix::Packers& packers = coprocessor.packers;
    for (unsigned number = 0; number < tensix::Packers::count; ++number) {
      tensix::Packer& packer = packers.packer[number];
      const auto cell = [&](tensix::PackerState state, Kind kind = Kind::data) {
        return Cell{Resource::packer, number, state, kind};
      };
      for (tensix::Packer::Stream* stream : {&packer.data, &packer.exponents, &packer.row_starts}) {
        visit(cell(tensix::packer_stream, Kind::fixed), stream->needs_address);
        visit(cell(tensix::packer_stream, Kind::fixed), stream->fill);
        visit(cell(tensix::packer_stream, Kind::fixed), stream->address);
        each(visit, cell(tensix::packer_stream), stream->bytes);
      }
      visit(cell(tensix::packer_stream, Kind::fixed), packer.datums);
      visit(cell(tensix::packer_stream, Kind::fixed), packer.block_fill);
      visit(cell(tensix::packer_stream, Kind::fixed), packer.position.x);
      visit(cell(tensix::packer_stream), packer.position.y);
      visit(cell(tensix::packer_stream), packer.position.z);
      visit(cell(tensix::packer_stream), packer.tile_words);
      visit(cell(tensix::packer_stream), packer.compression.all_zero_rows);
      visit(cell(tensix::packer_stream, Kind::fixed), packer.compression.kept);
      each(visit, cell(tensix::packer_exponents), packer.histogram);
      visit(cell(tensix::packer_exponents), packer.max_exponent);
      visit(cell(tensix::packer_sizes), packer.last_tile_words);
      each(visit, cell(tensix::packer_sizes), packer.all_tile_words);
    }
    visit(Cell{Resource::packer, 0, tensix::packer_context, Kind::data, 3}, packers.context);
    visit(Cell{Resource::packer, 0, tensix::packer_context}, packers.context_planes);
    visit(Cell{Resource::packer, 0, tensix::packer_register_data}, packers.register_data);
  }
};

}  // namespace tensim::test
