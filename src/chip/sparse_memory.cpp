#include "chip/sparse_memory.hpp"

#include <algorithm>

namespace tensim::chip {
namespace {

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

SparseMemory::SparseMemory(const SparseMemory& other) {
  pages_.reserve(other.pages_.size());
  for (const auto& [number, page] : other.pages_)
    pages_.emplace(number, std::make_unique<Page>(*page));
}

SparseMemory& SparseMemory::operator=(const SparseMemory& other) {
  if (this != &other) *this = SparseMemory(other);
  return *this;
}

void SparseMemory::read(std::uint64_t address, std::span<std::uint8_t> to) const {
  while (!to.empty()) {
    const std::size_t within = address % page_bytes;
    const std::size_t part = std::min(to.size(), page_bytes - within);
    const auto page = pages_.find(address / page_bytes);
    if (page == pages_.end())
      std::ranges::fill(to.first(part), std::uint8_t{0});
    else
      std::copy_n(page->second->begin() + static_cast<std::ptrdiff_t>(within), part, to.begin());
    to = to.subspan(part);
    address += part;
  }
}

void SparseMemory::write(std::uint64_t address, std::span<const std::uint8_t> from) {
  while (!from.empty()) {
    const std::size_t within = address % page_bytes;
    const std::size_t part = std::min(from.size(), page_bytes - within);
    auto page = pages_.find(address / page_bytes);
    // Clearing what nobody has written is common, and needs no room.
    if (page == pages_.end() && !is_zero(from.first(part)))
      page = pages_.emplace(address / page_bytes, std::make_unique<Page>()).first;
    if (page != pages_.end())
      std::copy_n(from.begin(), part, page->second->begin() + static_cast<std::ptrdiff_t>(within));
    from = from.subspan(part);
    address += part;
  }
}

}  // namespace tensim::chip
