#include "tests/silicon/noc_program.hpp"

#include "noc/counters.hpp"
#include "noc/message.hpp"
#include "noc/registers.hpp"

namespace tensim::silicon {
namespace {

using namespace rv;
using noc::NiuRegister;
using noc::operator""_counter;
using noc::operator""_niu;

constexpr std::uint32_t wall_clock = 0xFFB121F0;
constexpr std::uint32_t wall_clock_page = 0xFFB12000;
constexpr int clock_low = wall_clock - wall_clock_page;
constexpr int clock_high = clock_low + 8;  // latched by a load of the low word

// What a compiler keeps in registers during the loop.
constexpr Word buffer = s0;  // the command buffer
constexpr Word niu = s1;     // its NIU
constexpr Word local = s2;
constexpr Word remote = s3;
constexpr Word place = s4;  // of the other tile, as a register has it
constexpr Word length = s5;
constexpr Word control = s6;
constexpr Word one = s7;
constexpr Word counts = s8;  // in local RAM
constexpr Word clock_base = s9;
constexpr Word out = s10;
constexpr Word longest = s11;
constexpr Word trip = a0;
constexpr Word trips = a1;
constexpr Word rounds = a2;
constexpr Word stride = a3;
constexpr Word begin = a4;
constexpr Word peer = a5;
constexpr Word peer_end = a6;

// Counts of what has been issued, behind `counts`.
constexpr int writes_sent = 0;
constexpr int writes_to_acknowledge = 4;
constexpr int reads_issued = 8;

constexpr unsigned write_buffer = 0;
constexpr unsigned read_buffer = 1;
constexpr unsigned atomic_buffer = 3;
constexpr std::uint32_t word_bytes = 4;

std::uint32_t niu_base(unsigned noc) {
  return noc::niu_base + noc * noc::niu_stride;
}

class Program {
 public:
  Program(const noc::FloorPlan& plan, const NocProbe& probe, std::size_t flow)
      : arch_(plan.arch()), own_(plan.translated(probe.flows[flow].tile)), probe_(probe), flow_(probe.flows[flow]) {
    index_ = static_cast<std::uint32_t>(flow);
  }

  Code all() const {
    return prologue() + meeting() + setup() + timed() +
           Code{addi(t1, zero, 1), lui(t0, noc_guest::done >> 12U), sw(t1, t0, 0), here};
  }

 private:
  bool is_read() const { return flow_.call != Call::write; }
  int offset(const NiuRegister& row) const { return row.on(arch_).offset; }
  /// Of the other tile's coordinates and upper address bits, or of the own ones.
  const NiuRegister& place_register(bool of_target) const {
    const bool is_wormhole = arch_ == Arch::wormhole;
    if (of_target) return is_wormhole ? "NOC_TARG_ADDR_MID"_niu : "NOC_TARG_ADDR_HI"_niu;
    return is_wormhole ? "NOC_RET_ADDR_MID"_niu : "NOC_RET_ADDR_HI"_niu;
  }
  std::uint32_t buffer_at(unsigned number) const {
    return niu_base(flow_.noc) + number * noc::command_buffer_stride(arch_);
  }

  /// Firmware has set what a call does not: where the tile itself is (noc_init).
  Code own_place(unsigned number, bool is_target) const {
    return load_immediate(t0, buffer_at(number)) + load_immediate(t1, packed(arch_, own_)) +
           Code{sw(t1, t0, offset(place_register(is_target)))};
  }
  Code prologue() const {
    Code code;
    if (arch_ == Arch::blackhole) code = load_immediate(t0, guest::firmware_cfg0) + Code{csrrs(zero, guest::cfg0, t0)};
    code = code + own_place(write_buffer, true) + own_place(read_buffer, false) + own_place(atomic_buffer, false) +
           load_immediate(niu, niu_base(flow_.noc)) + load_immediate(counts, noc_guest::stack) +
           load_immediate(clock_base, wall_clock_page) + load_immediate(out, noc_guest::results) +
           load_immediate(longest, noc::packet_bytes(arch_)) + Code{addi(one, zero, 1)};
    return code +
           Code{sw(zero, counts, writes_sent), sw(zero, counts, writes_to_acknowledge), sw(zero, counts, reads_issued)};
  }

