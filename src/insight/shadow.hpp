// Who has touched each cell of a tile's state last, and who reads it since: what a race is found by. A cell is a row, a word
// or a block; the marks in it have masks, so that bits of a word and bytes of a block are told apart.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "event/access.hpp"
#include "insight/byte_marks.hpp"
#include "insight/clocks.hpp"

namespace tensim::insight {

/// One access, as later ones see it.
struct Mark {
  std::uint32_t mask = 0;
  std::uint32_t changed = 0;  // of a write: what of these has another value then
  std::uint32_t number = 0;   // on its lane
  std::uint32_t site = 0;     // where it stands in a program
  std::uint32_t ordinal = 0;  // of its thread's instructions
  Lane lane = 0;
  bool is_write = false;
  std::uint8_t span = 0;  // how long it lasts; the meaning is the caller's
};

/// A list that has room for a few, as almost all have.
class Cell {
 public:
  std::size_t size() const { return count_; }
  Mark& operator[](std::size_t i) { return i < few ? few_[i] : (*more_)[i - few]; }
  void set_mask(std::size_t i, std::uint32_t mask) { (*this)[i].mask = mask; }
  void push_back(const Mark& mark) {
    if (count_ < few) {
      few_[count_++] = mark;
      return;
    }
    if (more_ == nullptr) more_ = std::make_unique<std::vector<Mark>>();
    more_->resize(count_ - few);
    more_->push_back(mark);
    ++count_;
  }
  void remove(std::size_t i) {
    (*this)[i] = (*this)[count_ - 1];
    --count_;
  }

 private:
  static constexpr std::size_t few = 3;
  std::array<Mark, few> few_{};
  std::uint32_t count_ = 0;
  std::unique_ptr<std::vector<Mark>> more_;
};

/// The same of a block of memory. Which bits change is said of configuration alone, and how many instructions lie between two
/// accesses does not matter here.
class MemoryCell {
 public:
  explicit MemoryCell(const ByteMarks::Cell& cell) : cell_(cell) {}
  std::size_t size() const { return cell_.size(); }
  Mark operator[](std::size_t i) const {
    const ByteMark& mark = cell_[i];
    return {.mask = mark.mask,
            .changed = event::Access::whole,
            .number = mark.number,
            .site = mark.site,
            .lane = mark.lane,
            .is_write = mark.kind != 0,
            .span = mark.span};
  }
  void set_mask(std::size_t i, std::uint32_t mask) const { cell_[i].mask = static_cast<std::uint16_t>(mask); }
  void push_back(const Mark& mark) const {
    cell_.push_back({static_cast<std::uint16_t>(mark.mask), static_cast<std::uint8_t>(mark.is_write ? 1 : 0), mark.span,
                     mark.number, mark.site, mark.lane});
  }
  void remove(std::size_t i) const { cell_.remove(i); }

 private:
  ByteMarks::Cell cell_;
};

class Shadow {
 public:
  static constexpr std::uint32_t l1_block = ByteMarks::cell_bytes;

  MemoryCell at_memory(std::uint32_t block) { return MemoryCell(memory_.at(block)); }

  /// The cell of an element of another resource; made when it is first asked for.
  Cell& at(event::Resource resource, unsigned owner, std::uint32_t index) {
    auto& cells = cells_[static_cast<std::size_t>(resource)];
    const std::size_t page = (std::size_t{owner} << owner_shift | index) / page_cells;
    if (page >= cells.size()) cells.resize(page + 1);
    return own(cells[page])[index % page_cells];
  }
  std::size_t bytes() const { return pages_ * sizeof(Page) + memory_.bytes(); }

 private:
  static constexpr std::size_t page_cells = 64;
  static constexpr unsigned owner_shift = 12;  // no resource but memory has more elements
  using Page = std::array<Cell, page_cells>;
  Page& own(std::unique_ptr<Page>& page) {
    if (page == nullptr) {
      page = std::make_unique<Page>();
      ++pages_;
    }
    return *page;
  }
  std::array<std::vector<std::unique_ptr<Page>>, event::resource_rows.count> cells_;
  ByteMarks memory_;
  std::size_t pages_ = 0;
};

/// Looks for marks that `ordered` does not say are before the access, and tells `races` of each; then the access leaves its
/// own mark.
///
/// A write replaces all marks of its bits: whoever comes behind it and races with one of them races with it, too, or has
/// been told. A read replaces those reads that are done before it.
template <class Cell, class Ordered, class Done, class Races>
void touch(Cell&& cell, const Mark& mark, Ordered ordered, Done done, Races races) {
  for (std::size_t i = 0; i < cell.size();) {
    const Mark earlier = cell[i];
    const std::uint32_t common = earlier.mask & mark.mask;
    if (common == 0) {
      ++i;
      continue;
    }
    if ((earlier.is_write || mark.is_write) && !ordered(earlier)) races(earlier, common);
    const bool same_place = earlier.lane == mark.lane && earlier.span == mark.span;
    const bool is_replaced = mark.is_write || (!earlier.is_write && (same_place || done(earlier)));
    if (is_replaced && common == earlier.mask) {
      cell.remove(i);
      continue;
    }
    if (is_replaced) cell.set_mask(i, earlier.mask & ~common);
    ++i;
  }
  cell.push_back(mark);
}

}  // namespace tensim::insight
