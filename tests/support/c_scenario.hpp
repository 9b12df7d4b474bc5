// Scenarios through the C interface: texts, and files that are in memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <tensim/scenario.h>

#include "tests/support/c_text.hpp"
#include "tests/support/riscv_words.hpp"

namespace tensim::test {

using CScenario = std::unique_ptr<tensim_scenario, void (*)(tensim_scenario*)>;
using CResult = std::unique_ptr<tensim_result, void (*)(tensim_result*)>;
using Files = std::map<std::string, std::string, std::less<>>;

inline int load_from_files(void* context, const char* path, tensim_text* content) {
  const auto& files = *static_cast<const Files*>(context);
  const auto found = files.find(path);
  const std::string& text = found == files.end() ? "no such file" : found->second;
  tensim_write_to_text(content, text.data(), text.size());
  return found == files.end() ? 1 : 0;
}

struct Parsed {
  tensim_status status = TENSIM_OK;
  CScenario scenario{nullptr, tensim_scenario_free};
  std::string problem;
};

inline Parsed parse_scenario(std::string_view text, Files files = {}) {
  Parsed parsed;
  CText problem;
  tensim_scenario* made = nullptr;
  parsed.status =
      tensim_scenario_parse(text.data(), text.size(), "test.toml", load_from_files, &files, &made, problem.place());
  parsed.scenario.reset(made);
  parsed.problem = problem.str();
  return parsed;
}

/// 7 to 0x20004, then the end.
inline std::string small_program() {
  using namespace rv;
  const std::vector<Word> words{lui(a0, 0x20), addi(a1, zero, 7), sw(a1, a0, 4), here};
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

inline Parsed small_scenario(const std::string& more = "") {
  return parse_scenario("[cores]\nbrisc = { raw = \"code\", address = 0 }\n" + more, {{"code", small_program()}});
}

inline CResult run(const CScenario& scenario, const tensim_run_options* options = nullptr) {
  tensim_result* result = nullptr;
  EXPECT_EQ(tensim_scenario_run(scenario.get(), options, &result), TENSIM_OK);
  return {result, tensim_result_free};
}

inline std::string report_of(const CResult& result, tensim_format format = TENSIM_PLAIN) {
  CText text;
  EXPECT_EQ(tensim_result_report(result.get(), format, text.place()), TENSIM_OK);
  return text.str();
}

}  // namespace tensim::test
