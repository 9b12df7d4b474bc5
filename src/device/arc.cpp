#include "device/arc.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "device/niu.hpp"

namespace tensim::device {
namespace {

using Map = ArcMap;

constexpr std::uint32_t word = sizeof(std::uint32_t);
constexpr std::uint32_t interrupt = 1U << 16U;  // in the control register: a message waits

/// Registers that keep what is written.
struct Kept {
  std::uint32_t first;
  std::uint32_t count;
};
constexpr std::uint32_t scratch_ram = 0x3'0400;  // Blackhole
constexpr std::array wormhole_kept{Kept{Map::scratch, 8}, Kept{Map::control, 1}};
constexpr std::array blackhole_kept{Kept{Map::scratch, 8}, Kept{Map::control, 1}, Kept{scratch_ram, 64}};

/// Registers that are not 0 when firmware is up.
struct Register {
  std::uint32_t offset;
  std::uint32_t value;
};
constexpr std::uint32_t wormhole_tags_pointer = 0x3'01D0;    // read-only here; named NOC_NODEID_X_0
constexpr std::uint32_t wormhole_values_pointer = 0x3'01D4;  // NOC_NODEID_Y_0
constexpr std::array wormhole_up{
    Register{Map::scratch, 0xC0DE'0001},  // post code: initialised
    Register{wormhole_tags_pointer, Map::memory_base + Map::tags},
    Register{wormhole_values_pointer, Map::memory_base + Map::values},
};
constexpr std::array blackhole_up{
    Register{scratch_ram + 2 * word, 0x5},  // boot status: started, ready for messages
    Register{scratch_ram + 11 * word, Map::memory_base + Map::queue_block},
    Register{scratch_ram + 12 * word, Map::memory_base + Map::values},
    Register{scratch_ram + 13 * word, Map::memory_base + Map::tags},
};

// Wormhole's messages: words of the scratch registers.
constexpr std::uint32_t scratch_argument = Map::scratch + 3 * word;  // and the answer
constexpr std::uint32_t scratch_status = Map::scratch + 5 * word;    // the message's code; then that it is done
constexpr std::uint32_t not_recognised = 0xFFFF'FFFF;

// Wormhole's telemetry before there were tags: words in memory, of which the firmware's version is one.
constexpr std::uint32_t legacy_telemetry = 0x7'8D60;
constexpr std::uint32_t legacy_firmware_bundle = 49;
constexpr std::uint32_t legacy_alias = 0x2000'0000;  // where tt-umd reads it; that it is the same memory is *assumed*

/// Blackhole's queues: a header, requests, answers. Pointers go round at twice the number of entries.
struct Queue {
  static constexpr std::uint32_t count = 4;
  static constexpr std::uint32_t entries = 8;
  static constexpr std::uint32_t entry_bytes = 32;
  static constexpr std::uint32_t header_bytes = 32;
  static constexpr std::uint32_t bytes = header_bytes + 2 * entries * entry_bytes;
  // In the header:
  static constexpr std::uint32_t request_write = 0;
  static constexpr std::uint32_t request_read = 4 * word;
  static constexpr std::uint32_t answer_write = 5 * word;
  static constexpr std::uint32_t status_not_recognised = 0xFF;
};

std::uint32_t load(const SparseMemory& memory, std::uint32_t address) {
  std::uint32_t value = 0;
  memory.read(address, {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
  return value;
}

void store(SparseMemory& memory, std::uint32_t address, std::uint32_t value) {
  memory.write(address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

std::span<const Kept> kept(Arch arch) {
  return on<std::span<const Kept>>(arch, wormhole_kept, blackhole_kept);
}

std::span<const Register> up(Arch arch) {
  return on<std::span<const Register>>(arch, wormhole_up, blackhole_up);
}

bool is_kept(Arch arch, std::uint32_t offset) {
  return std::ranges::any_of(
      kept(arch), [offset](const Kept& row) { return offset >= row.first && offset < row.first + row.count * word; });
}

/// Where in [base, base + size) the access is.
std::optional<std::uint32_t> within(std::uint64_t address, std::size_t bytes, std::uint64_t base, std::uint64_t size) {
  if (address < base || address - base >= size || bytes > size - (address - base)) return std::nullopt;
  return static_cast<std::uint32_t>(address - base);
}

constexpr bool has_legacy_alias(Arch arch) {
  return on(arch, true, false);
}

std::optional<std::uint32_t> in_memory(Arch arch, std::uint64_t address, std::size_t bytes) {
  const std::uint64_t base = arc_noc_base(arch);
  const auto at = within(address, bytes, base + Map::memory_base, Map::memory_bytes);
  return at || !has_legacy_alias(arch) ? at : within(address, bytes, base + legacy_alias, Map::memory_bytes);
}

std::optional<std::uint32_t> in_registers(Arch arch, std::uint64_t address, std::size_t bytes) {
  if (address % word != 0 || bytes % word != 0) return std::nullopt;
  return within(address, bytes, arc_noc_base(arch) + Map::registers_base, Map::registers_bytes);
}

constexpr const char* nothing_there = "not modelled yet";

std::optional<std::string> message_fault(std::uint8_t code) {
  return fmt::format("message {:#04x} to firmware: not modelled yet", code);
}

}  // namespace

std::uint64_t arc_noc_base(Arch arch) {
  return on<std::uint64_t>(arch, 0x8'0000'0000, 0);
}

Arc::Arc(const noc::FloorPlan& plan) : arch_(plan.arch()), plan_(plan) {
  for (const Register& row : up(arch_))
    store(registers_, row.offset, row.value);
  const std::vector<Telemetry> rows = telemetry(plan_);
  store(memory_, Map::tags, 1);  // version
  store(memory_, Map::tags + word, static_cast<std::uint32_t>(rows.size()));
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    store(memory_, Map::tags + (2 + i) * word, rows[i].tag | i << 16U);
    store(memory_, Map::values + i * word, rows[i].value);
  }
  store(memory_, legacy_telemetry + legacy_firmware_bundle * word, firmware_bundle);
  store(memory_, Map::queue_block, Map::memory_base + Map::queues);
  store(memory_, Map::queue_block + word, Queue::entries | Queue::count << 8U);
  set_aiclk(arc_clocks(arch_).idle);
}

void Arc::set_aiclk(std::uint32_t megahertz) {
  aiclk_ = megahertz;
  const std::vector<Telemetry> rows = telemetry(plan_);
  const auto index = std::ranges::find(rows, aiclk_tag, &Telemetry::tag) - rows.begin();
  store(memory_, Map::values + static_cast<std::uint32_t>(index) * word, megahertz);
}

// ---- accesses ----

std::optional<std::uint32_t> Arc::read_register(std::uint32_t offset) const {
  if (is_kept(arch_, offset)) return load(registers_, offset);
  for (const Register& row : up(arch_))
    if (row.offset == offset) return row.value;
  for (unsigned noc = 0; noc < noc::noc_count; ++noc)
    if (const auto at = within(offset, word, Map::niu + noc * Map::niu_stride, Map::niu_stride))
      return niu_register(plan_, plan_.arc(), {noc, *at});
  return std::nullopt;
}

std::optional<std::string> Arc::write_register(std::uint32_t offset, std::uint32_t value) {
  if (!is_kept(arch_, offset)) return nothing_there;
  store(registers_, offset, value);
  if (offset != Map::control || (value & interrupt) == 0) return std::nullopt;
  store(registers_, Map::control, value & ~interrupt);
  return (this->*on(arch_, &Arc::answer_scratch, &Arc::answer_queues))();
}

std::optional<std::string> Arc::read(std::uint64_t address, std::span<std::uint8_t> to) const {
  if (const auto at = in_memory(arch_, address, to.size())) {
    memory_.read(*at, to);
    return std::nullopt;
  }
  auto at = in_registers(arch_, address, to.size());
  if (!at) return nothing_there;
  for (; !to.empty(); to = to.subspan(word), *at += word) {
    const auto value = read_register(*at);
    if (!value) return nothing_there;
    std::memcpy(to.data(), &*value, word);
  }
  return std::nullopt;
}

std::optional<std::string> Arc::write(std::uint64_t address, std::span<const std::uint8_t> from) {
  if (const auto at = in_memory(arch_, address, from.size())) {
    memory_.write(*at, from);
    return std::nullopt;
  }
  auto at = in_registers(arch_, address, from.size());
  if (!at) return nothing_there;
  for (; !from.empty(); from = from.subspan(word), *at += word) {
    std::uint32_t value = 0;
    std::memcpy(&value, from.data(), word);
    if (auto why = write_register(*at, value)) return why;
  }
  return std::nullopt;
}

// ---- messages ----

ArcReply Arc::answer(std::uint8_t code, std::uint32_t argument) {
  const ArcMessage* const message = arc_message(code);
  if (message == nullptr) return {.is_known = false, .value = 0};
  if (message->clock != ArcClock::same)
    set_aiclk(message->clock == ArcClock::busy ? arc_clocks(arch_).busy : arc_clocks(arch_).idle);
  switch (message->answer) {
    case ArcAnswer::nothing: return {.is_known = true, .value = 0};
    case ArcAnswer::tensix_off: return {.is_known = true, .value = plan_.tensix_off_on_die()};
    case ArcAnswer::aiclk: return {.is_known = true, .value = aiclk_};
    case ArcAnswer::next_number: return {.is_known = true, .value = argument + 1};
    case ArcAnswer::training_is_over: return {.is_known = true, .value = 1};
    case ArcAnswer::legacy_telemetry: return {.is_known = true, .value = Map::memory_base + legacy_telemetry};
  }
  return {.is_known = false, .value = 0};
}

std::optional<std::string> Arc::answer_scratch() {
  const auto code = static_cast<std::uint8_t>(load(registers_, scratch_status));
  const ArcReply reply = answer(code, load(registers_, scratch_argument));
  store(registers_, scratch_status, reply.is_known ? code : not_recognised);
  if (!reply.is_known) return message_fault(code);
  store(registers_, scratch_argument, reply.value);
  return std::nullopt;
}

std::optional<std::string> Arc::answer_queues() {
  std::optional<std::string> fault;
  for (std::uint32_t i = 0; i < Queue::count; ++i)
    if (auto why = answer_queue(Map::queues + i * Queue::bytes)) fault = std::move(why);
  return fault;
}

std::optional<std::string> Arc::answer_queue(std::uint32_t queue) {
  constexpr std::uint32_t round = 2 * Queue::entries;
  std::uint32_t request = load(memory_, queue + Queue::request_read) % round;
  std::uint32_t reply_to = load(memory_, queue + Queue::answer_write) % round;
  const std::uint32_t waiting = (load(memory_, queue + Queue::request_write) - request) % round;
  if (waiting > Queue::entries) return "a message queue holds more than it can";
  std::optional<std::string> fault;
  for (std::uint32_t i = 0; i < waiting; ++i, request = (request + 1) % round, reply_to = (reply_to + 1) % round) {
    const std::uint32_t from = queue + Queue::header_bytes + request % Queue::entries * Queue::entry_bytes;
    const std::uint32_t to =
        queue + Queue::header_bytes + (Queue::entries + reply_to % Queue::entries) * Queue::entry_bytes;
    const auto code = static_cast<std::uint8_t>(load(memory_, from));
    const ArcReply reply = answer(code, load(memory_, from + word));
    if (!reply.is_known) fault = message_fault(code);
    memory_.write(to, std::array<std::uint8_t, Queue::entry_bytes>{});
    store(memory_, to, reply.is_known ? 0 : Queue::status_not_recognised);
    store(memory_, to + word, reply.value);
  }
  store(memory_, queue + Queue::request_read, request);
  store(memory_, queue + Queue::answer_write, reply_to);
  return fault;
}

}  // namespace tensim::device
