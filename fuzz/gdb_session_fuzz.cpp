// Any bytes as a client of gdb's protocol, about a small tile: every packet is answered or passed over, and the tile runs
// when it is told to. Packets need not have the right checksum: each line of the input is framed, and sent as it is too.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "debug/gdb_session.hpp"

using namespace tensim;

namespace {

constexpr tile::Cycle budget = 500;
constexpr unsigned most_advances = 64;
constexpr std::size_t most_lines = 64;
constexpr std::uint32_t code_address = 0x1000;

/// B counts and stores, T0 pushes a NOP and waits for a mailbox.
const tile::Tile& tile_of(Arch arch) {
  static const auto make = [](Arch chip) {
    constexpr std::uint32_t code_b[] = {0x00004337, 0x00128293, 0x00532023, 0xff9ff06f};
    constexpr std::uint32_t code_t[] = {0x08000000, 0xffec0337, 0x00032283, 0x00128513, 0x0000006f};
    tile::Tile tile(chip);
    tile.write(code_address, reinterpret_cast<const std::uint8_t*>(code_b), sizeof code_b);
    tile.write(2 * code_address, reinterpret_cast<const std::uint8_t*>(code_t), sizeof code_t);
    tile.release(tile::CoreId::brisc, code_address);
    tile.release(tile::CoreId::trisc0, 2 * code_address);
    return tile;
  };
  static const tile::Tile wormhole = make(Arch::wormhole);
  static const tile::Tile blackhole = make(Arch::blackhole);
  return arch == Arch::wormhole ? wormhole : blackhole;
}

void run(debug::GdbSession& session) {
  for (unsigned i = 0; i < most_advances && session.is_running(); ++i)
    session.advance();
  if (session.is_running()) session.receive("\x03");
  if (session.is_running()) std::abort();  // an interrupt always stops
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  scenario::Scenario scenario;
  scenario.arch = (data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole;
  debug::GdbSession session(scenario, tile_of(scenario.arch), budget);
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (std::size_t line = 0; line < most_lines && !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    session.receive(debug::framed(rest.substr(0, end)));
    run(session);
    session.receive(rest.substr(0, end));
    run(session);
    if (session.take_output().size() > 64 * debug::most_payload_bytes) std::abort();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}
