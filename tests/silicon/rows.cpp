#include "tests/silicon/rows.hpp"

#include <cstdlib>
#include <fstream>
#include <utility>

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
  bool header = true;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.empty()) continue;
    if (std::exchange(header, false)) continue;
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 8) continue;
    char* end = nullptr;
    const double cycles = std::strtod(columns[6].c_str(), &end);
    for (const Arch arch : all_archs)
      if (columns[0] == "both" || columns[0] == name(arch))
        rows.push_back(
            {arch, columns[1], columns[2], columns[3], columns[4], columns[5], cycles, columns[7], *end == '\0'});
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

}  // namespace tensim::silicon
