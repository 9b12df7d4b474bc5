#include "report/stats.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tensim::report {
namespace {

constexpr double million = 1e6;

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

/// What was seen, the most first.
std::vector<std::pair<std::string_view, double>> shares(const time::HostProfile::Counts& seen) {
  const auto all = static_cast<double>(std::accumulate(seen.begin(), seen.end(), std::uint64_t{0}));
  std::vector<std::pair<std::string_view, double>> found;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != 0) found.emplace_back(time::doing_names[i], static_cast<double>(seen[i]) / all);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return found;
}

std::string rate(std::string_view what, std::uint64_t count, const RunStats& stats) {
  const double each = per_second(count, stats.wall_seconds) / million;
  std::string text = fmt::format("  {:<22} {:>12}  {:>9.3f} M a second", what, count, each);
  if (stats.threads > 1) text += fmt::format(", {:.3f} M a thread", each / stats.threads);
  return text + "\n";
}

std::string to_text(const RunStats& stats) {
  std::string text =
      fmt::format("{:.3f} s of the host's time, {:.3f} s of its processors, {} thread{}\n", stats.wall_seconds,
                  stats.processor_seconds, stats.threads, stats.threads == 1 ? "" : "s");
  text += rate("cycles", stats.cycles, stats);
  if (stats.tiles > 1) text += rate("cycles of tiles", stats.cycles * stats.tiles, stats);
  text += rate("instructions of cores", stats.core_instructions, stats);
  text += rate("instructions of units", stats.tensix_instructions, stats);
  if (stats.tiles > 1) {
    text += rate("packets", stats.work.packets, stats);
    text += rate("bytes moved by them", stats.work.bytes, stats);
    text += fmt::format("  windows: {} short, {} long; {} tiles taken back\n", stats.work.windows, stats.work.far,
                        stats.work.taken_back);
  }
  std::string where;
  for (const auto& [name, share] : shares(stats.seen))
    where += fmt::format("{}{} {:.1f} %", where.empty() ? "" : ", ", name, share * 100);
  if (!where.empty()) text += fmt::format("  where it went: {}\n", where);
  return text + fmt::format("  peak memory: {:.1f} MB\n", static_cast<double>(stats.peak_kilobytes) / 1024);
}

nlohmann::json to_json(const RunStats& stats) {
  nlohmann::json document{{"schema", "tensim.stats/1"},
                          {"wall_seconds", stats.wall_seconds},
                          {"processor_seconds", stats.processor_seconds},
                          {"threads", stats.threads},
                          {"cycles", stats.cycles},
                          {"tiles", stats.tiles},
                          {"core_instructions", stats.core_instructions},
                          {"tensix_instructions", stats.tensix_instructions},
                          {"packets", stats.work.packets},
                          {"packet_bytes", stats.work.bytes},
                          {"windows", stats.work.windows},
                          {"long_windows", stats.work.far},
                          {"tiles_taken_back", stats.work.taken_back},
                          {"peak_kilobytes", stats.peak_kilobytes},
                          {"host_time", nlohmann::json::object()}};
  for (const auto& [name, share] : shares(stats.seen))
    document["host_time"][std::string(name)] = share;
  return document;
}

}  // namespace

std::string stats_report(const RunStats& stats, Format format) {
  return format == Format::json ? document_text(to_json(stats)) : to_text(stats);
}

}  // namespace tensim::report
