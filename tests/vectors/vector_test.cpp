// Lanes through the Vector Unit: tests/vectors/vector.tsv has, for each case, a hash of what a reference made of two tiles of
// words and the first lanes of them.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "reference/model_tile.hpp"
#include "tests/places.hpp"
#include "tools/reference/vector_cases.hpp"

namespace tensim {
namespace {

using namespace reference;

constexpr unsigned tiles = 2;

const VectorCase* find_case(const std::string& name) {
  for (const VectorCase& one : vector_cases())
    if (one.name == name) return &one;
  return nullptr;
}

/// "left,right,result" of one lane, after another.
void expect_lanes(std::istringstream& fields, const std::vector<std::uint32_t>& left,
                  const std::vector<std::uint32_t>& right, const std::vector<std::uint32_t>& found,
                  const std::string& name) {
  std::string lane;
  for (std::size_t i = 0; std::getline(fields, lane, '\t'); ++i) {
    ASSERT_EQ(lane.size(), 26U) << name;
    EXPECT_EQ(std::stoul(lane.substr(0, 8), nullptr, 16), left[i]) << name;
    EXPECT_EQ(std::stoul(lane.substr(9, 8), nullptr, 16), right[i]) << name;
    EXPECT_EQ(std::stoul(lane.substr(18, 8), nullptr, 16), found[i]) << name << ", lane " << i;
  }
}

TEST(VectorVectors, LanesComeOutAsTheReferenceHasThem) {
  std::ifstream file(TENSIM_VECTORS "/vector.tsv");
  ASSERT_TRUE(file.is_open());
  unsigned compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream fields(line);
    std::string arch_name;
    std::string name;
    std::string seed_text;
    std::string hash_text;
    for (std::string* field : {&arch_name, &name, &seed_text, &hash_text})
      ASSERT_TRUE(std::getline(fields, *field, '\t')) << line;
    const auto arch = parse_arch(arch_name);
    const VectorCase* const one = find_case(name);
    ASSERT_TRUE(arch && one != nullptr) << line;
    const auto seed = static_cast<std::uint32_t>(std::stoul(seed_text));
    const auto left = vector_inputs(seed, tiles);
    const auto right = vector_inputs(seed + 1, tiles);
    ModelTile tile(*arch);
    ASSERT_FALSE(tile.run(vector_case_set_up(*arch)).has_value()) << name;
    const auto results = vector_results(tile, *arch, *one, left, right);
    ASSERT_TRUE(std::holds_alternative<std::vector<std::uint32_t>>(results)) << name;
    const auto& found = std::get<0>(results);
    expect_lanes(fields, left, right, found, arch_name + " " + name);
    EXPECT_EQ(hash_of_words(found), std::stoull(hash_text, nullptr, 16)) << arch_name << " " << name;
    ++compared;
  }
  EXPECT_GE(compared, 600U);
}

}  // namespace
}  // namespace tensim
