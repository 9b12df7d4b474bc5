// Which words of L1 a packer writes and reads, and when.
#include "tensix/unit_timing.hpp"
#include "tensix/units/packers/steps.hpp"

namespace tensim::tensix {

L1Step pack_words(const UnitTiming& timing, const Packer& packer, unsigned number, std::uint32_t step) {
  const PackJob& job = packer.job;
  const PackOutput output = output_of(packer, job);
  L1Pace writes{.words = output.words(), .steps = packer.progress.steps};
  if (job.accumulates) writes.length = static_cast<std::uint32_t>(timing.accumulate_hold);
  const auto client = static_cast<L1Client>(static_cast<unsigned>(L1Client::packer0) + number);
  L1Step use;
  writes.add(use, step, L1Connection(timing.arch, client), [&](std::uint32_t word) {
    const bool is_data = word < output.data_words;
    const std::uint32_t first = is_data ? packer.data.address : packer.exponents.address;
    return std::int64_t{first} + std::int64_t{is_data ? word : word - output.data_words} * Packer::word_bytes;
  });
  if (job.source != PackJob::Source::l1) return use;
  const std::uint32_t in_word = Packer::word_bytes / job.l1_datum_bytes;
  const L1Pace reads{.words = (job.count + in_word - 1) / in_word, .steps = packer.progress.steps};
  reads.add(use, step, L1Connection(timing.arch, L1Client::packer0_reads),
            [&](std::uint32_t word) { return std::int64_t{job.first} + std::int64_t{word} * Packer::word_bytes; });
  return use;
}

}  // namespace tensim::tensix
