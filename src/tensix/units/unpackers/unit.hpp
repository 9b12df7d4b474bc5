// The two unpackers: L1 to SrcA, SrcB or Dst (UNPACR_Regular.md). They share one issue port and the address phase; then
// each moves its data, after waiting for its Src bank if need be (errata 40), and hands the bank over at the end.
#pragma once

#include <algorithm>
#include <array>

#include "tensix/l1_traffic.hpp"
#include "tensix/operation.hpp"
#include "tensix/registers/register_write.hpp"
#include "tensix/registers/src_banks.hpp"
#include "tensix/types.hpp"
#include "tensix/units/unpackers/transfer.hpp"
#include "tensix/units/unpackers/words.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct UnitTiming;

struct Unpackers {
  enum class Work : std::uint8_t { none, transfer, clear, register_write };
  struct Job {
    Cycle data_from = 0;           // after its address phase
    Cycle data_cycles = 0;         // of work that no L1 decides on
    std::uint32_t words_left = 0;  // of L1, of a transfer, at the last change of speed
    unsigned record = 0;
    Work work = Work::none;
    bool waits_for_bank = false;
    bool awaits_matrix_bank = false;  // the bank that the Matrix Unit is on, not the unpacker's (ZEROSRC)
    bool hands_over = false;
    bool clears_both = false;
    std::uint8_t src_format = 0;  // that the bank handed over will hold
    std::uint32_t clear_value = 0;
    UnpackTransfer transfer{};
    Entry entry{};  // the instruction, for reports
    unsigned thread = 0;

    /// The bank of its file that the unpackers have to own before it can begin.
    unsigned awaited_bank(const SrcBanks& src, unsigned unpacker) const {
      return awaits_matrix_bank ? src.matrix_bank[unpacker] : src.unpack_bank[unpacker];
    }
    bool may_begin(const SrcBanks& src, unsigned unpacker) const {
      return !waits_for_bank || !src.matrix_owns[unpacker][awaited_bank(src, unpacker)];
    }
  };
  struct Pipe {
    unsigned jobs = 0;  // 0, 1 or 2: one moves data while the next computes its address
    std::array<Job, 2> job{};
    bool moving = false;
    std::uint8_t speed = 0;  // L1 words a cycle that it gets,
    L1Progress progress{};   // as steps since it gets them

    bool is_fetching() const { return moving && jobs != 0 && job[0].words_left != 0; }
    /// What it fetches in a step.
    L1Step fetches(Arch arch, std::uint32_t step) const {
      const std::uint32_t first = std::max(job[0].transfer.l1_words, 1U) - job[0].words_left + step * speed;
      return {.begins = unpack_words(arch, job[0].transfer, first, first + speed), .goes_on = {}};
    }
  };
  std::array<Pipe, 2> pipes{};
  bool is_active() const { return (pipes[0].jobs | pipes[1].jobs) != 0; }
  Cycle address_phase_until = 0;  // first cycle in which another UNPACR may start

  // [unpacker][thread], both as the last accepted instruction left them.
  std::array<std::array<std::uint8_t, thread_count>, 2> context_counter{};
  std::array<std::array<std::uint8_t, thread_count>, 2> src_row{};

  // UNPACR_NOP's register writes: addresses are TDMA-RISC's, sums ([unpacker]) can be read there.
  RegisterBases register_bases;
  std::array<std::uint32_t, 2> register_sum{};

  /// CLK_GATE_EN of TDMA-RISC. The page does not say which bits: the 24 above the clock gates' own are taken to be what
  /// the packers' register has (assumed).
  void set_register_bases(std::uint32_t clk_gate_en) { register_bases.set(clk_gate_en >> 8U); }

  /// SETC16 of UNPACK_MISC_CFG.
  void reset_context_counters(unsigned thread) { context_counter[0][thread] = context_counter[1][thread] = 0; }
  void set_src_row(unsigned unpacker, unsigned thread, unsigned row) {
    src_row[unpacker][thread] = static_cast<std::uint8_t>(row % SrcRegisters::rows);
  }
};

/// What an unpacker that wants `own` L1 words a cycle gets beside one that wants `other`: half (UNPACR_Regular.md,
/// Performance), on Wormhole.
unsigned granted_speed(const UnitTiming& timing, unsigned own, unsigned other);

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// The bank is handed over: `thread`'s next rows begin at SRCA_SET_Base or SRCB_SET_Base.
void reset_src_row(Coprocessor& coprocessor, unsigned unpacker, unsigned thread);
/// event::BankFilled, of the job that ends with the record, before it does. Only for who keeps the journal.
void note_bank_filled(const Coprocessor& coprocessor, const Record& record);
/// event::Touched, of a UNPACR_NOP whose write of a register is on its way now.
void note_register_write(const Coprocessor& coprocessor, unsigned unpacker, std::uint32_t address);
/// Data phases that can begin or end, bank hand-over.
void finish_unpack(Coprocessor& coprocessor, unsigned unpacker);
Cycle next_unpacker_event(const Coprocessor& coprocessor);
bool advance_unpackers(Coprocessor& coprocessor);

}  // namespace units

}  // namespace tensim::tensix
