// What the host reads and writes at each kind of tile: Tensix tiles, memories, NIUs, ARC, and its own memory behind PCIe.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "device/device.hpp"
#include "device/niu.hpp"
#include "tile/devices.hpp"
#include "tile/tile_control.hpp"

namespace tensim::device {
namespace {

using noc::operator""_counter;
using tile::AccessFault;

std::optional<std::string> not_modelled() {
  return "not modelled yet";
}

std::string_view why(const tile::Answer& answer) {
  switch (answer.fault) {
    case AccessFault::none: return "it is busy";
    case AccessFault::unmapped: return "nothing that the NoC reaches is there";
    case AccessFault::misaligned: return "registers are words of four bytes";
    default: return meaning(answer.fault);
  }
}

/// Whether [address, address + bytes) is in a memory of `size` bytes.
bool fits(std::uint64_t address, std::size_t bytes, std::uint64_t size) {
  return address < size && bytes <= size - address;
}

bool is_words(std::uint64_t address, std::size_t bytes) {
  return address % 4 == 0 && bytes % 4 == 0 && fits(address, bytes, std::uint64_t{1} << 32U);
}

/// A core is out of reset or the coprocessor has work: the tile may do something, and look at L1, by itself.
bool may_act(const tile::Tile& tile) {
  return !tile.coprocessor.is_idle() || std::ranges::any_of(tile.cores, [](const riscv::Core& core) {
    return core.status != riscv::Core::Status::in_reset;
  });
}

/// A window's writes arrive marked for a response (TLBs.md: ordering mode "Default"), as one request (*assumed*: how the bus cuts
/// them depends on the host). Reads are not counted: they would have to disturb the tile that is looked at.
void count_write(tile::Niu& niu, Arch arch, std::size_t bytes) {
  niu.count("NIU_SLV_NONPOSTED_WR_REQ_STARTED"_counter);
  niu.count("NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED"_counter, noc::flits_of(arch, static_cast<std::uint32_t>(bytes)));
  niu.count("NIU_SLV_NONPOSTED_WR_REQ_RECEIVED"_counter);
  niu.count("NIU_SLV_WR_ACK_SENT"_counter);
}

}  // namespace

bool Device::host_fault(Coordinates raw, std::string text) {
  add_host_fault(raw, std::move(text));
  return false;
}

bool Device::access_fault(Coordinates raw, bool is_store, std::uint64_t address, const tile::Answer& answer) {
  return host_fault(raw, fmt::format("the host {} {:#010x}{}{}: {}", is_store ? "writes to" : "reads from", address,
                                     answer.region == nullptr ? "" : ", ",
                                     answer.region == nullptr ? "" : answer.region->name, why(answer)));
}

std::optional<Coordinates> Device::find(Coordinates given, unsigned noc, std::string_view what, std::uint64_t address) {
  const auto raw = plan().tile(given, noc);
  if (!raw)
    add_host_fault(std::nullopt, fmt::format("the host {} {:#x} of tile {},{} of NoC {}: there is no such tile", what,
                                             address, given.x, given.y, noc));
  return raw;
}

// ---- tiles with cores ----

bool Device::read_tile(Slot& slot, std::uint64_t address, std::span<std::uint8_t> to) {
  const Coordinates raw = slot.place;
  if (fits(address, to.size(), slot.tile->l1.size())) {
    catch_up();
    chip_.catch_up(slot);
    slot.tile->read(static_cast<std::uint32_t>(address), to.data(), to.size());
    if (races_ != nullptr) races_->host_read(now_, raw, address, to.size());
    return recorded(raw, address, to);
  }
  if (!is_words(address, to.size())) return access_fault(raw, false, address, {.fault = AccessFault::misaligned});
  idle_up(slot);
  for (std::size_t at = 0; at < to.size(); at += 4) {
    const tile::Answer answer = slot.tile->read_register(static_cast<std::uint32_t>(address + at));
    if (!answer.is_done()) return access_fault(raw, false, address + at, answer);
    std::memcpy(to.data() + at, &answer.value, sizeof answer.value);
    slot.is_idle = false;  // a load may take something away
  }
  if (races_ != nullptr) races_->host_read(now_, raw, address, to.size());
  return recorded(raw, address, to);
}

bool Device::write_tile(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc) {
  Slot& slot = touch(raw);
  if (fits(address, from.size(), slot.tile->l1.size())) {
    if (recorder != nullptr) recorder->wrote(now_, raw, address, from);
    idle_up(slot);
    if (may_act(*slot.tile)) slot.is_idle = false;
    slot.tile->write(static_cast<std::uint32_t>(address), from.data(), from.size());
    if (races_ != nullptr) races_->host_wrote(now_, raw, address, from.size());
    count_write(slot.tile->devices.nius.niu[noc], arch(), from.size());
    return true;
  }
  if (!is_words(address, from.size())) return access_fault(raw, true, address, {.fault = AccessFault::misaligned});
  idle_up(slot);
  for (; !from.empty(); from = from.subspan(4), address += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, from.data(), sizeof value);
    if (!write_register(slot, static_cast<std::uint32_t>(address), value)) return false;
    count_write(slot.tile->devices.nius.niu[noc], arch(), sizeof value);
  }
  return true;
}

