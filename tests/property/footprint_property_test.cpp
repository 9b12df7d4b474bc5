// What an operation really touched lies within what it said. Random instructions, each alone on a coprocessor that holds
// random state: all that changes must be among the writes it named; and with everything changed that is not among its
// reads, it has to do the same.
#include <random>

#include "isa/disassemble.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tests/support/footprint_state.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Access;
using event::Resource;
using isa::Word;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

constexpr unsigned instructions_of_a_program = 12;

/// Everything that events say an instruction reads and writes.
class Said : public event::Listener {
 public:
  Said() : Listener(event::wants_order) {}
  AccessedCells reads;
  AccessedCells writes;
  bool issued = false;

  void happened(const event::Event& event) override {
    issued = issued || std::holds_alternative<event::Issued>(event.what);
    for (const Access& access : event.accesses)
      (access.write ? writes : reads).add(access);
  }
};

// ---- random state ----

/// Settings of which no page says what they do: with them there is nothing to see.
constexpr std::array unmodelled{
    &"ALU_ACC_CTRL_Zero_Flag_disabled_dst"_config,         &"THCON_SEC0_REG1_Enable_out_fifo"_config,
    &"THCON_SEC0_REG1_Force_pack_per_max_xy_plane"_config, &"THCON_SEC0_REG1_Read_mode"_config,
    &"THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel"_config, &"THCON_SEC0_REG1_pack_start_intf_pos"_config,
    &"THCON_SEC0_REG8_unpack_tile_offset"_config,          &"THCON_SEC1_REG8_unpack_tile_offset"_config,
    &"THCON_SEC0_REG10_Unpack_limit_address_en"_config,    &"THCON_SEC1_REG10_Unpack_limit_address_en"_config,
    &"THCON_SEC0_REG1_Dis_shared_exp_assembler"_config,    &"INT_DESCALE_Mode"_config,
};

void put_field(std::uint32_t& word, const ConfigField::Place& place, std::uint32_t value) {
  word = (word & ~place.bits()) | ((value & place.mask()) << place.shift);
}

std::uint32_t likely_value(const ConfigField& field, Random& random) {
  const bool is_address = field.name.find("_address") != std::string_view::npos ||
                          field.name.find("L1_Dest_addr") != std::string_view::npos;
  if (is_address && field.name.find("limit") == std::string_view::npos) return random() % 0x600;
  if (field.name.find("stride") != std::string_view::npos) return random() % 3 * 32;
  if (field.name.find("ormat") != std::string_view::npos) return random() % 6 == 0 ? random() : 5;
  switch (random() % 4) {
    case 0: return random();
    case 1: return random() % 4;
    default: return 0;
  }
}

void fill_config(Coprocessor& coprocessor, Random& random) {
  const Arch arch = coprocessor.arch;
  for (unsigned bank = 0; bank < tensix::config_bank_count; ++bank) {
    auto& words = coprocessor.config.bank[bank];
    words.fill(0);
    for (const auto& family : config_fields())
      for (const ConfigField& field : family)
        if (field.on(arch).exists())
          put_field(words[static_cast<std::size_t>(field.on(arch).word)], field.on(arch), likely_value(field, random));
    for (const ConfigField* field : unmodelled)
      if (field->on(arch).exists() && random() % 32 != 0)
        put_field(words[static_cast<std::size_t>(field->on(arch).word)], field->on(arch), 0);
    // Tile descriptors: mostly uncompressed, of a few datums.
    for (const ConfigField* field :
         {&"THCON_SEC0_REG0_TileDescriptor"_config, &"THCON_SEC1_REG0_TileDescriptor"_config}) {
      const auto at = static_cast<std::size_t>(field->on(arch).word);
      words[at] = (random() % 4 == 0 ? random() & 0xFU : 5U) | (random() % 4 != 0 ? 0x10U : 0U) |
                  (random() % 8 == 0 ? random() & 0x720U : 0U) | (16U << random() % 4) << 16U;
      words[at + 1] = (random() % 17) | (random() % 5) << 16U;
      words[at + 2] = random() % 3;
      words[at + 3] = random() % 8 == 0 ? (random() % 3) << 24U : 0U;
    }
    if (bank != 0)
      std::copy(coprocessor.config.bank[0].begin() + tensix::config_global_base(arch), coprocessor.config.bank[0].end(),
                words.begin() + tensix::config_global_base(arch));
  }
  for (auto& words : coprocessor.config.thread) {
    words.fill(0);
    for (const auto& family : thread_config_fields())
      for (const ConfigField& field : family)
        if (field.on(arch).exists() && random() % 2 != 0) {
          std::uint32_t word = words[static_cast<std::size_t>(field.on(arch).word)];
          put_field(word, field.on(arch), random() % 2 == 0 ? random() : random() % 4);
          words[static_cast<std::size_t>(field.on(arch).word)] = static_cast<std::uint16_t>(word);
        }
  }
}

