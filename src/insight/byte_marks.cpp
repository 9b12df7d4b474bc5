#include "insight/byte_marks.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace tensim::insight {

void ByteMarks::Cell::push_back(const ByteMark& mark) const {
  auto& marks = page_->marks;
  if (marks.size() == marks.capacity()) {  // by steps, not twofold: most of a page's are there soon
    constexpr std::size_t step = 16;
    const std::size_t before = page_->bytes();
    marks.reserve(marks.size() + step);
    marks_->open_bytes_ += page_->bytes() - before;
  }
  marks.insert(marks.begin() + page_->first[index_ + 1], mark);
  for (std::size_t i = index_ + 1; i < page_->first.size(); ++i)
    ++page_->first[i];
}

void ByteMarks::Cell::remove(std::size_t i) const {
  auto& marks = page_->marks;
  const std::size_t last = page_->first[index_ + 1] - 1U;
  (*this)[i] = marks[last];
  marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(last));
  for (std::size_t behind = index_ + 1; behind < page_->first.size(); ++behind)
    --page_->first[behind];
}

bool ByteMarks::has_page_of(std::uint32_t cell) const {
  const std::uint32_t page = cell / page_cells;
  if (page >= most_near) return far_.contains(page);
  return page < near_.size() && (near_[page].open != nullptr || !near_[page].packed.empty());
}

std::size_t ByteMarks::bytes() const {
  constexpr std::size_t far_page = sizeof(decltype(far_)::value_type) + 2 * sizeof(void*);
  return open_bytes_ + packed_bytes_ + near_.capacity() * sizeof(Page) + far_.size() * far_page +
         opened_.capacity() * sizeof opened_[0];
}

// ---- pages at rest ----

void ByteMarks::open(std::uint32_t number, Page& page) {
  packed_bytes_ -= page.packed.size();
  page.open = std::make_unique<Open>(page.packed.empty() ? Open{} : unpacked(page.packed));
  page.packed = {};
  open_bytes_ += page.open->bytes();
  opened_.push_back(number);
}

/// Those that have not been touched since this came to them last.
void ByteMarks::pack_some(std::uint32_t but) {
  const std::size_t enough = most_open_ - most_open_ / 8;
  while (open_bytes_ > enough && opened_.size() > 1) {
    if (next_to_pack_ >= opened_.size()) next_to_pack_ = 0;
    const std::uint32_t number = opened_[next_to_pack_];
    Page& page = page_at(number);
    if (number == but || std::exchange(page.open->is_recent, false)) {
      ++next_to_pack_;
      continue;
    }
    page.packed = packed(*page.open);
    packed_bytes_ += page.packed.size();
    open_bytes_ -= page.open->bytes();
    page.open = nullptr;
    opened_[next_to_pack_] = opened_.back();
    opened_.pop_back();
  }
}

namespace {

void put(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
  for (; value >= 0x80U; value >>= 7U)
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
  bytes.push_back(static_cast<std::uint8_t>(value));
}
/// Small ones of either sign are short.
void put_difference(std::vector<std::uint8_t>& bytes, std::uint32_t value, std::uint32_t expected) {
  const std::uint32_t difference = value - expected;
  put(bytes, difference << 1U ^ (0U - (difference >> 31U)));
}

std::uint32_t get(std::span<const std::uint8_t>& bytes) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint32_t byte = bytes.front();
    bytes = bytes.subspan(1);
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80U) return value;
  }
}
std::uint32_t get_difference(std::span<const std::uint8_t>& bytes, std::uint32_t expected) {
  const std::uint32_t coded = get(bytes);
  return expected + (coded >> 1U ^ (0U - (coded & 1U)));
}

std::uint32_t kinds_of(const ByteMark& mark) {
  return std::uint32_t{mark.kind} << 8U | mark.span;
}

/// Fields that are not what is expected.
enum Field : std::uint8_t { mask = 1, kind = 2, number = 4, site = 8, lane = 16 };

void put(std::vector<std::uint8_t>& bytes, const ByteMark& mark, const ByteMark& expected) {
  const std::size_t fields = bytes.size();
  bytes.push_back(0);
  const auto put_field = [&](Field field, std::uint32_t value, std::uint32_t expected_value) {
    if (value == expected_value) return;
    bytes[fields] |= field;
    put_difference(bytes, value, expected_value);
  };
  put_field(Field::mask, mark.mask, expected.mask);
  put_field(Field::kind, kinds_of(mark), kinds_of(expected));
  put_field(Field::number, mark.number, expected.number);
  put_field(Field::site, mark.site, expected.site);
  put_field(Field::lane, mark.lane, expected.lane);
}