  /// The registers of a call.
  Code values(unsigned number, std::uint32_t local_at, std::uint32_t remote_at, std::uint32_t bytes,
              std::uint32_t ctrl) const {
    return load_immediate(buffer, buffer_at(number)) + load_immediate(local, local_at) +
           load_immediate(remote, remote_at) + load_immediate(length, bytes) + load_immediate(control, ctrl);
  }
  std::uint32_t request_control(bool reads) const {
    constexpr std::uint32_t marked_static = 0x90;
    return marked_static | flow_.vc << 13U | (reads ? 0U : 2U);
  }

  Code wait_for_buffer() const { return {lw(t0, buffer, offset("NOC_CMD_CTRL"_niu)), bne(t0, zero, -4)}; }
  static Code count(int what) { return {lw(t1, counts, what), addi(t1, t1, 1), sw(t1, counts, what)}; }

  /// One packet: ncrisc_noc_fast_write, ncrisc_noc_fast_read or ncrisc_noc_read_with_state.
  Code packet(Call call, Word from_local, Word to_remote, Word bytes) const {
    Code code = wait_for_buffer();
    const bool reads = call != Call::write;
    if (!reads) code = code + Code{sw(control, buffer, offset("NOC_CTRL"_niu))};
    code = code + Code{sw(from_local, buffer, offset(reads ? "NOC_RET_ADDR_LO"_niu : "NOC_TARG_ADDR_LO"_niu)),
                       sw(to_remote, buffer, offset(reads ? "NOC_TARG_ADDR_LO"_niu : "NOC_RET_ADDR_LO"_niu))};
    if (call != Call::read_with_state) code = code + state(reads);
    code = code + Code{sw(bytes, buffer, offset("NOC_AT_LEN_BE"_niu)), sw(one, buffer, offset("NOC_CMD_CTRL"_niu))};
    return code + (reads ? count(reads_issued) : count(writes_sent) + count(writes_to_acknowledge));
  }
  /// What a stateful call has set before.
  Code state(bool reads) const {
    Code code;
    if (arch_ == Arch::blackhole)
      code = {sw(zero, buffer, offset(reads ? "NOC_TARG_ADDR_MID"_niu : "NOC_RET_ADDR_MID"_niu))};
    return code + Code{sw(place, buffer, offset(place_register(reads)))};
  }

  /// A call, which cuts what is longer than a packet.
  Code call() const {
    const std::uint32_t packets = (flow_.bytes - 1) / noc::packet_bytes(arch_) + 1;
    if (packets == 1) return Code{bltu(longest, length, 4)} + packet(flow_.call, local, remote, length);
    Code code{add(t3, local, zero), add(t4, remote, zero)};
    for (std::uint32_t i = 0; i < packets; ++i)
      code = code + Code{bltu(longest, length, 4)} + packet(flow_.call, t3, t4, longest) +
             Code{add(t3, t3, longest), add(t4, t4, longest)};
    return code;
  }

  Code barrier(bool reads) const {
    const unsigned counter = reads ? "NIU_MST_RD_RESP_RECEIVED"_counter : "NIU_MST_WR_ACK_RECEIVED"_counter;
    const int status = offset("NOC_STATUS"_niu) + static_cast<int>(word_bytes * counter);
    return {lw(t0, niu, status), lw(t1, counts, reads ? reads_issued : writes_to_acknowledge), bne(t0, t1, -8)};
  }

  static Code goes_back(Code body, Code test, Word left, Word right) {
    body = std::move(body) + test;
    const int back = -static_cast<int>(4 * body.size());
    return std::move(body) + Code{bne(left, right, back)};
  }
  static Code pad(std::size_t instructions) { return repeat(static_cast<unsigned>(instructions), {addi(t2, zero, 0)}); }

  /// The transactions up to a barrier.
  Code transactions() const {
    Code once = call();
    if (flow_.steps_there) once = once + Code{add(remote, remote, stride)};
    constexpr std::size_t of_loop = 2;
    if (once.size() + of_loop < flow_.trip_instructions)
      once = once + pad(flow_.trip_instructions - once.size() - of_loop);
    return goes_back(once, {addi(trip, trip, 1)}, trip, trips);
  }

