// Whole tiles through unpackers, Matrix Unit and packer: tests/vectors/tiles.tsv has a hash of what a reference left in L1.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "reference/model_tile.hpp"
#include "tests/places.hpp"
#include "tools/reference/tile_cases.hpp"

namespace tensim {
namespace {

using namespace reference;

template <class Cases>
auto find(const Cases& cases, const std::string& name) {
  for (const auto& one : cases)
    if (one.name == name) return &one;
  return decltype(&cases.front()){nullptr};
}

TEST(TileVectors, TilesComeOutAsTheReferenceHasThem) {
  std::ifstream file(TENSIM_VECTORS "/tiles.tsv");
  ASSERT_TRUE(file.is_open());
  unsigned compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream fields(line);
    std::string arch_name;
    std::string format_name;
    std::string operation_name;
    std::string kind;
    std::string tiles_text;
    std::string seed_text;
    std::string hash_text;
    for (std::string* field : {&arch_name, &format_name, &operation_name, &kind, &tiles_text, &seed_text, &hash_text})
      ASSERT_TRUE(std::getline(fields, *field, '\t')) << line;
    const auto arch = parse_arch(arch_name);
    const FormatCase* const format = find(format_cases(), format_name);
    const OperationCase* const operation = find(operation_cases(), operation_name);
    ASSERT_TRUE(arch && format != nullptr && operation != nullptr) << line;
    const auto tiles = static_cast<unsigned>(std::stoul(tiles_text));
    const auto inputs =
        tile_inputs(static_cast<std::uint32_t>(std::stoul(seed_text)), format->formats, tiles, kind == "any bits");
    ModelTile tile(*arch);
    const auto results = tile_results(tile, *format, *operation, inputs, tiles);
    ASSERT_TRUE(std::holds_alternative<std::vector<std::uint8_t>>(results)) << line;
    EXPECT_EQ(hash_of(std::get<0>(results)), std::stoull(hash_text, nullptr, 16)) << line;
    ++compared;
  }
  EXPECT_GE(compared, 400U);
}

}  // namespace
}  // namespace tensim
