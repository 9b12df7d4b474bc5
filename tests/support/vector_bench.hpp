// For tests of the Vector Unit's data: registers filled by hand, a few instructions on T1, registers looked at.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "tensix/coprocessor.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {

using number::every_lane;
using number::lane_count;
using number::LaneMask;
using number::Lanes;
using tensix::DataIssue;

class VectorBench {
 public:
  explicit VectorBench(Arch arch) : coprocessor_(std::make_unique<Coprocessor>(arch)) {}

  Coprocessor& operator*() { return *coprocessor_; }
  Coprocessor* operator->() { return coprocessor_.get(); }
  tensix::VectorRegisters& registers() { return coprocessor_->vector.registers; }
  Lanes& lreg(unsigned i) { return registers().lreg[i]; }
  void fill(unsigned i, std::uint32_t value) { lreg(i) = number::all_lanes(value); }
  /// A different value in every lane.
  void number(unsigned i, std::uint32_t first, std::uint32_t step = 1) {
    for (unsigned lane = 0; lane < lane_count; ++lane)
      lreg(i)[lane] = first + lane * step;
  }
  /// Lanes that are on.
  void enable(LaneMask lanes) {
    registers().uses_flags = every_lane;
    registers().flags = lanes;
  }

  /// One instruction after the other, each in the first cycle in which it may go.
  void run(const std::string& text) {
    constexpr unsigned thread = 1;
    const isa::Assembly assembly = isa::assemble(coprocessor_->arch, text, "test");
    if (!assembly.ok()) ADD_FAILURE() << to_text(assembly.diagnostics.front());
    for (const auto& line : assembly.words) {
      coprocessor_->push(thread, line.word, 0);
      coprocessor_->step();
    }
    constexpr unsigned patience = 50;
    for (unsigned i = 0; i < patience && !coprocessor_->is_idle() && !coprocessor_->fault; ++i)
      coprocessor_->step();
  }

  /// Lane 0 of a register after a few instructions.
  std::uint32_t first(unsigned i) { return lreg(i)[0]; }

  bool reported(DataIssue issue) const {
    return std::ranges::any_of(coprocessor_->reports, [&](const Report& report) { return report.issue == issue; });
  }
  DataIssue fault() const { return coprocessor_->fault ? coprocessor_->fault->issue : DataIssue::none; }

 private:
  std::unique_ptr<Coprocessor> coprocessor_;
};

/// What `text` makes of L1 and L2 (and L3, which it may name) in L0.
struct VectorExample {
  std::string text;
  std::uint32_t l0;
  std::uint32_t l1;
  std::uint32_t l2;
  std::uint32_t result;
};

inline void expect(Arch arch, const VectorExample& example) {
  VectorBench bench(arch);
  bench.fill(0, example.l0);
  bench.fill(1, example.l1);
  bench.fill(2, example.l2);
  bench.run(example.text);
  EXPECT_EQ(bench.lreg(0), number::all_lanes(example.result))
      << name(arch) << ": " << example.text << " of " << std::hex << example.l0 << ", " << example.l1 << ", "
      << example.l2 << " gives " << bench.first(0) << ", not " << example.result;
}

}  // namespace tensim::test
