#include "scenario/places.hpp"

#include <fmt/format.h>

#include "arch/address_map.hpp"
#include "arch/sizes.hpp"

namespace tensim::scenario {

std::string place_problem(Arch arch, std::uint32_t address, std::size_t bytes) {
  if (bytes == 0) return "";
  const Region* region = find_region(arch, NC, address);
  const bool is_memory = region != nullptr && (region->kind == Region::Kind::l1 || region->kind == Region::Kind::iram);
  if (is_memory && std::uint64_t{address} - region->base + bytes <= region->size_bytes) return "";
  return fmt::format("{} bytes at {:#010x} are not in L1{}", bytes, address,
                     has(arch, "iram_bytes_nc"_size) ? " or NCRISC's instruction RAM" : "");
}

std::string place_problem(Arch arch, const program::Image& image) {
  for (std::size_t i = 0; i < image.segments.size(); ++i) {
    const program::Segment& segment = image.segments[i];
    const std::string problem = place_problem(arch, segment.load_address, segment.load_bytes().size());
    if (!problem.empty()) return fmt::format("segment {} does not fit: {}", i, problem);
  }
  return "";
}

bool is_word_of_l1(Arch arch, std::uint32_t address) {
  return address % 4 == 0 && address < size(arch, "l1_bytes"_size);
}

}  // namespace tensim::scenario
