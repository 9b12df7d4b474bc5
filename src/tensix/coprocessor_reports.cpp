// What the coprocessor has to say about a program: undefined and uninitialised reads, words lost on the way, faults.
#include <algorithm>
#include <bit>

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {

void Coprocessor::report(Report::Category category, const Candidate& candidate, Place place, unsigned owner,
                         unsigned index) {
  constexpr std::size_t most = 1000;  // a kernel in a loop must not fill the host's memory
  if (reports.size() < most)
    reports.push_back({category, now, candidate.thread, candidate.entry, place, static_cast<std::uint8_t>(owner),
                       static_cast<std::uint16_t>(index)});
}

void Coprocessor::report_uninitialised(const Candidate& candidate, Place place, unsigned owner, unsigned index) {
  report(Report::Category::uninitialised_read, candidate, place, owner, index);
}

void Coprocessor::data_issue(const Candidate& candidate, DataIssue issue) {
  if (!is_modelled(issue)) {
    if (!fault) fault = Fault{Fault::Category::not_modelled, now, candidate.thread, candidate.entry, issue};
    leave_vector_run();
    return;
  }
  const auto is_known = [&](const Report& known) {
    return known.issue == issue && known.thread == candidate.thread && known.entry.word == candidate.entry.word;
  };
  if (std::ranges::any_of(reports, is_known)) return;
  const std::size_t before = reports.size();
  report(Report::Category::undefined_data, candidate);
  if (reports.size() != before) reports.back().issue = issue;
}

void Coprocessor::report_gprs(const Candidate& candidate, GprSet unknown) {
  for (std::uint64_t left = unknown.registers(); left != 0; left &= left - 1) {
    const auto reg = static_cast<unsigned>(std::countr_zero(left));
    report_uninitialised(candidate, Place::gpr, candidate.thread, reg);
    written.add_gpr(candidate.thread, reg);
  }
}

void Coprocessor::reads_config(const Candidate& candidate, unsigned bank, unsigned word) {
  if (word >= config_words(arch) || written.config[bank][word]) return;
  report_uninitialised(candidate, Place::config_word, bank, word);
  const bool is_global = word >= config_global_base(arch);
  for (unsigned other = 0; other < config_bank_count; ++other)
    if (other == bank || is_global) written.config[other].set(word);
}

void Coprocessor::report_semaphores(const Candidate& candidate, unsigned unknown) {
  for (unsigned left = unknown; left != 0; left &= left - 1)
    report_uninitialised(candidate, Place::semaphore, 0, static_cast<unsigned>(std::countr_zero(left)));
  written.semaphores |= static_cast<std::uint8_t>(unknown);
}

std::vector<Report> Coprocessor::open_recordings() const {
  std::vector<Report> found;
  for (unsigned thread = 0; thread < frontends.size(); ++thread) {
    const ReplayExpander& expander = frontends[thread].replay_expander();
    if (!expander.is_recording()) continue;
    Report& report = found.emplace_back(Report{Report::Category::open_recording, now, thread, expander.replay()});
    report.index = static_cast<std::uint16_t>(expander.words_to_come());
  }
  return found;
}

/// Rare, and kept out of the cycle's code.
[[gnu::noinline]] void Coprocessor::report_notes(unsigned thread) {
  const FrontendNotes notes = frontends[thread].take_notes();
  if (notes.dropped_at_mux) report(Report::Category::mux_drop, {*notes.dropped_at_mux, thread});
  if (notes.inline_mop) report(Report::Category::inline_mop_count, {*notes.inline_mop, thread});
  if (notes.long_replay) report(Report::Category::replay_count, {*notes.long_replay, thread});
  for (unsigned left = notes.unwritten_mop_words; left != 0; left &= left - 1)
    report_uninitialised({notes.unwritten_by_mop, thread}, Place::mop_word, thread,
                         static_cast<unsigned>(std::countr_zero(left)));
  for (std::uint32_t left = notes.unwritten_replay_slots; left != 0; left &= left - 1)
    report_uninitialised({notes.unwritten_by_replay, thread}, Place::replay_slot, thread,
                         static_cast<unsigned>(std::countr_zero(left)));
}

}  // namespace tensim::tensix
