// Any bytes as what a host does to a device: for tests and fuzzing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "device/device.hpp"
#include "device/pcie.hpp"
#include "report/device_faults.hpp"

namespace tensim::test {

/// Takes numbers from bytes; when they are used up, zeroes.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }
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
  explicit RandomHost(Arch arch) : device(arch, device::OnFault::go_on), pcie(device) {
    pcie.set_host_memory({.read = read_host, .write = write_host});
  }

  /// As many messages as the bytes are good for, but few of a short input: a fuzzer wants many of those.
  void act(Bytes bytes) {
    const std::uint64_t most = std::max<std::uint64_t>(few, bytes.size() / bytes_per_message);
    while (messages < most && !bytes.empty())
      act_once(bytes);
    device.settle();
    fold(device.now());
    for (const device::Fault& fault : device.take_faults())
      for (const char letter : report::text_of(fault))
        fold(static_cast<std::uint8_t>(letter));
  }

  std::uint64_t answers = 0;
  std::uint64_t messages = 0;  // that the device has got

 private:
  static constexpr std::uint64_t few = 200;
  static constexpr std::size_t bytes_per_message = 32;  // and more than that is seldom taken
  static constexpr std::uint64_t bar0 = 0x10'0000'0000;
  static constexpr std::uint64_t registers = bar0 + device::window_registers;
  static constexpr std::uint32_t soft_reset = 0xFFB121B0;
  static constexpr std::uint32_t register_block = 0xFFB11000;

  /// The host's own memory: what is written there is gone.
  static void read_host(std::uint64_t address, void* to, std::uint32_t bytes) {
    std::memset(to, static_cast<int>(address & 0xFF), bytes);
  }
  static void write_host(std::uint64_t /*address*/, const void* /*from*/, std::uint32_t /*bytes*/) {}

  void fold(std::uint64_t value) { answers = (answers ^ value) * 0x100000001B3; }

  device::Coordinates place(Bytes& bytes) {
    // A few tiles most of the time, so that things meet.
    const std::uint64_t choice = bytes.take(1);
    if (choice < 8) return {static_cast<std::uint32_t>(bytes.take(1)), static_cast<std::uint32_t>(bytes.take(1))};
    if (choice < 16) return choice < 12 ? device.plan().arc() : device.plan().pcie();
    return {1 + static_cast<std::uint32_t>(choice % 3), 2 + static_cast<std::uint32_t>(choice / 3 % 2)};
  }

  std::uint64_t address(Bytes& bytes) {
    using Arc = device::ArcMap;
    const std::uint64_t arc = device::arc_noc_base(device.arch());
    switch (bytes.take(1) % 8) {
      case 0: return bytes.take(8);
      case 1: return register_block + bytes.take(2) * 4;
      case 2: return soft_reset;
      case 3:
        return arc + Arc::registers_base + (bytes.take(1) % 2 == 0 ? Arc::control : Arc::scratch + bytes.take(1) * 4);
      case 4: return arc + Arc::memory_base + Arc::queue_block + bytes.take(2) % 0x1000;
      case 5: return bytes.take(1) << 58U | bytes.take(2);  // Blackhole's host memory, among others
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
    ++messages;
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
