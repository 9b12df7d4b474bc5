#include "tests/silicon/guest_probes.hpp"

#include <bit>
#include <charconv>

#include "tests/silicon/rates.hpp"

namespace tensim::silicon {
namespace {

using namespace rv;

constexpr unsigned unroll = 64;
constexpr unsigned groups = 16;
const std::vector<unsigned> slope_trips{32, 64, 96, 128};

/// What the loop holds, and how many copies of it the figure is divided by.
struct Body {
  Code code;
  unsigned copies = unroll;
};

Code four(Word (*op)(Word, Word, int)) {
  return {op(a0, a0, 1), op(a1, a1, 1), op(a2, a2, 1), op(a3, a3, 1)};
}

Code words_of(Arch arch, const std::string& name) {
  Code code;
  for (const isa::Word word : tensix_body(arch, name))
    code.push_back(ttinsn(word));
  return code;
}

Code count(unsigned times) {
  return repeat(times, {addi(a0, a0, 1)});
}

/// Phases R and C of riscvbench: one kind of instruction each.
const std::map<std::string, Body>& core_bodies() {
  using namespace guest;
  const auto stores = [](int second, int third, int fourth) {
    return repeat(unroll / 4, {sw(a0, base, 0), sw(a0, base, second), sw(a0, base, third), sw(a0, base, fourth)});
  };
  static const std::map<std::string, Body> all{
      {"loop_overhead", {{}, 1}},
      {"rv_addi_indep", {repeat(unroll / 4, four(addi))}},
      {"rv_addi_dep", {count(unroll)}},
      {"rv_mul_indep",
       {repeat(unroll / 4, {mul(a0, a0, factor), mul(a1, a1, factor), mul(a2, a2, factor), mul(a3, a3, factor)})}},
      {"rv_mul_dep", {repeat(unroll, {mul(a0, a0, factor)})}},
      {"rv_div", {repeat(unroll, {divu(quotient, dividend, factor)})}},
      {"rv_load_chase", {repeat(unroll, {lw(chase, chase, 0)})}},
      {"rv_load_indep", {repeat(unroll / 4, {lw(a0, base, 0), lw(a1, base, 16), lw(a2, base, 32), lw(a3, base, 48)})}},
      {"rv_store_spread", {stores(16, 32, 48)}},
      {"rv_store_coalesce", {stores(4, 0, 4)}},
      {"rv_load_stack", {repeat(unroll, {lw(stack_chase, stack_chase, 0)})}},
      {"rv_store_stack", {repeat(unroll, {sw(a0, stack_chase, 0)})}},
      {"c_ctrl_xor", {repeat(unroll, {xori(toggle, toggle, 1)})}},
      {"c_nt", {repeat(unroll, {bne(a0, a0, 4)})}},
      {"c_t", {repeat(unroll, {beq(a0, a0, 4)})}},
      {"c_xor_nt", {repeat(unroll, {xori(toggle, toggle, 1), bne(a0, a0, 4)})}},
      {"c_xor_t", {repeat(unroll, {xori(toggle, toggle, 1), beq(a0, a0, 4)})}},
      {"c_xor_alt", {repeat(unroll, {xori(toggle, toggle, 1), beq(toggle, zero, 4)})}},
      {"c_jal", {repeat(unroll, {jal(zero, 4)})}},
  };
  return all;
}

/// Groups of NOPs pushed among additions: neighbours that could fuse, and such that could not.
std::optional<Body> push_group(Arch arch, const std::string& probe) {
  const Code nop = words_of(arch, "NOP");
  if (probe == "tt_pad") return Body{repeat(groups, count(16)), groups};
  if (probe == "tt_fuse2") return Body{repeat(groups, repeat(2, nop) + count(16)), groups};
  if (probe == "tt_fuse4") return Body{repeat(groups, repeat(4, nop) + count(16)), groups};
  if (probe == "tt_spread4") return Body{repeat(groups, repeat(4, nop + count(1)) + count(12)), groups};
  return std::nullopt;
}

/// f_256, g_1280: that many additions.
std::optional<Body> footprint(const std::string& probe) {
  if (!probe.starts_with("f_") && !probe.starts_with("g_")) return std::nullopt;
  unsigned size = 0;
  std::from_chars(probe.data() + 2, probe.data() + probe.size(), size);
  return Body{count(size), size};
}

std::optional<Body> body_of(Arch arch, const std::string& probe) {
  if (const auto found = core_bodies().find(probe); found != core_bodies().end()) return found->second;
  if (const auto group = push_group(arch, probe)) return group;
  if (const auto additions = footprint(probe)) return additions;
  const Code words = words_of(arch, instruction_of(probe));
  if (words.empty()) return std::nullopt;
  return Body{repeat(unroll, words)};
}

/// T1 waits for the Configuration Unit, or does not, while others keep it busy.
std::optional<GuestProbe> cross_thread(Arch arch, const std::string& probe) {
  if (!probe.starts_with("C12_XTHREAD")) return std::nullopt;
  const Code busy = repeat(unroll, words_of(arch, "RMWCIB0") + words_of(arch, "NOP"));
  const bool waits = probe == "C12_XTHREAD";
  const Code own = repeat(unroll, words_of(arch, waits ? "C12" : "NOP") + words_of(arch, "NOP"));
  return GuestProbe{.body = {busy, own, busy}};
}

/// Instructions between clock and loop: the compiler's choice, which is not published. Fitted: as many as make a burst
/// that no FIFO holds up (two trips) take as long as on the cards, if re-entering a loop costs two bubbles.
unsigned setup_of(Arch arch, const std::string& probe) {
  constexpr unsigned usual = 3;
  if (arch == Arch::blackhole || probe.starts_with("q_loop_adddmareg")) return usual;
  return probe.ends_with("_loop_addi") ? 9 : 5;
}

/// How far apart threads leave the barrier depends on the cards' code too, which is not published. Chosen by hand to
/// fit the rows themselves, short bursts and long ones, so bursts of several threads are no independent check of a few
/// tens of cycles. Of two threads that start s cycles apart both end s earlier in a drained burst; of three, the first
/// ends 2s earlier.
std::array<unsigned, thread_count> delay_of(Arch arch, const std::string& probe, unsigned active) {
  const bool is_blackhole = arch == Arch::blackhole;
  const bool are_three = active == 0b111;
  if (probe == "s_co_sync" && is_blackhole) return {0, are_three ? 22U : 18U, 22};
  if (is_blackhole && are_three) return {0, 10, 10};
  if (probe == "q_loop_adddmareg_sync" && !is_blackhole && active != 0b010) return {0, are_three ? 15U : 33U, 15};
  return {};
}

/// Phases Q and S: n instructions in a loop of 16 or of 4.
std::optional<GuestProbe> burst(Arch arch, const std::string& probe) {
  const bool is_q = probe.starts_with("q_loop_");
  if (!is_q && !probe.starts_with("s_")) return std::nullopt;
  const unsigned block = is_q ? 16 : 4;
  const unsigned points = is_q ? 7 : 8;
  const bool adds = probe.ends_with("_addi");
  const Code body = repeat(block, adds ? count(1) : words_of(arch, "ADDDMAREG"));
  const bool drains_after = probe.ends_with("_sync");
  GuestProbe made{.body = {body, body, body},
                  .drains_before = !(is_q && drains_after),
                  .drains_after = drains_after,
                  .setup = setup_of(arch, probe)};
  for (unsigned point = 0; point < points; ++point)
    made.trips.push_back(1U << point);
  return made;
}

std::optional<GuestProbe> probe_of(Arch arch, const std::string& name) {
  if (auto shots = burst(arch, name)) return shots;
  std::optional<GuestProbe> probe = cross_thread(arch, name);
  if (!probe) {
    const auto body = body_of(arch, name);
    if (!body) return std::nullopt;
    probe = GuestProbe{.body = {body->code, body->code, body->code}};
  }
  probe->trips = slope_trips;
  const std::string instruction = instruction_of(name);
  probe->needs_src = instruction == "MVMUL" || instruction == "ELWADD" || instruction == "ELWMUL";
  probe->walks_dst = walks_dst(name);
  return probe;
}

unsigned copies_of(Arch arch, const std::string& probe) {
  const auto body = body_of(arch, probe);
  return body ? body->copies : unroll;
}

/// The thread that the row was measured on; nothing if it is the mean of all.
std::optional<unsigned> measured_thread(const Row& row) {
  if (!row.measured_on.empty()) return row.measured_on[1] - '0';
  if (row.conditions.find(", T") == std::string::npos) return std::nullopt;
  return row.conditions[row.conditions.rfind(", T") + 3] - '0';
}

}  // namespace

double slope_of(const std::vector<unsigned>& x, const std::vector<std::uint32_t>& y) {
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += static_cast<double>(x[i]) / static_cast<double>(x.size());
    mean_y += static_cast<double>(y[i]) / static_cast<double>(x.size());
  }
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return covariance / variance;
}

