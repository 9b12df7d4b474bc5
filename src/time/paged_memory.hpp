// Memory that can go back to a mark. From the mark on, a page is kept as it was when it is first written to; so a mark costs
// what is written behind it, whatever the size of the memory. Host memory is taken page by page as it is written, too.
//
// Whoever writes says so before: before_write().
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace tensim::time {

class PagedMemory {
 public:
  static constexpr std::uint32_t page_bytes = 4096;

  explicit PagedMemory(std::size_t bytes) : size_(bytes), bytes_(zeros(pages() * page_bytes)), is_kept_(pages(), 1) {}
  PagedMemory(const PagedMemory& other) : PagedMemory(other.size_) { copy_from(other); }
  PagedMemory& operator=(const PagedMemory& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) return *this = PagedMemory(other);
    copy_from(other);
    return *this;
  }
  PagedMemory(PagedMemory&&) noexcept = default;
  PagedMemory& operator=(PagedMemory&&) noexcept = default;
  ~PagedMemory() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::uint8_t& operator[](std::size_t at) { return bytes_.get()[at]; }
  const std::uint8_t& operator[](std::size_t at) const { return bytes_.get()[at]; }
  std::uint8_t* begin() { return data(); }
  std::uint8_t* end() { return data() + size_; }
  const std::uint8_t* begin() const { return data(); }
  const std::uint8_t* end() const { return data() + size_; }
  bool operator==(const PagedMemory& other) const { return std::ranges::equal(*this, other); }

  // ---- the mark ----

  void mark() {
    kept_.clear();
    std::ranges::fill(is_kept_, std::uint8_t{0});
  }
  void forget_mark() {
    kept_.clear();
    std::ranges::fill(is_kept_, std::uint8_t{1});
  }
  /// To how it was at the mark, which stays.
  void go_back() {
    for (const Page& page : kept_)
      std::memcpy(page_at(page.number), page.bytes.data(), page_bytes);
    mark();
  }
  /// Within a page.
  void before_write(std::uint32_t address) {
    if (const std::uint32_t page = address / page_bytes; is_kept_[page] == 0) keep(page);
  }
  void before_write(std::uint32_t address, std::uint32_t bytes) {
    std::uint32_t page = address / page_bytes;
    const std::uint32_t last = (address + bytes - 1) / page_bytes;
    do
      if (is_kept_[page] == 0) keep(page);
    while (page++ != last);
  }

 private:
  struct Page {
    std::uint32_t number;
    std::array<std::uint8_t, page_bytes> bytes;
  };
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<std::uint8_t, Free>;

  /// The host gives pages of zeros only when they are written.
  static Bytes zeros(std::size_t bytes) {
    Bytes fresh(static_cast<std::uint8_t*>(std::calloc(bytes, 1)));
    if (fresh == nullptr) throw std::bad_alloc();
    return fresh;
  }
  std::size_t pages() const { return size_ / page_bytes + 1; }
  std::uint8_t* page_at(std::uint32_t number) { return data() + std::size_t{number} * page_bytes; }
  /// Pages that are alike are left alone, so that those of zeros take no memory in the copy.
  void copy_from(const PagedMemory& other) {
    for (std::uint32_t page = 0; page < pages(); ++page) {
      const std::uint8_t* const from = other.data() + std::size_t{page} * page_bytes;
      if (std::memcmp(page_at(page), from, page_bytes) != 0) std::memcpy(page_at(page), from, page_bytes);
    }
    is_kept_ = other.is_kept_;
    kept_ = other.kept_;
  }
  [[gnu::noinline]] void keep(std::uint32_t number) {
    is_kept_[number] = 1;
    kept_.emplace_back().number = number;
    std::memcpy(kept_.back().bytes.data(), page_at(number), page_bytes);
  }

  std::size_t size_;
  Bytes bytes_;
  std::vector<std::uint8_t> is_kept_;  // by page: it need not be kept any more
  std::vector<Page> kept_;
};

}  // namespace tensim::time
