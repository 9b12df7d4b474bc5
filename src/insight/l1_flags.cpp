#include "insight/l1_flags.hpp"

#include <algorithm>
#include <ranges>

namespace tensim::insight {

namespace {

constexpr std::size_t most_written_pieces = 256;  // longer pieces of L1 that somebody might poll a word of

}  // namespace

// ---- cores ----

void L1Flags::note(unsigned number, const Actor& actor) {
  Core& core = cores_[number];
  core.history.stored(actor);
  if (core.history.pieces() < core.most_pieces) return;
  std::vector<std::uint32_t> numbers;
  marks_.for_each([&](const ByteMark& mark) {
    if (mark.kind == number) numbers.push_back(mark.number);
  });
  std::ranges::sort(numbers);
  const std::uint32_t last = actor.issued(core.history.which());
  core.history.keep(numbers, core.under_way.empty() ? last : core.under_way.front().number);
  core.most_pieces = std::max(least_pieces, 2 * core.history.pieces());
}

void L1Flags::stored(unsigned core, const Actor& actor, std::uint32_t address, std::uint8_t bytes) {
  note(core, actor);
  cores_[core].under_way.push_back({address, bytes, actor.issued(cores_[core].history.which())});
}

void L1Flags::landed(unsigned core, unsigned count) {
  auto& under_way = cores_[core].under_way;
  for (unsigned i = 0; i < count && !under_way.empty(); ++i) {
    const Store& store = under_way.front();
    set(store.address, store.bytes, {.kind = static_cast<std::uint8_t>(core), .number = store.number});
    under_way.pop_front();
  }
}

void L1Flags::updated(unsigned core, const Actor& actor, std::uint32_t address) {
  note(core, actor);
  set(address, sizeof(std::uint32_t),
      {.kind = static_cast<std::uint8_t>(core), .number = actor.issued(cores_[core].history.which())});
}

// ---- others ----

void L1Flags::written(const L1Flag& by, std::uint32_t address, std::uint32_t bytes) {
  if (bytes != 0) set(address, bytes, {.kind = of_other, .number = number_of(by)});
}

std::uint32_t L1Flags::number_of(const L1Flag& flag) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(others_.size()));
    others_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  others_[number] = {flag, 0};
  return number;
}

void L1Flags::release(const ByteMark& mark) {
  if (mark.kind != of_other || --others_[mark.number].marks != 0) return;
  others_[mark.number] = {};
  free_.push_back(mark.number);
}

void L1Flags::written_at_length(const L1Flag& by, std::uint32_t address, std::uint32_t bytes) {
  pieces_.push_back({address, bytes, by});
  ++written_pieces_;
  if (pieces_.size() > most_written_pieces) pieces_.pop_front();
}

// ---- bytes ----

void L1Flags::set(std::uint32_t address, std::uint32_t bytes, ByteMark mark) {
  constexpr std::uint32_t cell_bytes = ByteMarks::cell_bytes;
  mark.site = written_pieces_;
  const std::uint32_t end = address + bytes;
  for (std::uint32_t at = address; at < end; at = (at / cell_bytes + 1) * cell_bytes) {
    const std::uint32_t from = at % cell_bytes;
    const std::uint32_t to = std::min(end - (at - from), cell_bytes);
    mark.mask = static_cast<std::uint16_t>((1U << to) - (1U << from));
    const ByteMarks::Cell cell = marks_.at(at / cell_bytes);
    for (std::size_t i = 0; i < cell.size();) {
      cell[i].mask = static_cast<std::uint16_t>(cell[i].mask & ~mark.mask);
      if (cell[i].mask != 0) {
        ++i;
        continue;
      }
      release(cell[i]);
      cell.remove(i);
    }
    cell.push_back(mark);
    if (mark.kind == of_other) ++others_[mark.number].marks;
  }
}

L1Flag L1Flags::at(std::uint32_t address) {
  constexpr std::uint32_t cell_bytes = ByteMarks::cell_bytes;
  const ByteMark* known = nullptr;
  if (marks_.has_page_of(address / cell_bytes)) {
    const ByteMarks::Cell cell = marks_.at(address / cell_bytes);
    for (std::size_t i = 0; i < cell.size(); ++i)
      if ((cell[i].mask >> (address % cell_bytes) & 1U) != 0) known = &cell[i];
  }
  std::uint32_t before = written_pieces_;
  for (const Piece& piece : std::views::reverse(pieces_)) {
    --before;
    if (known != nullptr && known->site > before) break;
    if (address - piece.address < piece.bytes) return piece.flag;
  }
  if (known == nullptr) return {};
  if (known->kind == of_other) return others_[known->number].flag;
  return {.core = known->kind, .number = known->number};
}

std::size_t L1Flags::bytes() const {
  std::size_t bytes = marks_.bytes() + free_.capacity() * sizeof free_[0] + others_.capacity() * sizeof(Other);
  for (const Core& core : cores_)
    bytes += core.history.bytes();
  return bytes + (others_.size() - free_.size()) * (sizeof(Snapshot) + Clock::bytes_of_change);
}

}  // namespace tensim::insight
