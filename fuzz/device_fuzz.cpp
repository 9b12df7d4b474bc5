// Any bytes as what a host does to a device of either chip: it survives, and does the same again.
#include <cstdio>
#include <cstdlib>

#include "tests/support/random_host.hpp"

using namespace tensim;

namespace {

/// Says at the end how much the devices have been asked.
struct Total {
  Total() = default;
  Total(const Total&) = delete;
  Total& operator=(const Total&) = delete;
  ~Total() { static_cast<void>(std::fprintf(stderr, "%llu messages\n", messages)); }
  unsigned long long messages = 0;
};
Total total;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Arch arch = (data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole;
  const test::Bytes bytes({data + 1, size - 1});
  test::RandomHost first(arch);
  first.act(bytes);
  total.messages += first.messages;
  if ((data[0] & 0xFEU) != 0) return 0;  // seldom: it costs as much again
  test::RandomHost second(arch);
  second.act(bytes);
  if (first.answers != second.answers) std::abort();
  return 0;
}
