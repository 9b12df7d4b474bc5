#include "debug/memory.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace tensim::debug {
namespace {

using tile::CoreId;
using tile::Tile;
using Kind = Region::Kind;

// A device's word costs a copy of all devices; gdb asks again for the rest.
constexpr std::size_t most_device_words = 64;

/// The plain memory behind a region; empty if a device answers there.
template <class AnyTile>
auto plain_memory(AnyTile& tile, CoreId core, const Region& region) {
  using Bytes = std::span<std::conditional_t<std::is_const_v<AnyTile>, const std::uint8_t, std::uint8_t>>;
  switch (region.kind) {
    case Kind::l1: return Bytes(tile.l1);
    case Kind::iram: return Bytes(tile.iram);
    case Kind::local_ram: return Bytes(tile.core(core).local_ram).first(tile.core(core).local_bytes);
    case Kind::local_ram_slow:
      return Bytes(tile.cores[region.index].local_ram).first(tile.cores[region.index].local_bytes);
    default: return Bytes();
  }
}

void add_queued_stores(const riscv::Core& core, std::uint32_t address, std::span<char> bytes) {
  for (unsigned i = 0; i < core.stores.size(); ++i) {
    const riscv::QueuedStore& store = core.stores[i];
    if (store.target != riscv::Target::l1) continue;
    for (unsigned at = 0; at < riscv::QueuedStore::block_bytes; ++at) {
      const std::uint64_t place = std::uint64_t{store.address} + at - address;
      if ((store.mask >> at & 1U) != 0 && place < bytes.size()) bytes[place] = static_cast<char>(store.bytes[at]);
    }
  }
}

/// The word that the core would load, asked of copies.
std::optional<std::uint32_t> device_word(const Tile& tile, CoreId core, std::uint32_t address) {
  tile::Devices devices = tile.devices;
  tensix::Coprocessor coprocessor = tile.coprocessor;
  const tile::Answer answer =
      load(devices, coprocessor, {.core = core, .address = address, .origin = 0, .cycle = tile.now()});
  if (!answer.is_done()) return std::nullopt;
  return answer.value;
}

std::string read_device(const Tile& tile, CoreId core, std::uint32_t address, std::size_t bytes) {
  std::string read;
  for (std::size_t words = 0; words < most_device_words && read.size() < bytes; ++words) {
    const auto at = static_cast<std::uint32_t>(address + read.size());
    const auto word = device_word(tile, core, at & ~3U);
    if (!word) break;
    for (std::uint32_t byte = at & 3U; byte < 4 && read.size() < bytes; ++byte)
      read.push_back(static_cast<char>(*word >> (8 * byte)));
  }
  return read;
}

bool is_device(Kind kind) {
  return kind != Kind::pc_snapshot;  // that is the tile's own, and has no host side
}

/// A store of the cycle before the one to come.
bool write_device_word(Tile& tile, CoreId core, std::uint32_t address, std::uint32_t value) {
  const tile::Cycle cycle = std::max<tile::Cycle>(tile.now(), 1) - 1;
  return store(tile.devices, tile.coprocessor,
               {.core = core, .is_store = true, .address = address, .value = value, .origin = 0, .cycle = cycle})
      .is_done();
}

bool write_device(Tile& tile, CoreId core, const Region& region, std::uint32_t address, std::string_view bytes) {
  if (address % 4 != 0 || bytes.size() % 4 != 0) return false;
  // What they do to cores happens inside the tile's cycle alone.
  if (region.kind == Kind::tile_control || region.kind == Kind::pc_snapshot) return false;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (!write_device_word(tile, core, static_cast<std::uint32_t>(address + at), value)) return false;
  }
  return true;
}

}  // namespace

std::string read_memory(const Tile& tile, CoreId core, std::uint32_t address, std::size_t bytes) {
  const Region* region = find_region(tile.arch, tile.devices.view_of(core), address);
  if (region == nullptr || bytes == 0) return "";
  const std::uint32_t offset = address - region->base;
  bytes = std::min<std::size_t>(bytes, region->size_bytes - offset);
  const auto memory = plain_memory(tile, core, *region);
  if (memory.empty()) return is_device(region->kind) ? read_device(tile, core, address, bytes) : "";
  if (offset >= memory.size()) return "";
  const auto part = memory.subspan(offset, std::min(bytes, memory.size() - offset));
  std::string read(part.begin(), part.end());
  if (region->kind == Kind::l1) add_queued_stores(tile.core(core), address, read);
  return read;
}

bool write_memory(Tile& tile, CoreId core, std::uint32_t address, std::string_view bytes) {
  if (bytes.empty()) return true;
  const Region* region = find_region(tile.arch, tile.devices.view_of(core), address);
  if (region == nullptr) return false;
  const std::uint32_t offset = address - region->base;
  if (bytes.size() > region->size_bytes - offset) return false;
  const auto memory = plain_memory(tile, core, *region);
  if (memory.empty()) return write_device(tile, core, *region, address, bytes);
  if (offset + bytes.size() > memory.size()) return false;
  if (region->kind == Kind::l1)
    return tile.write(address, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::memcpy(memory.data() + offset, bytes.data(), bytes.size());
  return true;
}

bool is_private(Arch arch, CoreId core, std::uint32_t address) {
  const Region* region = find_region(arch, bit(core), address);
  return region != nullptr && (region->kind == Kind::local_ram || region->kind == Kind::iram);
}

}  // namespace tensim::debug
