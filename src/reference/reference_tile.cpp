#include "reference/reference_tile.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "arch/sizes.hpp"
#include "reference/riscv_words.hpp"
#include "tile/tile_control.hpp"

namespace tensim::reference {
namespace {

using tile::CoreId;

// Blackhole's registers for the first pc (debug_registers.hpp).
constexpr std::uint32_t trisc_reset_pc = 0xFFB12228;
constexpr std::uint32_t trisc_reset_pc_override = 0xFFB12234;
constexpr std::uint32_t ncrisc_reset_pc = 0xFFB12238;
constexpr std::uint32_t ncrisc_reset_pc_override = 0xFFB1223C;
// From here on addresses are registers; in between there is nothing.
constexpr std::uint32_t first_register = 0xFF000000;

std::optional<Error> error_of(const std::variant<Response, Error>& answer) {
  const auto* error = std::get_if<Error>(&answer);
  return error == nullptr ? std::nullopt : std::optional(*error);
}

}  // namespace

std::variant<ReferenceTile, Error> ReferenceTile::open(const OpenOptions& options) {
  auto child = Child::start(options);
  if (auto* error = std::get_if<Error>(&child)) return std::move(*error);
  ReferenceTile tile(options, std::move(std::get<Child>(child)));
  if (auto error = tile.hold(all_cores)) return std::move(*error);
  return tile;
}

std::optional<Error> ReferenceTile::reopen() {
  auto fresh = open(options_);
  if (auto* error = std::get_if<Error>(&fresh)) return std::move(*error);
  *this = std::move(std::get<ReferenceTile>(fresh));
  return std::nullopt;
}

std::uint32_t ReferenceTile::l1_bytes() const {
  return static_cast<std::uint32_t>(size(options_.arch, "l1_bytes"_size));
}

/// The library ends its process if it is asked for what is not there.
std::optional<Error> ReferenceTile::check(std::uint32_t address, std::size_t bytes) const {
  const bool in_l1 = std::uint64_t{address} + bytes <= l1_bytes();
  const bool is_register = address >= first_register && address % 4 == 0 && bytes == 4;
  if (bytes != 0 && (in_l1 || is_register)) return std::nullopt;
  return Error{ErrorKind::out_of_range,
               fmt::format("{} bytes at {:#010x} are neither in L1 nor a register's word", bytes, address)};
}

std::optional<Error> ReferenceTile::write(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  if (auto error = check(address, bytes.size())) return error;
  std::memcpy(child_.shared().data(), bytes.data(), bytes.size());
  return error_of(child_.ask({Operation::write, address, static_cast<std::uint32_t>(bytes.size())}));
}

std::optional<Error> ReferenceTile::write_words(std::uint32_t address, std::span<const std::uint32_t> words) {
  const auto bytes = std::as_bytes(words);
  return write(address, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::optional<Error> ReferenceTile::write_word(std::uint32_t address, std::uint32_t word) {
  return write_words(address, {&word, 1});
}

std::optional<Error> ReferenceTile::read(std::uint32_t address, std::span<std::uint8_t> to) {
  if (auto error = check(address, to.size())) return error;
  if (auto error = error_of(child_.ask({Operation::read, address, static_cast<std::uint32_t>(to.size())})))
    return error;
  std::memcpy(to.data(), child_.shared().data(), to.size());
  return std::nullopt;
}

std::variant<std::uint32_t, Error> ReferenceTile::read_word(std::uint32_t address) {
  std::array<std::uint8_t, 4> bytes{};
  if (auto error = read(address, bytes)) return std::move(*error);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::optional<Error> ReferenceTile::read_dst(std::uint32_t first_row, std::span<DstRow> to) {
  if (first_row + to.size() > tensix::Dst::rows)
    return Error{ErrorKind::out_of_range, fmt::format("Dst has {} rows", tensix::Dst::rows)};
  if (auto error = error_of(child_.ask({Operation::read_dst, first_row, static_cast<std::uint32_t>(to.size())})))
    return error;
  std::memcpy(to.data(), child_.shared().data(), to.size_bytes());
  return std::nullopt;
}

/// Debug registers say where NC and the TRISCs start.
static constexpr bool has_start_registers(Arch arch) {
  return on(arch, false, true);
}

std::optional<Error> ReferenceTile::set_start(CoreId core, std::uint32_t pc) {
  const std::uint32_t from = default_start(core);
  const unsigned number = static_cast<unsigned>(core);
  if (has_start_registers(arch()) && core == CoreId::ncrisc) {
    if (auto error = write_word(ncrisc_reset_pc, pc)) return error;
    return write_word(ncrisc_reset_pc_override, 1);
  }
  if (has_start_registers(arch()) && tile::is_trisc(core)) {
    if (auto error = write_word(trisc_reset_pc + 4 * (number - 1), pc)) return error;
    const auto enabled = read_word(trisc_reset_pc_override);
    if (const auto* error = std::get_if<Error>(&enabled)) return *error;
    return write_word(trisc_reset_pc_override, std::get<std::uint32_t>(enabled) | 1U << (number - 1));
  }
  if (pc == from) return std::nullopt;
  const std::array jump{rv::lui(rv::t0, (pc + 0x800U) >> 12U),
                        rv::jalr(rv::zero, rv::t0, static_cast<std::int32_t>(pc << 20U) >> 20)};
  jumps_.emplace_back(from, static_cast<std::uint32_t>(sizeof jump));
  return write_words(from, jump);
}

std::optional<Error> ReferenceTile::hold(std::uint8_t cores) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < tile::core_count; ++i)
    if ((cores >> i & 1U) != 0) bits |= tile::reset_bit(static_cast<tile::CoreId>(i));
  return write_word(tile::TileControl::soft_reset_address, bits);
}

std::optional<Error> ReferenceTile::clock(std::uint64_t clocks) {
  return error_of(child_.ask({.operation = Operation::clock, .clocks = clocks}));
}

std::variant<RunEnd, Error> ReferenceTile::run_until(std::span<const Condition> words, std::uint64_t budget) {
  for (const Condition& word : words)
    if (auto error = check(word.address, sizeof word.value)) return std::move(*error);
  if (words.size_bytes() > shared_bytes) return Error{ErrorKind::out_of_range, "too many words to wait for"};
  std::memcpy(child_.shared().data(), words.data(), words.size_bytes());
  const auto answer = child_.ask(
      {.operation = Operation::run_until, .count = static_cast<std::uint32_t>(words.size()), .clocks = budget});
  if (const auto* error = std::get_if<Error>(&answer)) return *error;
  const auto& response = std::get<Response>(answer);
  return RunEnd{response.met, response.clocks};
}

std::optional<Error> ReferenceTile::start_guests() {
  std::uint8_t t_cores = 0;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const auto core = static_cast<CoreId>(thread + 1);
    if (auto error = write_words(default_start(core), guest_program(arch(), thread))) return error;
    if (auto error = write_word(GuestLayout::doorbell(thread), 0)) return error;
    if (auto error = set_start(core, default_start(core))) return error;
    t_cores = static_cast<std::uint8_t>(t_cores | tile::bit(core));
  }
  has_guests_ = true;
  return hold(static_cast<std::uint8_t>(all_cores & ~t_cores));
}

std::optional<Error> ReferenceTile::run(const AccessLists& lists, std::uint64_t budget) {
  if (!has_guests_)
    if (auto error = start_guests()) return error;
  const auto placed = place_lists(lists);
  if (const auto* problem = std::get_if<std::string>(&placed)) return Error{ErrorKind::out_of_range, *problem};
  std::vector<Condition> done;
  for (const PlacedWords& words : std::get<std::vector<PlacedWords>>(placed)) {
    if (auto error = write_words(words.address, words.words)) return error;
    if (words.is_doorbell) done.push_back({words.address, 0});
  }
  const auto end = run_until(done, budget);
  if (const auto* error = std::get_if<Error>(&end)) return *error;
  if (std::get<RunEnd>(end).met) return std::nullopt;
  return Error{ErrorKind::timed_out, fmt::format("the lists have not come to their end within {} clocks", budget)};
}

std::optional<Error> ReferenceTile::run_words(unsigned thread, std::span<const isa::Word> words, std::uint64_t budget) {
  AccessLists lists;
  lists.at(thread).push(words);
  return run(lists, budget);
}

}  // namespace tensim::reference
