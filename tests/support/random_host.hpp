// Any bytes as what a host does to a device: for tests and fuzzing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "device/device.hpp"
#include "device/pcie.hpp"

namespace tensim::test {

/// Takes numbers from bytes; when they are used up, zeroes.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::uint64_t take(unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count && !rest_.empty(); ++i, rest_ = rest_.subspan(1))
      value |= std::uint64_t{rest_.front()} << (8 * i);
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

/// Does one thing after the other, and keeps a number that stands for every answer.
class RandomHost {
 public:
  explicit RandomHost(Arch arch) : device(arch, device::OnFault::go_on), pcie(device) {}

  void act(Bytes bytes) {
    for (unsigned step = 0; step < most_steps && !bytes.empty(); ++step)
      act_once(bytes);
    device.settle();
    fold(device.now());
    for (const device::Fault& fault : device.take_faults())
      for (const char letter : text_of(fault))
        fold(static_cast<std::uint8_t>(letter));
  }

  std::uint64_t answers = 0;

 private:
  static constexpr unsigned most_steps = 200;
  static constexpr std::uint64_t bar0 = 0x10'0000'0000;
  static constexpr std::uint64_t registers = bar0 + device::window_registers;
  static constexpr std::uint32_t soft_reset = 0xFFB121B0;
  static constexpr std::uint32_t register_block = 0xFFB11000;

  void fold(std::uint64_t value) { answers = (answers ^ value) * 0x100000001B3; }

  device::Coordinates place(Bytes& bytes) {
    // A few tiles most of the time, so that things meet.
    const std::uint64_t choice = bytes.take(1);
    if (choice < 8) return {static_cast<std::uint32_t>(bytes.take(1)), static_cast<std::uint32_t>(bytes.take(1))};
    return {1 + static_cast<std::uint32_t>(choice % 3), 2 + static_cast<std::uint32_t>(choice / 3 % 2)};
  }

  std::uint64_t address(Bytes& bytes) {
    switch (bytes.take(1) % 5) {
      case 0: return bytes.take(8);
      case 1: return register_block + bytes.take(2) * 4;
      case 2: return soft_reset;
      default: return bytes.take(2);
    }
  }

  void act_once(Bytes& bytes) {
    std::array<std::uint8_t, 64> data{};
    const auto size = [&] { return static_cast<std::size_t>(bytes.take(1) % data.size()); };
    const auto fill = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        data[i] = static_cast<std::uint8_t>(bytes.take(1));
      return std::span<const std::uint8_t>(data).first(count);
    };
    const std::uint64_t what = bytes.take(1) % 10;
    if (what == 0) return device.clock(bytes.take(2));
    if (what == 1) return pcie.write(registers + bytes.take(1) * 4, fill(12));
    if (what == 2) return pcie.write(bar0 + bytes.take(5), fill(size()));
    if (what == 3) {
      pcie.read(bar0 + bytes.take(5), std::span(data).first(size()));
    } else if (what == 4) {
      fold(pcie.read_config(static_cast<std::uint32_t>(bytes.take(1) % 2), static_cast<std::uint32_t>(bytes.take(2))));
    } else if (what == 5) {
      const device::Coordinates start = place(bytes);
      const device::Coordinates end = place(bytes);
      const std::uint64_t to = address(bytes);
      device.multicast({start, end}, to, fill(4), static_cast<unsigned>(bytes.take(1) % 2));
    } else if (what < 8) {
      const device::Coordinates tile = place(bytes);
      const std::uint64_t from = address(bytes);
      device.read(tile, from, std::span(data).first(from >= register_block ? 4 : size()));
    } else {
      const device::Coordinates tile = place(bytes);
      const std::uint64_t to = address(bytes);
      device.write(tile, to, fill(to >= register_block ? 4 : size()));
    }
    for (const std::uint8_t byte : data)
      fold(byte);
  }

 public:
  device::Device device;
  device::Pcie pcie;
};

}  // namespace tensim::test
