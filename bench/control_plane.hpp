// The work the control-plane benchmarks measure.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "isa/assembler/assemble.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::bench {

inline std::vector<isa::Word> words(Arch arch, std::string_view text) {
  std::vector<isa::Word> result;
  for (const isa::AssembledWord& word : isa::assemble(arch, text, "bench").words)
    result.push_back(word.word);
  return result;
}

/// Words that repeat for ever.
struct EndlessProgram {
  std::vector<isa::Word> words;
  std::size_t left = 0;

  isa::Word next() {
    if (left == 0) left = words.size();
    return words.end()[-static_cast<std::ptrdiff_t>(left--)];
  }
};

/// A producer, a middle and a consumer that hand tokens on through two semaphores, for ever.
struct SemaphorePipeline {
  explicit SemaphorePipeline(Arch arch) : coprocessor(arch) {
    programs[0].words = words(arch, "SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_MAX\nSEMPOST sem=1");
    programs[1].words = words(arch,
                              "SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_ZERO\nSEMGET sem=1\n"
                              "SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_MAX\nSEMPOST sem=2");
    programs[2].words = words(arch, "SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_ZERO\nSEMGET sem=2");
    coprocessor.sync.init(3, 0, 4);
  }

  /// Runs until `instructions` more have been issued.
  void run(std::uint64_t instructions) {
    const std::uint64_t target = issued() + instructions;
    while (issued() < target)
      for (unsigned i = 0; i < 64; ++i) {
        coprocessor.step();
        for (unsigned thread = 0; thread < 3; ++thread)
          if (coprocessor.can_push(thread)) coprocessor.push(thread, programs[thread].next(), 0);
      }
  }

  std::uint64_t issued() const {
    std::uint64_t sum = 0;
    for (const event::StallAccount& account : coprocessor.accounts)
      sum += account[event::Stall::issued];
    return sum;
  }

  tensix::Coprocessor coprocessor;
  std::array<EndlessProgram, 3> programs;
};

}  // namespace tensim::bench