void fill_rest(FootprintState& state, Random& random) {
  Coprocessor& coprocessor = state.coprocessor;
  for (auto& regs : coprocessor.gprs.value)
    for (std::uint32_t& reg : regs)
      reg = random() % 3 == 0 ? random() : random() % 0x300;
  for (auto& context : coprocessor.adcs.context)
    for (tensix::AdcSet* set : {&context.unpacker[0], &context.unpacker[1], &context.packer})
      for (unsigned channel = 0; channel < 2; ++channel) {
        set->channel[channel].x.set(channel == 0 ? random() % 3 : random() % 80);
        set->channel[channel].y.set(random() % 4);
        set->channel[channel].z.set(random() % 3);
        set->channel[channel].w.set(random() % 2);
      }
  for (auto& rwc : coprocessor.rwcs.thread) {
    rwc.dst.set(random());
    rwc.src_a.set(random());
    rwc.src_b.set(random());
  }
  coprocessor.unpackers.set_register_bases(random());
  coprocessor.packers.register_bases.set(random());
  coprocessor.packers.set_scalers(0, random());
  coprocessor.packers.set_scalers(3, random());
  coprocessor.dst.upper_halves = random() % 8 == 0;
  for (unsigned file = 0; file < 2; ++file) {
    coprocessor.src.matrix_bank[file] = static_cast<std::uint8_t>(random() % 2);
    coprocessor.src.unpack_bank[file] = static_cast<std::uint8_t>(random() % 2);
  }
}

template <class Value>
void put(const Cell& cell, Value& value, std::uint32_t bits) {
  value = static_cast<Value>((static_cast<std::uint32_t>(value) & ~cell.bits) | (bits & cell.bits));
}

/// Templates of all kinds, and sequences that name them.
void fill_macros(Coprocessor& coprocessor, Random& random) {
  tensix::LoadMacroConfig macro;
  for (std::uint32_t& word : macro.instruction) {
    const isa::Form& form = isa::table::vector[random() % isa::table::vector.size()];
    word = form.base() | (random() & 0xFFFFFFU);
  }
  for (std::uint32_t& sequence : macro.sequence)
    for (unsigned sub_unit = 0; sub_unit < 4; ++sub_unit) {
      const std::uint32_t source = sub_unit == 3 ? 3 * (random() % 2) : random() % 2 * (4 + random() % 4);
      sequence |= (source | (random() & 0xF8U)) << (8 * sub_unit);
    }
  macro.misc = random() & 0xFFU;
  coprocessor.vector.registers.macros.fill(macro);
}

FootprintState random_state(Arch arch, Random& random) {
  FootprintState state(arch);
  fill_config(state.coprocessor, random);
  state.for_each([&](const Cell& cell, auto& value) {
    if (cell.kind == Cell::Kind::data) put(cell, value, random());
  });
  fill_rest(state, random);
  fill_macros(state.coprocessor, random);
  state.derive();
  return state;
}

// ---- random instructions ----

/// Those with the most to say.
constexpr std::array<std::string_view, 8> favourites{"UNPACR",  "UNPACR", "PACR",     "PACR",
                                                     "SFPLOAD", "MVMUL",  "SFPSTORE", "SFPLOADMACRO"};

const isa::Form& random_form(Arch arch, Random& random) {
  while (true) {
    const isa::UnitTable& unit = isa::unit_tables[random() % isa::unit_tables.size()];
    const isa::Form& form = unit.forms[random() % unit.forms.size()];
    if (!form.archs.contains(arch) || form.unit == isa::Unit::frontend) continue;
    const bool is_favourite = std::ranges::find(favourites, form.name) != favourites.end();
    if (!is_favourite && random() % (form.unit == isa::Unit::mover ? 8 : 2) != 0) continue;
    return form;
  }
}

const isa::Form& chosen_form(Arch arch, Random& random) {
  if (random() % 3 != 0) return random_form(arch, random);
  const std::string_view name = favourites[random() % favourites.size()];
  while (true)
    if (const isa::Form& form = random_form(arch, random); form.name == name) return form;
}

Word random_word(Arch arch, Random& random) {
  while (true) {
    const isa::Form& form = chosen_form(arch, random);
    Word word = form.base();
    for (const isa::Field& field : form.fields)
      if (random() % 3 != 0) word |= field.put(random() % 2 == 0 ? random() : random() % 2) & ~form.select_mask;
    if (form.name == "STREAMWRCFG")
      word |= form.field("RegIndex")->put(tensix::stream_register_rows[random() % 4].on(arch));
    // Auto TTSync would hold what follows.
    if (isa::opcode_of(word) == "SETC16"_op &&
        tensix::setc16(arch, 0, word).value_or(tensix::ThreadConfigStore{}).word ==
            "TENSIX_TRISC_SYNC_TrackTensixInstructions"_thread_config.on(arch).word)
      continue;
    return word;
  }
}

/// So that neither the Matrix Unit nor the unpackers wait for a bank for ever.
void give_banks(Coprocessor& coprocessor, Word word) {
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool unpacks = opcode == "UNPACR"_op || opcode == "UNPACR_NOP"_op || opcode == "STOREIND"_op;
  coprocessor.src.matrix_owns = {{{!unpacks, !unpacks}, {!unpacks, !unpacks}}};
  coprocessor.state_changed_from_outside();
}

