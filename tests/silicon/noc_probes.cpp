#include "tests/silicon/noc_probes.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "chip/chip.hpp"
#include "tests/silicon/guest_probes.hpp"

namespace tensim::silicon {
namespace {

constexpr double mebibyte = 1048576;

std::vector<double> totals(const NocTimes& times) {
  std::vector<double> all;
  for (const auto& rounds : times)
    all.push_back(std::accumulate(rounds.begin(), rounds.end(), 0.0) / static_cast<double>(rounds.size()));
  return all;
}
double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void start(chip::Chip& chip, const NocProbe& probe, std::size_t number) {
  const noc::FloorPlan& plan = chip.plan();
  const NocFlow& flow = probe.flows[number];
  chip::Slot& slot = chip.touch(flow.tile);
  const auto write = [&](std::uint32_t address, const std::vector<std::uint32_t>& words) {
    slot.tile->write(address, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
  };
  std::vector<std::uint32_t> peers;
  for (std::size_t other = 0; other < probe.flows.size(); ++other)
    if (other != number) peers.push_back(packed(plan.arch(), plan.translated(probe.flows[other].tile)));
  write(noc_guest::peers, peers);
  write(noc_guest::code, noc_program(plan, probe, number));
  slot.tile->release(flow.core, noc_guest::code);
  slot.is_idle = false;
}

std::uint32_t word(const tile::Tile& tile, std::uint32_t address) {
  std::uint32_t value = 0;
  std::memcpy(&value, tile.l1.data() + address, sizeof value);
  return value;
}

}  // namespace

NocTimes run(const noc::FloorPlan& plan, const Timing& timing, const NocProbe& probe) {
  constexpr time::Cycle budget = 10'000'000;
  constexpr time::Cycle step = 2'000;
  chip::Chip chip(plan, timing);
  for (std::size_t flow = 0; flow < probe.flows.size(); ++flow)
    start(chip, probe, flow);
  const auto is_done = [&](const NocFlow& flow) { return word(*chip.find(flow.tile)->tile, noc_guest::done) != 0; };
  while (chip.now() < budget && !std::ranges::all_of(probe.flows, is_done))
    chip.run_until(chip.now() + step);
  NocTimes times;
  if (!std::ranges::all_of(probe.flows, is_done)) return times;
  for (const NocFlow& flow : probe.flows) {
    times.emplace_back();
    for (unsigned round = 0; round < flow.rounds; ++round)
      times.back().push_back(word(*chip.find(flow.tile)->tile, noc_guest::results + 4 * round));
  }
  return times;
}

std::vector<double> figures(const Row& row) {
  if (row.is_figure) return {row.cycles};
  const std::size_t mean_at = row.figure.find("mean ");
  std::vector<double> all;
  const char* at = row.figure.c_str() + (mean_at == std::string::npos ? 0 : mean_at + std::strlen("mean "));
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) break;
    all.push_back(value);
    while (*end == '/' || *end == '.')
      ++end;
  }
  if (mean_at != std::string::npos) all = {mean(all)};
  return all;
}

double NocMeasurements::hops(const Row& row) {
  const auto total = [&](bool x, bool y) {
    const NocTimes times = run(card(row.arch), timing(row.arch), hops_probe(row, x, y));
    return times.empty() ? 0.0 : times[0][0];
  };
  const noc::FloorPlan& plan = card(row.arch);
  const std::vector<unsigned> distances{plan.width(), plan.height(), plan.width() + plan.height()};
  if (row.probe == "nocbench hops") {
    const unsigned around = number_behind(row.conditions, "round trip ");
    return total(around != plan.height(), around != plan.width());
  }
  std::vector<std::uint32_t> all;
  for (const unsigned around : distances)
    all.push_back(static_cast<std::uint32_t>(total(around != plan.height(), around != plan.width())));
  return slope_of(distances, all);
}

/// What one more read of 64 bytes takes.
std::optional<double> NocMeasurements::marginal(const Row& row) {
  Row burst = row;
  std::array<double, 2> cycles{};
  for (const unsigned longer : {0U, 1U}) {
    burst.conditions = longer != 0 ? "128 tx of 64 B" : "64 tx of 64 B";
    const NocTimes times = run(card(row.arch), timing(row.arch), *noc_probe(burst));
    if (times.empty()) return std::nullopt;
    cycles[longer] = times[0][0];
  }
  return (cycles[1] - cycles[0]) / 64;
}

std::optional<std::vector<double>> NocMeasurements::measure(const Row& row) {
  if (row.probe == "nocbench hops" || row.probe == "hop latency") return std::vector{hops(row)};
  if (row.probe.ends_with(" marginal")) {
    const auto one = marginal(row);
    return one ? std::optional(std::vector{*one}) : std::nullopt;
  }
  const auto probe = noc_probe(row);
  if (!probe) return std::nullopt;
  const NocTimes times = run(card(row.arch), timing(row.arch), *probe);
  if (times.empty()) return std::nullopt;
  std::vector<double> all = totals(times);
  if (row.probe.starts_with("dramrate "))
    return std::vector{mebibyte * static_cast<double>(all.size()) / *std::ranges::max_element(all)};
  if (!row.probe.starts_with("nocbench ")) return all;
  for (double& total : all)
    total /= probe->flows[0].count;
  if (row.probe != "nocbench endpoint") return std::vector{mean(all)};
  std::ranges::sort(all);
  return all;
}

std::string NocMeasurements::not_expressed(const Row& row) {
  if (row.probe == "tt-metal dm_common")
    return "a constant of the vendor's estimator: neither tiles nor bytes nor program are known";
  return "not known to this program";
}

std::uint64_t NocMeasurements::cost(const Row& row) {
  if (!row.probe.starts_with("dramrate ")) return 64;
  return std::uint64_t{dram_transactions} * number_before(row.what_is_measured, " tiles");
}

}  // namespace tensim::silicon