ByteMark get_mark(std::span<const std::uint8_t>& bytes, const ByteMark& expected) {
  const std::uint32_t fields = bytes.front();
  bytes = bytes.subspan(1);
  const auto get_field = [&](Field field, std::uint32_t expected_value) {
    return (fields & field) != 0 ? get_difference(bytes, expected_value) : expected_value;
  };
  ByteMark mark;
  mark.mask = static_cast<std::uint16_t>(get_field(Field::mask, expected.mask));
  const std::uint32_t kinds = get_field(Field::kind, kinds_of(expected));
  mark.kind = static_cast<std::uint8_t>(kinds >> 8U);
  mark.span = static_cast<std::uint8_t>(kinds);
  mark.number = get_field(Field::number, expected.number);
  mark.site = get_field(Field::site, expected.site);
  mark.lane = get_field(Field::lane, expected.lane);
  return mark;
}

}  // namespace

/// Loops go on as they did: a mark is like the one in its place of the cell before, and as much later as that was behind the one
/// before it; in the first cell, like the mark before it, on the next bytes.
ByteMark ByteMarks::expected(const Open& page, std::size_t cell, std::size_t index) {
  const auto count = [&](std::size_t of) { return page.first[of + 1] - page.first[of]; };
  const auto mark = [&](std::size_t of, std::size_t i) -> const ByteMark& { return page.marks[page.first[of] + i]; };
  if (cell > 0 && index < count(cell - 1)) {
    ByteMark like = mark(cell - 1, index);
    if (cell > 1 && index < count(cell - 2)) like.number += like.number - mark(cell - 2, index).number;
    return like;
  }
  const std::size_t at = page.first[cell] + index;
  if (at == 0) return {};
  ByteMark like = page.marks[at - 1];
  like.mask = std::rotl(like.mask, std::popcount(like.mask));
  if (at > 1) like.number += like.number - page.marks[at - 2].number;
  return like;
}

/// How many marks the cells have, each number with how many cells in a row have it; then how many marks are as expected, one
/// that is not, and so on.
std::vector<std::uint8_t> ByteMarks::packed(const Open& page) {
  std::vector<std::uint8_t> bytes;
  const auto count = [&](std::size_t cell) { return page.first[cell + 1] - page.first[cell]; };
  for (std::size_t cell = 0; cell < page_cells;) {
    std::uint32_t alike = 1;
    while (cell + alike < page_cells && count(cell + alike) == count(cell))
      ++alike;
    put(bytes, count(cell));
    put(bytes, alike);
    cell += alike;
  }
  std::uint32_t as_expected = 0;
  for (std::size_t cell = 0; cell < page_cells; ++cell)
    for (std::size_t i = 0; i < count(cell); ++i) {
      const ByteMark& mark = page.marks[page.first[cell] + i];
      const ByteMark like = expected(page, cell, i);
      if (mark == like) {
        ++as_expected;
        continue;
      }
      put(bytes, std::exchange(as_expected, 0));
      put(bytes, mark, like);
    }
  put(bytes, as_expected);
  return {bytes.begin(), bytes.end()};  // no larger than it is
}

ByteMarks::Open ByteMarks::unpacked(const std::vector<std::uint8_t>& bytes) {
  Open page;
  std::span<const std::uint8_t> rest = bytes;
  for (std::size_t cell = 0; cell < page_cells;) {
    const std::uint32_t count = get(rest);
    for (std::uint32_t alike = get(rest); alike > 0; --alike, ++cell)
      page.first[cell + 1] = page.first[cell] + count;
  }
  page.marks.reserve(page.first.back());
  std::uint32_t as_expected = get(rest);
  for (std::size_t cell = 0; cell < page_cells; ++cell)
    while (page.marks.size() < page.first[cell + 1]) {
      const ByteMark like = expected(page, cell, page.marks.size() - page.first[cell]);
      if (as_expected > 0) {
        --as_expected;
        page.marks.push_back(like);
        continue;
      }
      page.marks.push_back(get_mark(rest, like));
      as_expected = get(rest);
    }
  return page;
}

}  // namespace tensim::insight
