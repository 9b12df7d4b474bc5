#include "trace/chip_trace.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isa/disassemble.hpp"
#include "tile/access.hpp"

namespace tensim::trace {
namespace {

constexpr unsigned rank_of_packets = tensix::thread_count;

std::string instruction(Arch arch, std::uint32_t word) {
  return to_text(isa::decode(arch, word), isa::Syntax::brief);
}

}  // namespace

ChipTrace::ChipTrace(Arch arch, Write write, TileName name)
    : arch_(arch), write_(std::move(write)), name_(std::move(name)) {}

event::Listener& ChipTrace::of_tile(noc::Coordinates tile) {
  auto& threads = threads_[{tile.y, tile.x}];
  if (threads == nullptr) threads = std::make_unique<Threads>(*this, tile);
  return *threads;
}

void ChipTrace::add(std::uint64_t cycle, noc::Coordinates tile, unsigned rank, const std::string& text) {
  lines_.push_back({cycle, tile, rank, lines_.size(), fmt::format("{:>8}  {:<6} {}\n", cycle, name_(tile), text)});
}

// ---- threads ----

void ChipTrace::Threads::issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t) {
  end_hold(thread);
  trace_.add(cycle, tile_, thread, fmt::format("T{}  {}", thread, instruction(trace_.arch_, word)));
}

void ChipTrace::Threads::held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
                              std::uint32_t word) {
  Hold& hold = holds_[thread];
  const bool goes_on = hold.stall == stall && hold.word == word && hold.from + hold.count == cycle;
  if (!goes_on) {
    end_hold(thread);
    hold = {stall, word, cycle, 0};
  }
  hold.count += count;
}

void ChipTrace::Threads::end_hold(unsigned thread) {
  const Hold hold = std::exchange(holds_[thread], {});
  if (hold.count == 0 || hold.stall == event::Stall::empty) return;
  trace_.add(hold.from, tile_, thread,
             fmt::format("T{}  -- {}: {} ({} cycle{})", thread, name(hold.stall), instruction(trace_.arch_, hold.word),
                         hold.count, hold.count == 1 ? "" : "s"));
}

void ChipTrace::Threads::end() {
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    end_hold(thread);
}

// ---- packets ----

/// "write of 64 bytes", "atomic"
std::string ChipTrace::text_of(const noc::Message& message) const {
  std::string text(event::name(message.kind));
  if (message.length != 0 && message.kind != noc::MessageKind::inline_write)
    text += fmt::format(" of {} bytes", message.length);
  return text;
}

void ChipTrace::packet(const event::Packet& packet) {
  const noc::Message& message = *packet.message;
  const noc::Issuer& issuer = message.issuer;
  const bool is_sent = packet.end == event::Packet::End::sent;
  std::string text = fmt::format("NoC {}  {} {} #{}", message.noc, name(packet.end), text_of(message), packet.number);
  if (is_sent)
    text += message.broadcast ? std::string(" to a rectangle") : " to " + name_(message.target);
  else
    text += " from " + name_(message.source);
  if (message.kind != noc::MessageKind::acknowledgement) text += fmt::format(" at {:#010x}", message.address);
  if (is_sent && !noc::is_response(message.kind))
    text += issuer.is_host ? " (the host)"
                           : fmt::format(" ({}{} at {:#x})", tile::name(issuer.view),
                                         issuer.tile == packet.tile ? "" : " of " + name_(issuer.tile), issuer.pc);
  add(packet.cycle, packet.tile, rank_of_packets, text);
}

void ChipTrace::finish() {
  for (const auto& [tile, threads] : threads_)
    threads->end();
  std::ranges::sort(lines_, {}, &Line::order);
  for (const Line& line : lines_)
    write_(line.text);
  lines_.clear();
}

}  // namespace tensim::trace
