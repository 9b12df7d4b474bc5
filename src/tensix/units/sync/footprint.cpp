#include "tensix/footprint.hpp"

#include "arch/config_registers.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

/// The count of a stream is looked at again and again, as a semaphore is.
void streamwait(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  constexpr ConfigSections chosen = "STREAM_ID_SYNC_SECn_BankSel"_thread_sections;
  const Arch arch = coprocessor.arch;
  const unsigned select = sync_words::stream_select.get(word);
  const bool counts_phases = sync_words::stream_condition.get(word) == 0;
  add_thread_field(footprint, arch, thread, chosen, select);
  add_thread_field(
      footprint, arch, thread,
      counts_phases ? "STREAMWAIT_PHASE_HI_Val"_thread_config : "STREAMWAIT_NUM_MSGS_HI_Val"_thread_config);
  const auto count = counts_phases ? &StreamCounts::phase : &StreamCounts::messages;
  for (const StreamRegisterRow& row : stream_register_rows)
    if (row.value == count)
      footprint.reads(Resource::stream, thread_field(coprocessor.config, arch, thread, chosen, select), row.on(arch));
}

}  // namespace

/// STALLWAIT names units, not state. A wait's own latch belongs to its thread alone.
void units::sync_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Word word = candidate.entry.word;
  const std::uint64_t semaphores = sync_words::semaphore_mask_of(word);
  switch (isa::opcode_of(word)) {
    case "ATGETM"_op:
    case "ATRELM"_op: return footprint.updates(Resource::mutex, 0, sync_words::mutex.get(word));
    case "SEMWAIT"_op:
      if (sync_words::semaphore_condition.get(word) != 0) footprint.add_runs(Resource::semaphore, 0, semaphores, false);
      return;
    case "SEMPOST"_op:
    case "SEMGET"_op: footprint.add_runs(Resource::semaphore, 0, semaphores, false); [[fallthrough]];
    case "SEMINIT"_op: return footprint.add_runs(Resource::semaphore, 0, semaphores, true);
    case "STREAMWAIT"_op: return streamwait(footprint, coprocessor, candidate.thread, word);
    default: return;
  }
}

}  // namespace tensim::tensix