  Code setup() const {
    Code code = values(is_read() ? read_buffer : write_buffer, noc_guest::data, flow_.there, flow_.bytes,
                       request_control(is_read())) +
                load_immediate(place, packed(arch_, flow_.to)) + load_immediate(trips, flow_.count) +
                load_immediate(stride, flow_.bytes) + load_immediate(rounds, flow_.rounds);
    // Of reads, firmware has set NOC_CTRL.
    if (is_read()) code = code + Code{sw(control, buffer, offset("NOC_CTRL"_niu))};
    return flow_.call == Call::read_with_state ? code + state(true) : code;
  }
  Code timed() const {
    Code round{addi(trip, zero, 0), lw(begin, clock_base, clock_low)};
    round = round + pad(flow_.before) + transactions() + barrier(is_read());
    // A marker of the profiler takes the upper half first.
    if (flow_.after != 0) round = round + Code{lw(t1, clock_base, clock_high), sw(t1, out, 0)} + pad(flow_.after);
    round = round + Code{lw(t0, clock_base, clock_low), sub(t0, t0, begin), sw(t0, out, 0), addi(out, out, 4)};
    return goes_back(round, {addi(rounds, rounds, -1)}, rounds, zero);
  }

  // ---- before the clock is read ----
  Code meeting() const {
    if (probe_.flows.size() == 1) return {};
    switch (probe_.meeting) {
      case Meeting::none: return {};
      case Meeting::semaphores: return increment_all() + wait_for_semaphore();
      case Meeting::flags: return write_flags() + wait_for_flags();
    }
    return {};
  }
  /// For every other one: its place in `place`.
  Code for_peers(Code once) const {
    const auto bytes = static_cast<std::uint32_t>(word_bytes * (probe_.flows.size() - 1));
    return load_immediate(peer, noc_guest::peers) + load_immediate(peer_end, noc_guest::peers + bytes) +
           goes_back(Code{lw(place, peer, 0)} + once, {addi(peer, peer, word_bytes)}, peer, peer_end);
  }
  Code increment_all() const {
    constexpr std::uint32_t atomic_control = 0x2091;
    constexpr std::uint32_t increment = 0x107C | (noc_guest::semaphore / word_bytes % 4);
    const Code once = wait_for_buffer() + Code{sw(place, buffer, offset(place_register(true)))} +
                      Code{sw(one, buffer, offset("NOC_CMD_CTRL"_niu))};
    return values(atomic_buffer, word_bytes, noc_guest::semaphore, increment, atomic_control) +
           Code{sw(control, buffer, offset("NOC_CTRL"_niu)), sw(local, buffer, offset("NOC_RET_ADDR_LO"_niu)),
                sw(remote, buffer, offset("NOC_TARG_ADDR_LO"_niu)), sw(length, buffer, offset("NOC_AT_LEN_BE"_niu)),
                sw(one, buffer, offset("NOC_AT_DATA"_niu))} +
           for_peers(once);
  }
  Code wait_for_semaphore() const {
    return load_immediate(t0, noc_guest::semaphore) +
           load_immediate(t1, static_cast<std::uint32_t>(probe_.flows.size() - 1)) +
           Code{fence, lw(t2, t0, 0), bltu(t2, t1, -8)};
  }
  Code write_flags() const {
    const std::uint32_t slot = noc_guest::slots + index_ * noc_guest::slot_bytes;
    Code code = load_immediate(t0, noc_guest::flag) + Code{sw(one, t0, 0)} + load_immediate(t0, slot) +
                Code{sw(one, t0, 0)} + values(write_buffer, noc_guest::flag, slot, word_bytes, request_control(false));
    return code + for_peers(packet(Call::write, local, remote, length)) + barrier(false);
  }
  Code wait_for_flags() const {
    const auto end = static_cast<std::uint32_t>(noc_guest::slots + probe_.flows.size() * noc_guest::slot_bytes);
    // Slots are looked at one after another; one that is empty is looked at again.
    return load_immediate(peer, noc_guest::slots) + load_immediate(peer_end, end) +
           Code{fence, lw(t0, peer, 0), beq(t0, zero, -8), addi(peer, peer, noc_guest::slot_bytes),
                bne(peer, peer_end, -16)};
  }

  Arch arch_;
  noc::Coordinates own_;
  const NocProbe& probe_;
  const NocFlow& flow_;
  std::uint32_t index_ = 0;
};

}  // namespace

std::uint32_t packed(Arch arch, noc::Coordinates tile) {
  const std::uint32_t both = tile.x | tile.y << 6U;
  return on(arch, both << 4U, both);
}

Code noc_program(const noc::FloorPlan& plan, const NocProbe& probe, std::size_t flow) {
  return Program(plan, probe, flow).all();
}

}  // namespace tensim::silicon
