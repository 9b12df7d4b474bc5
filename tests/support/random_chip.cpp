#include "tests/support/random_chip.hpp"

#include <algorithm>
#include <tuple>

#include "arch/sizes.hpp"
#include "noc/ends.hpp"
#include "tile/tile_control.hpp"

namespace tensim::test {

using noc::Coordinates;
using noc::operator""_counter;
using noc::operator""_niu;
using tile::CoreId;
using time::Cycle;

namespace {

constexpr std::uint32_t brisc_at = 0x4000;
constexpr std::uint32_t ncrisc_at = 0x8000;
constexpr std::uint32_t counted_at = 0x13000;  // what victims count, a line for each core
constexpr std::uint32_t lines_at = 0x14000;    // lines of code that can take another's place
constexpr unsigned lines = 16;
constexpr std::uint32_t linked_bit = 1U << 6U;
constexpr std::uint32_t static_bit = 1U << 7U;
constexpr std::uint32_t marked_bit = 1U << 4U;
constexpr std::uint32_t mask_bit = 1U << 2U;

constexpr std::array<std::uint32_t, tile::core_count> reset_pcs{
    size_of_both("reset_pc_b"_size), size_of_both("reset_pc_t0"_size), size_of_both("reset_pc_t1"_size),
    size_of_both("reset_pc_t2"_size), size_of_both("reset_pc_nc"_size)};
constexpr std::array<unsigned, tile::core_count> reset_bits{11, 12, 13, 14, 18};

void put(tile::Tile& tile, std::uint32_t at, const std::vector<rv::Word>& words) {
  tile.write(at, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
}

}  // namespace

RandomChip::RandomChip(Arch arch, unsigned seed, Ending ending) : plan_(arch), random_(seed), ending_(ending) {
  for (unsigned y = 0; y < plan_.height(); ++y)
    for (unsigned x = 0; x < plan_.width(); ++x)
      if (plan_.has_tensix({x, y})) all_.push_back({x, y});
  const unsigned wanted = 2 + below(4);
  for (unsigned i = 0; i < wanted; ++i) {  // some of them near each other
    const Coordinates near = i != 0 && one_in(2) ? Coordinates{tiles_[0].x + 1, tiles_[0].y} : Coordinates{};
    tiles_.push_back(plan_.has_tensix(near) ? near : all_[below(static_cast<unsigned>(all_.size()))]);
  }
  for (const Coordinates tile : tiles_) {
    if (!one_in(4)) programs_.push_back({tile, CoreId::brisc, brisc_at, program(tile, 0)});
    if (!one_in(3)) programs_.push_back({tile, CoreId::ncrisc, ncrisc_at, program(tile, 1)});
    for (const CoreId core : {CoreId::trisc0, CoreId::trisc1, CoreId::trisc2})
      if (one_in(2) && ending == Ending::stays)
        programs_.push_back({tile, core, reset_pcs[static_cast<unsigned>(core)], {}});
  }
}

std::unique_ptr<chip::Chip> RandomChip::chip() const {
  auto made = std::make_unique<chip::Chip>(plan_);
  RandomChip victims = *this;
  for (const Coordinates place : tiles_) {  // where cores come out of reset
    tile::Tile& tile = *made->touch(place).tile;
    for (unsigned core = 0; core < tile::core_count; ++core)
      put(tile, reset_pcs[core], victims.victim(static_cast<CoreId>(core)));
    for (unsigned line = 0; line < lines; ++line)
      put(tile, lines_at + 16 * line, std::vector<rv::Word>(4, rv::addi(rv::t3, rv::t3, static_cast<int>(2 + line))));
  }
  for (const Placed& placed : programs_) {
    chip::Slot& slot = made->touch(placed.tile);
    put(*slot.tile, placed.at, placed.words);
    slot.tile->release(placed.core, placed.at);
    slot.is_idle = false;
  }
  return made;
}

std::vector<HostWrite> RandomChip::host_writes(Cycle end) {
  std::vector<HostWrite> writes(below(10));
  for (HostWrite& write : writes) {
    write = {.cycle = 1 + below(static_cast<unsigned>(end) - 1),
             .tile = any_tile(),
             .address = 0x10000 + 4 * below(0x500),
             .value = static_cast<std::uint32_t>(random_()),
             .is_register = one_in(4)};
    if (write.is_register) {
      write.address = tile::TileControl::soft_reset_address;
      write.value = reset_value();
    } else if (one_in(4)) {
      write.address = reset_pcs[below(2)] + 4 * below(8);
      write.value = rv::addi(rv::t3, rv::t3, static_cast<int>(below(100)));
    }
  }
  std::ranges::sort(writes, {}, [](const HostWrite& write) {
    return std::tuple(write.cycle, write.tile.y, write.tile.x, write.address, write.value);
  });
  return writes;
}

void RandomChip::act(chip::Chip& chip, const HostWrite& write) {
  chip::Slot& slot = chip.touch(write.tile);
  slot.tile->settle();
  slot.tile->idle_until(chip.now());
  if (write.is_register)
    slot.tile->write_register(write.address, write.value);
  else
    slot.tile->write(write.address, reinterpret_cast<const std::uint8_t*>(&write.value), sizeof write.value);
  slot.is_idle = false;
}

Coordinates RandomChip::bank(unsigned noc) {
  const Coordinates tile = plan_.bank_tiles(below(plan_.bank_count()))[below(3)];
  return plan_.arch() == Arch::wormhole ? plan_.on_noc(tile, noc) : plan_.translated(tile);
}

/// Mostly the T cores; the others run what the test is about.
std::uint32_t RandomChip::reset_value() {
  std::uint32_t held = 0;
  for (unsigned core = 0; core < tile::core_count; ++core) {
    const bool is_t_core = tile::is_trisc(static_cast<CoreId>(core));
    if (one_in(is_t_core ? 2 : 12)) held |= 1U << reset_bits[core];
  }
  return held;
}

/// What a core runs when it comes out of reset: it counts; or waits for something to change, and counts that.
std::vector<rv::Word> RandomChip::victim(CoreId core) {
  NocProgram code(plan_);
  const auto line = static_cast<int>(64 * static_cast<unsigned>(core));
  if (core == CoreId::trisc1 || core == CoreId::trisc2) {
    code.set(rv::t0, core == CoreId::trisc1 ? 0x10000 + 64 * 3 : code.counter("NIU_SLV_REQ_ACCEPTED"_counter));
    code.add(rv::lw(rv::t1, rv::t0, 0));
    code.add(rv::beq(rv::t1, rv::t2, -4));
    code.add(rv::addi(rv::t2, rv::t1, 0));
  } else {
    for (unsigned i = 0; i < 8; ++i)
      code.add(rv::addi(rv::t3, rv::t3, 1));
  }
  code.add(rv::addi(rv::t3, rv::t3, 1));
  code.add(rv::lui(rv::t4, counted_at >> 12U));
  code.add(rv::sw(rv::t3, rv::t4, line));
  code.add(rv::lui(rv::t4, 0xFFB00));  // local RAM
  code.add(rv::sw(rv::t3, rv::t4, 16));
  code.add(rv::jal(rv::zero, -4 * static_cast<int>(code.words().size())));
  return code.words();
}

// ---- programs ----

std::vector<rv::Word> RandomChip::program(Coordinates own, unsigned noc) {
  Draft draft{.code = NocProgram(plan_, noc), .noc = noc, .own = plan_.translated(own)};
  NocProgram& code = draft.code;
  for (unsigned left = 3 + below(10); left != 0 && !draft.is_broken; --left) {
    auto deed = static_cast<RandomDeed>(below(static_cast<unsigned>(RandomDeed::count)));
    if (deed == RandomDeed::reset && !one_in(2)) deed = RandomDeed::write;
    ++deeds_[static_cast<std::size_t>(deed)];
    code.use(below(noc::command_buffers));
    add(draft, deed);
    if (one_in(4)) code.wait(code.counter("NIU_MST_RD_RESP_RECEIVED"_counter), draft.read);
  }
  code.wait(code.counter("NIU_MST_WR_ACK_RECEIVED"_counter), draft.acknowledged);
  code.wait(code.counter("NIU_MST_RD_RESP_RECEIVED"_counter), draft.read);
  code.wait(code.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), draft.added);
  if (ending_ == Ending::beats && noc == 0) beat(code);
  code.stay();
  return code.words();
}

/// What it counts, it stores to a line of its own in every round; what it polls, others write to.
void RandomChip::beat(NocProgram& code) {
  code.set(rv::t0, any_data());
  code.set(rv::t1, counted_at);
  const auto start = code.words().size();
  code.add(rv::lw(rv::t2, rv::t0, 0));
  code.add(rv::addi(rv::t3, rv::t3, 1 + static_cast<int>(below(7))));
  code.add(rv::slli(rv::t4, rv::t3, static_cast<int>(below(20))));
  for (unsigned left = below(6); left != 0; --left)
    code.add(rv::addi(rv::zero, rv::zero, 0));
  code.add(one_in(3) ? rv::sb(rv::t4, rv::t1, 1) : rv::sw(rv::t4, rv::t1, 0));
  const auto back = [&] { return -4 * static_cast<int>(code.words().size() - start); };
  code.add(rv::beq(rv::t2, rv::t5, back()));
  code.add(rv::addi(rv::t5, rv::t2, 0));  // it has changed
  code.add(rv::jal(rv::zero, back()));
}

void RandomChip::add(Draft& draft, RandomDeed deed) {
  switch (deed) {
    case RandomDeed::write: return write(draft, name_of_any(), ctrl_write);
    case RandomDeed::posted_write: return write(draft, name_of_any(), ctrl_posted_write);
    case RandomDeed::masked_write: return masked_write(draft);
    case RandomDeed::read: return read(draft, name_of_any(), ctrl_read);
    case RandomDeed::register_read: return register_read(draft);
    case RandomDeed::atomic: return atomic(draft, name_of_any(), one_in(8) ? ctrl_atomic & ~marked_bit : ctrl_atomic);
    case RandomDeed::multicast: return multicast(draft);
    case RandomDeed::linked: return linked(draft);
    case RandomDeed::memory: return memory(draft);
    case RandomDeed::stream: return stream(draft);
    case RandomDeed::reset:
      return write_register(draft, name_of_any(), tile::TileControl::soft_reset_address, reset_value());
    case RandomDeed::code: return write_code(draft);
    default: return draft.code.store(0x10000 + 4 * below(1024), static_cast<std::uint32_t>(random_()));
  }
}

void RandomChip::write(Draft& draft, Coordinates to, std::uint32_t ctrl) {
  const bool is_long = one_in(16);
  draft.code.target(draft.own, any_data());
  draft.code.back(to, any_data());
  draft.code.go(ctrl, is_long ? 20'000 : 16 * (1 + below(60)));
  if ((ctrl & marked_bit) != 0) draft.acknowledged += is_long ? 1 + 20'000 / noc::packet_bytes(plan_.arch()) : 1;
}

void RandomChip::masked_write(Draft& draft) {
  draft.code.target(draft.own, any_data());
  draft.code.back(name_of_any(), any_data());
  draft.code.go(ctrl_write | mask_bit, static_cast<std::uint32_t>(random_()));
  ++draft.acknowledged;
}

void RandomChip::read(Draft& draft, Coordinates from, std::uint32_t ctrl) {
  draft.code.target(from, any_data());
  draft.code.back(draft.own, any_data());
  draft.code.go(ctrl, 16 * (1 + below(60)));
  ++draft.read;
}

/// Of registers that show what time it is, or what cores have that is their own.
void RandomChip::register_read(Draft& draft) {
  constexpr std::uint32_t wall_clock = 0xFFB1'21F0;
  constexpr std::array<std::uint32_t, 4> of_blackhole{0xFFB1'3138, 0xFFB1'3140, 0xFFB1'8010, 0xFFB1'A010};
  const bool has_more = plan_.arch() == Arch::blackhole && !one_in(3);
  draft.code.target(name_of_any(), has_more ? of_blackhole[below(4)] : wall_clock);
  draft.code.back(draft.own, any_data() + 8 * below(2));
  draft.code.go(ctrl_read, 4);
  ++draft.read;
}

std::uint32_t RandomChip::atomic_opcode() {
  constexpr std::array<std::uint32_t, 8> both{0x107C, 0x101C, 0x4000, 0x4284, 0x3154, 0x32A8, 0x6004, 0x7000};
  constexpr std::array<std::uint32_t, 8> of_blackhole{0xA300, 0xA800, 0xA900, 0xAC00, 0xAF00, 0x9004, 0x9000, 0x9007};
  if (plan_.arch() == Arch::blackhole && one_in(2)) return of_blackhole[below(8)];
  return both[below(8)];
}

void RandomChip::atomic(Draft& draft, Coordinates to, std::uint32_t ctrl) {
  draft.code.target(to, any_data() + 4 * below(4));
  draft.code.back(draft.own, any_data());
  draft.code.go(ctrl, atomic_opcode(), 1 + below(9));
  if ((ctrl & marked_bit) != 0) ++draft.added;
}

void RandomChip::multicast(Draft& draft) {
  const Coordinates corner = any_tile();
  const Coordinates last{std::min(corner.x + below(3), plan_.width() - 1),
                         std::min(corner.y + below(3), plan_.height() - 1)};
  if (!plan_.has_tensix(last)) return;
  Coordinates start = plan_.translated(corner);
  Coordinates end = plan_.translated(last);
  if (draft.noc == 1) std::swap(start, end);  // it flows the other way
  noc::Broadcast broadcast{.tiles = {start, end}, .includes_source = one_in(2)};
  std::uint32_t exclude = 0;
  if (plan_.arch() == Arch::blackhole && one_in(3)) {
    const Coordinates own = plan_.on_noc(corner, draft.noc);
    broadcast.excluded = noc::Quadrant{.corner = own, .is_upward_x = one_in(2), .is_upward_y = one_in(2)};
    exclude = own.x << 8U | own.y << 14U | (broadcast.excluded->is_upward_x ? 1U : 0U) << 20U |
              (broadcast.excluded->is_upward_y ? 1U : 0U) << 21U | 1U << 22U;
  }
  const Coordinates initiator = *plan_.tile(draft.own);
  auto receivers = *noc::rectangle_tiles(plan_, {initiator, draft.noc}, &plan_.translation(draft.noc), broadcast);
  std::erase_if(receivers, [&](Coordinates tile) { return !plan_.has_tensix(tile); });
  if (receivers.empty()) return;
  if (plan_.arch() == Arch::blackhole) draft.code.store(draft.code.reg("NOC_BRCST_EXCLUDE"_niu), exclude);
  const std::uint32_t ctrl = ctrl_multicast_write | (broadcast.includes_source ? 1U << 17U : 0) |
                             (one_in(3) ? 1U << 16U : 0) | (one_in(2) ? 1U << 13U : 0);
  const auto count = static_cast<unsigned>(receivers.size());
  if (one_in(4)) {
    draft.code.target(end, any_data(), start);
    draft.code.back(draft.own, any_data());
    draft.code.go((ctrl & ~3U) | 1U, atomic_opcode(), 1 + below(9));
    draft.added += count;
    return;
  }
  draft.code.target(draft.own, any_data());
  draft.code.back(end, any_data(), start);
  const unsigned more = one_in(2) ? 0 : 1 + below(3);  // linked
  for (unsigned i = 0; i < more; ++i)
    draft.code.go(ctrl | linked_bit, 16 * (1 + below(60)));
  draft.code.go(ctrl, 16 * (1 + below(60)));
  draft.acknowledged += count * (1 + more);
}

/// A transaction of several requests; now and then one that is never ended.
void RandomChip::linked(Draft& draft) {
  const Coordinates to = name_of_any();
  const std::uint32_t dynamic = one_in(3) ? static_bit : 0;
  for (unsigned left = 1 + below(4);; --left) {
    const std::uint32_t flags = left == 0 ? 0 : linked_bit;
    switch (below(3)) {
      case 0: write(draft, to, (ctrl_write & ~dynamic) | flags); break;
      case 1: read(draft, to, (ctrl_read & ~dynamic) | flags); break;
      default: atomic(draft, to, (ctrl_atomic & ~dynamic) | flags);
    }
    if (left == 0) return;
    if (one_in(40)) draft.is_broken = true;
    if (draft.is_broken) return;
  }
}

void RandomChip::memory(Draft& draft) {
  const std::uint32_t address = 64 * below(512);
  const std::uint32_t bytes = 16 * (1 + below(60));
  if (one_in(2)) {
    draft.code.target(draft.own, any_data());
    draft.code.back(bank(draft.noc), address);
    draft.code.go(ctrl_write, bytes);
    ++draft.acknowledged;
  } else {
    draft.code.target(bank(draft.noc), address);
    draft.code.back(draft.own, any_data());
    draft.code.go(ctrl_read, bytes);
    ++draft.read;
  }
}

void RandomChip::write_register(Draft& draft, Coordinates to, std::uint32_t address, std::uint32_t value) {
  draft.code.target(to, address);
  draft.code.go(ctrl_inline_write, 0xF, value);
  ++draft.acknowledged;
}

/// Counters of circular buffers, and the register that adds to one of them; or those of the own tile are looked at.
void RandomChip::stream(Draft& draft) {
  const bool is_wormhole = plan_.arch() == Arch::wormhole;
  const std::uint32_t stream = 0xFFB4'0000 + 0x1000 * below(4);
  const std::uint32_t size = is_wormhole ? 0x10 : 0x28;
  const std::uint32_t available = is_wormhole ? 0x100 : 0x4A4;
  const std::uint32_t update = is_wormhole ? 0x88 : 0x438;
  switch (below(3)) {
    case 0: return write_register(draft, name_of_any(), stream + size, below(1U << 17U));
    case 1: return write_register(draft, name_of_any(), stream + update, (1 + below(9)) << 6U);
    default: draft.code.copy(stream + available, any_data());
  }
}

/// Into what another core runs.
void RandomChip::write_code(Draft& draft) {
  const std::uint32_t to = reset_pcs[one_in(4) ? 0 : 1] + 16 * below(2);
  draft.code.target(draft.own, lines_at + 16 * below(lines));
  draft.code.back(name_of_any(), to);
  draft.code.go(ctrl_write, 16);
  ++draft.acknowledged;
}

}  // namespace tensim::test
