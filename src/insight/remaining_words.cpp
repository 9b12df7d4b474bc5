#include "insight/remaining_words.hpp"

namespace tensim::insight {

using tensix::Entry;

std::vector<Entry> remaining_words(Arch arch, tensix::Frontend frontend, const std::vector<Entry>& unfed) {
  constexpr std::size_t most = 200'000;
  std::vector<Entry> words;
  std::size_t fed = 0;
  bool moved = true;
  while (words.size() < most && (moved || fed < unfed.size())) {
    moved = false;
    if (frontend.has_candidate()) {
      words.push_back(frontend.candidate());
      frontend.pop_candidate();
      moved = true;
    }
    moved = frontend.advance(arch) || moved;
    if (fed < unfed.size() && frontend.can_push()) {
      frontend.push(unfed[fed].word, unfed[fed].origin());
      ++fed;
      moved = true;
    }
  }
  return words;
}

}  // namespace tensim::insight
