// A large memory of which only what has been written takes room; the rest reads 0. Without timing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

namespace tensim::chip {

class SparseMemory {
 public:
  SparseMemory() = default;
  SparseMemory(const SparseMemory& other);
  SparseMemory& operator=(const SparseMemory& other);
  SparseMemory(SparseMemory&&) noexcept = default;
  SparseMemory& operator=(SparseMemory&&) noexcept = default;
  ~SparseMemory() = default;

  void read(std::uint64_t address, std::span<std::uint8_t> to) const;
  void write(std::uint64_t address, std::span<const std::uint8_t> from);

 private:
  static constexpr std::size_t page_bytes = std::size_t{64} << 10U;
  using Page = std::array<std::uint8_t, page_bytes>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace tensim::chip