const Times& GuestMeasurements::times(Arch arch, const std::string& probe, unsigned active) {
  const auto [place, is_new] = known_.try_emplace({arch, probe, active});
  if (is_new) {
    std::optional<GuestProbe> made = probe_of(arch, probe);
    if (made) {
      made->active = active;
      if (made->drains_before || made->drains_after) made->delay = delay_of(arch, probe, active);
      place->second = run(arch, *made);
    }
  }
  return place->second;
}

double GuestMeasurements::slope(Arch arch, const std::string& probe, unsigned active, unsigned thread) {
  return slope_of(slope_trips, times(arch, probe, active)[thread]);
}

std::optional<double> GuestMeasurements::single_shot(const Row& row) {
  const std::size_t at = row.conditions.rfind("n=");
  if (at == std::string::npos) return std::nullopt;
  unsigned n = 0;
  std::from_chars(row.conditions.data() + at + 2, row.conditions.data() + row.conditions.size(), n);
  constexpr std::array active_by_count{0U, 0b010U, 0b011U, 0b111U};
  const unsigned active = active_by_count[static_cast<unsigned>(row.conditions[0] - '0')];
  const unsigned first = row.probe.starts_with("q_") ? 16 : 4;
  const std::vector<std::uint32_t>& found = times(row.arch, row.probe, active)[measured_thread(row).value_or(1)];
  const unsigned point = static_cast<unsigned>(std::bit_width(n / first)) - 1;
  if (point >= found.size()) return std::nullopt;
  return found[point];
}

std::optional<double> GuestMeasurements::per_copy(const Row& row) {
  const unsigned active = threads_of(row);
  if (active == 0 || !probe_of(row.arch, row.probe)) return std::nullopt;
  const std::optional<unsigned> on = measured_thread(row);
  double sum = 0;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if ((active >> thread & 1U) == 0 || (on && *on != thread)) continue;
    if (times(row.arch, row.probe, active)[thread].empty()) return std::nullopt;
    const double control = row.probe == "loop_overhead" ? 0 : slope(row.arch, "loop_overhead", active, thread);
    sum += (slope(row.arch, row.probe, active, thread) - control) / copies_of(row.arch, row.probe);
  }
  return on ? sum : sum / std::popcount(active);
}

std::optional<double> GuestMeasurements::measure(const Row& row) {
  if (!row.is_figure) return std::nullopt;
  return row.unit == "TTQUEUE" ? single_shot(row) : per_copy(row);
}

}  // namespace tensim::silicon
