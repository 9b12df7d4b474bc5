// From a PACR to bytes in L1: the plan, its size, its data.
#pragma once

#include "tensix/data_issue.hpp"
#include "tensix/operation.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {

struct UnitTiming;

/// What a job sends to L1, in words of 16 bytes. How much of it compression leaves shows when Dst is read: this is without
/// compression, and its time is assumed to be the same.
struct PackOutput {
  std::uint32_t data_words = 0;
  std::uint32_t exponent_words = 0;
  std::uint32_t words() const { return data_words + exponent_words; }
};
PackOutput output_of(const Packer& packer, const PackJob& job);

/// What packer `number` does in L1 in a step of its job: datums come first, then exponents (assumed).
L1Step pack_words(const UnitTiming& timing, const Packer& packer, unsigned number, std::uint32_t step);

/// The job of `packer` for an instruction, with the addresses at which its streams start. Counters stay as they are.
struct PackRequest {
  PackJob job;
  DataIssue issue = DataIssue::none;
  std::uint32_t data_address = 0;  // in bytes; taken by streams that need one
  std::uint32_t exponent_address = 0;
  std::uint32_t row_start_address = 0;
};
PackRequest plan_pack_job(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);

/// A packer's addresses have 21 bits.
inline constexpr std::uint32_t pack_address_end = 0x200000;

/// Where the streams of a packer stand.
struct PackStreams {
  std::uint32_t data = 0;
  std::uint32_t exponents = 0;
  std::uint32_t row_starts = 0;
};
/// What a job has written since its streams stood there, for who keeps the journal.
void note_pack_output(const Coprocessor& coprocessor, unsigned packer, const PackStreams& from);

/// Reads Dst and writes L1: in the job's last cycle.
void run_pack_job(Coprocessor& coprocessor, unsigned packer);

}  // namespace tensim::tensix