bool Device::write_register(Slot& slot, std::uint32_t address, std::uint32_t value) {
  if (recorder != nullptr) {
    if (address == tile::TileControl::soft_reset_address && plan().has_tensix(slot.place))
      recorder->reset(now_, slot.place, slot.tile->devices.control.soft_reset(), value);
    else
      recorder->wrote(now_, slot.place, address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
  }
  slot.is_idle = false;
  if (races_ != nullptr) races_->host_wrote(now_, slot.place, address, sizeof value);
  const tile::Answer answer = slot.tile->write_register(address, value);
  if (!answer.is_done()) return access_fault(slot.place, true, address, answer);
  const bool had_fault = slot.has_fault;
  look_for_fault(slot);
  // Time stood still in a tile with a fault. If nothing in it could have acted, it has missed nothing.
  if (had_fault && !slot.has_fault && !may_act(*slot.tile)) slot.tile->idle_until(now_);
  return true;
}

// ---- the others ----

/// The memory behind [address, address + bytes) of a DRAM tile; null if there is none.
chip::SparseMemory* Device::dram_of(Coordinates raw, std::uint64_t address, std::size_t bytes) {
  if (plan().is_off(raw) || plan().kind(raw) != TileKind::dram || !fits(address, bytes, noc::memory_bytes(arch())))
    return nullptr;
  catch_up();
  return &chip_.dram().memory(plan().bank(raw));
}

bool Device::done(Coordinates raw, std::string_view what, std::uint64_t address,
                  const std::optional<std::string>& why) {
  if (!why) return true;
  return host_fault(
      raw, fmt::format("the host {} {:#x} of a tile of kind {}: {}", what, address, name(plan().kind(raw)),
                       plan().is_off(raw) ? "it is off (harvested), and nothing of it but its NIUs answers" : *why));
}

/// Records a reply to the host. Always true, for callers to return.
bool Device::recorded(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> reply) {
  if (recorder != nullptr) recorder->read(now_, raw, address, reply);
  return true;
}

/// Reads a register of an NIU; false if the address is not one that can be read.
bool Device::read_niu(Coordinates raw, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc) const {
  const auto place = niu_place(plan(), raw, noc, address);
  const auto value = place && to.size() == sizeof(std::uint32_t) ? niu_register(plan(), raw, *place) : std::nullopt;
  if (!value) return false;
  std::memcpy(to.data(), &*value, sizeof *value);
  return true;
}

bool Device::read_other(Coordinates raw, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc) {
  if (read_niu(raw, address, to, noc)) return true;
  if (const chip::SparseMemory* memory = dram_of(raw, address, to.size())) {
    memory->read(address, to);
    return recorded(raw, address, to);
  }
  if (raw == plan().arc())
    return done(raw, "reads from", address, arc_.read(address, to)) && recorded(raw, address, to);
  // What is in the host's memory is not the device's doing, and not recorded.
  const bool is_host = raw == plan().pcie() && host != nullptr;
  return done(raw, "reads from", address, is_host ? host->read_host(address, to) : not_modelled());
}

bool Device::write_other(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from) {
  const bool is_host = raw == plan().pcie() && host != nullptr;
  if (is_host) return done(raw, "writes to", address, host->write_host(address, from));
  chip::SparseMemory* const memory = dram_of(raw, address, from.size());
  if (memory == nullptr && raw != plan().arc()) return done(raw, "writes to", address, not_modelled());
  if (recorder != nullptr) recorder->wrote(now_, raw, address, from);
  if (memory == nullptr) return done(raw, "writes to", address, arc_.write(address, from));
  memory->write(address, from);
  if (races_ != nullptr) races_->host_wrote(now_, raw, address, from.size());
  return true;
}

// ---- what guests reach ----

std::optional<std::string> Device::read_outside(Coordinates tile, std::uint64_t address, std::span<std::uint8_t> to) {
  if (tile == plan().arc()) return arc_.read(address, to);
  if (tile != plan().pcie() || host == nullptr) return "no host is behind this tile";
  auto why = host->read_host(address, to);
  if (!why && recorder != nullptr) recorder->host_gave(address, to);
  return why;
}

std::optional<std::string> Device::write_outside(Coordinates tile, std::uint64_t address,
                                                 std::span<const std::uint8_t> from) {
  if (tile == plan().arc()) return arc_.write(address, from);
  if (tile != plan().pcie() || host == nullptr) return "no host is behind this tile";
  return host->write_host(address, from);
}

bool Device::read_anywhere(Coordinates given, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc) {
  const auto raw = find(given, noc, "reads from", address);
  if (!raw) return false;
  if (!plan().has_cores(*raw)) return read_other(*raw, address, to, noc);
  last_.given = given;
  last_.noc = noc;
  last_.slot = &touch(*raw);
  return read_tile(*last_.slot, address, to);
}

bool Device::write_raw(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc) {
  return plan().has_cores(raw) ? write_tile(raw, address, from, noc) : write_other(raw, address, from);
}

bool Device::write(Coordinates given, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc) {
  const auto raw = find(given, noc, "writes to", address);
  return raw && write_raw(*raw, address, from, noc);
}

bool Device::multicast(const Rectangle& tiles, std::uint64_t address, std::span<const std::uint8_t> from,
                       unsigned noc) {
  auto start = find(tiles.start, noc, "writes to", address);
  auto end = find(tiles.end, noc, "writes to", address);
  if (!start || !end) return false;
  if (noc == 1) std::swap(start, end);  // it flows the other way
  const auto next = [](std::uint32_t at, unsigned size) { return (at + 1) % size; };
  bool is_written = true;
  for (std::uint32_t y = start->y;; y = next(y, plan().height())) {
    for (std::uint32_t x = start->x;; x = next(x, plan().width())) {
      if (plan().has_tensix({x, y})) is_written = write_tile({x, y}, address, from, noc) && is_written;
      if (x == end->x) break;
    }
    if (y == end->y) break;
  }
  return is_written;
}

}  // namespace tensim::device
