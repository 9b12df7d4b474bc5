// Whatever a host does, the device survives it, and does the same the next time.
#include "tests/support/random_host.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tensim::test {
namespace {

TEST(RandomHost, DeviceSurvivesAnythingAndAnswersTheSameAgain) {
  constexpr unsigned runs = 12;
  for (const Arch arch : all_archs)
    for (unsigned run = 0; run < runs; ++run) {
      std::mt19937 random(run);
      std::vector<std::uint8_t> bytes(2000);
      for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
      RandomHost first(arch);
      RandomHost second(arch);
      first.act(Bytes(bytes));
      second.act(Bytes(bytes));
      EXPECT_EQ(first.answers, second.answers) << name(arch) << ", run " << run;
    }
}

TEST(RandomHost, CopyGoesOnLikeTheOriginal) {
  std::mt19937 random(1);
  for (const Arch arch : all_archs) {
    std::vector<std::uint8_t> bytes(2000);
    for (std::uint8_t& byte : bytes)
      byte = static_cast<std::uint8_t>(random());
    RandomHost host(arch);
    host.act(Bytes(bytes));
    device::Device copy = host.device;
    for (device::Device* one : {&host.device, &copy})
      one->clock(20'000);
    for (const device::Coordinates tile : {device::Coordinates{1, 2}, {2, 2}, {3, 3}}) {
      std::vector<std::uint8_t> here(0x10000);
      std::vector<std::uint8_t> there(here.size());
      host.device.read(tile, 0, here);
      copy.read(tile, 0, there);
      EXPECT_EQ(here, there);
    }
  }
}

}  // namespace
}  // namespace tensim::test
