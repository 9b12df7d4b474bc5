// Any bytes as what a host does to a device of either chip: it survives, and does the same again.
#include <cstdlib>

#include "tests/support/random_host.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Arch arch = (data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole;
  const test::Bytes bytes({data + 1, size - 1});
  test::RandomHost first(arch);
  first.act(bytes);
  if ((data[0] & 0xFEU) != 0) return 0;  // seldom: it costs as much again
  test::RandomHost second(arch);
  second.act(bytes);
  if (first.answers != second.answers) std::abort();
  return 0;
}
