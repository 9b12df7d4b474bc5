// Writes the description of a chip that stands beside a library that hosts load. Usage: tensim-descriptor PLAN FILE, where
// PLAN is a product's name or a chip with what is off ("p100", "wormhole rows=3,11").
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "device/soc_descriptor.hpp"
#include "noc/floor_plan.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: tensim-descriptor PLAN FILE\n");
    return 2;
  }
  const tensim::noc::ReadPlan read = tensim::noc::read_floor_plan(argv[1]);
  if (!read.plan) {
    fmt::print(stderr, "tensim-descriptor: {}\n", read.error);
    return 2;
  }
  std::ofstream file(argv[2], std::ios::binary);
  file << tensim::device::soc_descriptor(*read.plan);
  file.close();
  if (file) return 0;
  fmt::print(stderr, "tensim-descriptor: cannot write {}\n", argv[2]);
  return 1;
}
