// Marks on bytes of memory, in cells of 16 bytes. Of all of L1 there may be a mark for each byte and reader: pages of cells that have
// not been touched for a while are packed, each mark told by what it has in common with its neighbours, and nothing is lost by that.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tensim::insight {

/// What but the mask means is up to those who leave it.
struct ByteMark {
  std::uint16_t mask = 0;  // bytes of the cell
  std::uint8_t kind = 0;
  std::uint8_t span = 0;
  std::uint32_t number = 0;
  std::uint32_t site = 0;
  std::uint32_t lane = 0;

  friend bool operator==(const ByteMark&, const ByteMark&) = default;
};

class ByteMarks {
 public:
  static constexpr std::uint32_t cell_bytes = 16;
  static constexpr std::uint32_t page_cells = 16;
  static constexpr std::size_t most_open = 3U << 20;

  /// Pages are packed when those that are not take more bytes than this.
  explicit ByteMarks(std::size_t most_open_bytes = most_open) : most_open_(most_open_bytes) {}

 private:
  /// The marks of a page, cell by cell.
  struct Open {
    std::array<std::uint32_t, page_cells + 1> first{};  // of each cell; behind them, how many there are
    bool is_recent = true;
    std::vector<ByteMark> marks;
    std::size_t bytes() const { return sizeof *this + marks.capacity() * sizeof(ByteMark); }
  };

 public:
  /// Until another is asked for.
  class Cell {
   public:
    std::size_t size() const { return page_->first[index_ + 1] - page_->first[index_]; }
    ByteMark& operator[](std::size_t i) const { return page_->marks[page_->first[index_] + i]; }
    void push_back(const ByteMark& mark) const;
    /// The last one takes its place.
    void remove(std::size_t i) const;

   private:
    friend class ByteMarks;
    Cell(ByteMarks& marks, Open& page, std::uint32_t index) : marks_(&marks), page_(&page), index_(index) {}
    ByteMarks* marks_;
    Open* page_;
    std::uint32_t index_;
  };

  /// A cell by its number; made when it is first asked for.
  Cell at(std::uint32_t cell) {
    const std::uint32_t page = cell / page_cells;
    Page& found = page_at(page);
    if (found.open == nullptr) open(page, found);
    found.open->is_recent = true;
    if (open_bytes_ > most_open_) pack_some(page);
    return {*this, *found.open, cell % page_cells};
  }
  bool has_page_of(std::uint32_t cell) const;

  /// Every mark that there is.
  template <class Visit>
  void for_each(Visit visit) const {
    const auto visit_page = [&](const Page& page) {
      if (page.open == nullptr && page.packed.empty()) return;
      for (const ByteMark& mark : page.open != nullptr ? page.open->marks : unpacked(page.packed).marks)
        visit(mark);
    };
    for (const Page& page : near_)
      visit_page(page);
    for (const auto& [number, page] : far_)
      visit_page(page);
  }

  std::size_t bytes() const;

 private:
  struct Page {
    std::unique_ptr<Open> open;
    std::vector<std::uint8_t> packed;
  };
  static constexpr std::uint32_t most_near = 8192;  // pages, more than L1 has; the others are of DRAM

  Page& page_at(std::uint32_t page) {
    if (page >= most_near) return far_[page];
    if (page >= near_.size()) near_.resize(page + 1);
    return near_[page];
  }
  void open(std::uint32_t number, Page& page);
  void pack_some(std::uint32_t but);
  static std::vector<std::uint8_t> packed(const Open& page);
  static Open unpacked(const std::vector<std::uint8_t>& bytes);
  static ByteMark expected(const Open& page, std::size_t cell, std::size_t index);

  std::size_t most_open_;
  std::vector<Page> near_;
  std::unordered_map<std::uint32_t, Page> far_;
  std::vector<std::uint32_t> opened_;  // pages
  std::size_t next_to_pack_ = 0;
  std::size_t open_bytes_ = 0;
  std::size_t packed_bytes_ = 0;
};

}  // namespace tensim::insight