// ---- running one ----

/// Runs the instruction until nothing is left of it; false if it was held, stopped the run or did not end.
bool run(FootprintState& state, unsigned thread, Word word, Said& said) {
  Coprocessor& coprocessor = state.coprocessor;
  event::Journal journal;
  journal.want(event::wants_order);
  coprocessor.journal = &journal;
  state.attach();
  coprocessor.push(thread, word, 0);
  bool ended = false;
  for (unsigned cycle = 0; cycle < 3000 && !ended && !coprocessor.fault; ++cycle) {
    coprocessor.step();
    state.answer();
    ended = cycle > 8 && state.is_drained();
  }
  journal.hand_on(said);
  coprocessor.journal = nullptr;
  return ended && said.issued && !coprocessor.fault;
}

/// Everything that is not among the reads becomes something else.
void change_unread(FootprintState& state, const AccessedCells& reads, Random& random) {
  state.for_each([&](const Cell& cell, auto& value) {
    if (cell.kind == Cell::Kind::fixed) return;
    const std::uint32_t kept = reads.mask(cell);
    put(cell, value, (static_cast<std::uint32_t>(value) & kept) | (random() & ~kept));
  });
  state.derive();
}

struct Tally {
  unsigned done = 0;
  unsigned changed = 0;
  unsigned unpacked = 0;  // UNPACRs that read L1, PACRs that write it
  unsigned packed = 0;
  std::array<unsigned, 10> by_unit{};
};

struct Program {
  Arch arch;
  Random random;
  FootprintState state;
  std::vector<Cell> cells;
  Tally& tally;

  Program(Arch chip, unsigned seed, Tally& counted)
      : arch(chip),
        random(seed * 2 + (chip == Arch::blackhole ? 1 : 0)),
        state(random_state(chip, random)),
        cells(state.cells()),
        tally(counted) {}

  /// What changed, and is not said to be written.
  void compare_writes(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                      const Said& said) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::uint32_t changed = before[i] ^ after[i];
      if (changed == 0) continue;
      ++tally.changed;
      if ((changed & ~said.writes.mask(cells[i])) == 0) continue;
      ADD_FAILURE() << "not said to be written: " << cells[i].text();
      return;
    }
  }

  void count(Word word, const Said& said) {
    ++tally.by_unit[static_cast<std::size_t>(isa::forms_of(arch, isa::opcode_of(word)).front()->unit)];
    if (isa::opcode_of(word) == "UNPACR"_op && said.reads.has(Resource::l1)) ++tally.unpacked;
    if (isa::opcode_of(word) == "PACR"_op && said.writes.has(Resource::l1)) ++tally.packed;
  }

  struct Effects {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
  };

  /// Bits that either of two runs changed are the same behind both.
  void compare_effects(const Effects& one, const Effects& other) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::uint32_t changed = (one.before[i] ^ one.after[i]) | (other.before[i] ^ other.after[i]);
      if (((one.after[i] ^ other.after[i]) & changed) == 0) continue;
      ADD_FAILURE() << "depends on what it is not said to read: " << cells[i].text();
      return;
    }
  }

  void one_instruction() {
    const unsigned thread = random() % tensix::thread_count;
    const Word word = random_word(arch, random);
    SCOPED_TRACE(fmt::format("{} of thread {}", to_text(isa::decode(arch, word), isa::Syntax::brief), thread));
    give_banks(state.coprocessor, word);
    FootprintState before = state;
    Said said;
    if (!run(state, thread, word, said)) {
      state = before;
      return;
    }
    const Effects effects{before.values(), state.values()};
    compare_writes(effects.before, effects.after, said);
    count(word, said);
    FootprintState other = before;
    change_unread(other, said.reads, random);
    Effects other_effects{other.values(), {}};
    Said said_of_other;
    if (!run(other, thread, word, said_of_other))
      ADD_FAILURE() << "does not end, or is not modelled, with other values of what it is not said to read";
    other_effects.after = other.values();
    compare_effects(effects, other_effects);
    ++tally.done;
  }
};

class FootprintProperty : public BothArchs {};
TENSIM_BOTH_ARCHS(FootprintProperty);

TEST_P(FootprintProperty, WhatAnInstructionTouchesLiesWithinWhatItSaid) {
  Tally tally;
  for_each_seed(80, [&](unsigned seed) {
    Program program(GetParam(), seed, tally);
    for (unsigned i = 0; i < instructions_of_a_program && !::testing::Test::HasFailure(); ++i)
      program.one_instruction();
  });
  if (seeds_are_chosen() || ::testing::Test::HasFailure()) return;
  EXPECT_GT(tally.done, 500U);
  EXPECT_GT(tally.changed, 3000U);
  EXPECT_GT(tally.unpacked, 5U);
  EXPECT_GT(tally.packed, 5U);
  for (unsigned unit = 1; unit < tally.by_unit.size(); ++unit)
    EXPECT_GT(tally.by_unit[unit], 5U) << unit;
}

}  // namespace
}  // namespace tensim::test
