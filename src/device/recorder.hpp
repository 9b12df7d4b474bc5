// Whoever wants to know what the host does to a device (docs/replay.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "noc/coordinates.hpp"
#include "tensix/types.hpp"

namespace tensim::device {

using noc::Coordinates;

class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;

  virtual void wrote(tensix::Cycle cycle, Coordinates tile, std::uint64_t address,
                     std::span<const std::uint8_t> bytes) = 0;
  virtual void read(tensix::Cycle cycle, Coordinates tile, std::uint64_t address,
                    std::span<const std::uint8_t> reply) = 0;
  /// A soft reset register's old and new value.
  virtual void reset(tensix::Cycle cycle, Coordinates tile, std::uint32_t before, std::uint32_t after) = 0;
  /// What the host's memory gave to a guest, which read it over the NoC.
  virtual void host_gave(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual void note(std::string_view text) = 0;
};

}  // namespace tensim::device
