#include "tests/silicon/rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace tensim::silicon {
namespace {

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      columns.emplace_back();
    else
      columns.back().push_back(c);
  }
  return columns;
}

}  // namespace

std::string Row::threads() const {
  return active.empty() ? conditions.substr(0, conditions.find(';')) : active + " on " + measured_on;
}

std::optional<std::vector<Row>> read_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::vector<Row> rows;
  std::vector<std::string> header;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.empty()) continue;
    const std::vector<std::string> columns = columns_of(line);
    if (header.empty()) {
      header = columns;
      continue;
    }
    const auto column = [&](std::string_view name) {
      const auto at = static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
      return at < columns.size() ? columns[at] : std::string();
    };
    Row row{.unit = column("unit"),
            .probe = column("probe"),
            .active = column("active"),
            .measured_on = column("measured_on"),
            .conditions = column("conditions"),
            .documented = column("documented"),
            .what_is_measured = column("what_is_measured"),
            .figure = column("cycles")};
    char* end = nullptr;
    row.cycles = std::strtod(row.figure.c_str(), &end);
    row.is_figure = *end == '\0';
    for (const Arch arch : all_archs) {
      row.arch = arch;
      if (column("arch") == "both" || column("arch") == name(arch)) rows.push_back(row);
    }
  }
  return rows;
}

std::optional<std::vector<Row>> read_tile_rows(const std::string& directory) {
  std::vector<Row> rows;
  for (const char* name : {"cores.csv", "queue.csv", "tensix.csv"}) {
    auto some = read_rows(directory + "/" + name);
    if (!some) return std::nullopt;
    rows.insert(rows.end(), some->begin(), some->end());
  }
  return rows;
}

std::optional<std::vector<Row>> read_noc_rows(const std::string& directory) {
  auto rows = read_rows(directory + "/noc.csv");
  if (rows) std::erase_if(*rows, [](const Row& row) { return row.unit == "PROFILER"; });
  return rows;
}

}  // namespace tensim::silicon
