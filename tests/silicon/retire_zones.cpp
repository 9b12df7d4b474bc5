#include "tests/silicon/retire_zones.hpp"

#include <charconv>

#include "tests/silicon/guest_program.hpp"
#include "tests/support/guest_tile.hpp"

namespace tensim::silicon {
namespace {

using namespace rv;

constexpr std::uint32_t code_address = 0x10000;
constexpr std::uint32_t ring = guest::scratch(0);
constexpr std::uint32_t data = guest::scratch(1);
constexpr std::uint32_t results = 0x51000;
constexpr std::uint32_t done = 0x50100;
constexpr unsigned zone_words = 2;

constexpr Word mcycle = 0xB00;
constexpr Word minstret = 0xB02;
constexpr Word trip = t0;
constexpr Word trips = t1;
constexpr Word small_dividend = s2;
constexpr Word out = s3;

/// A loop retires trips * (body + per_trip) instructions; between the two readings of minstret are its set-up, and the
/// first reading itself. The card's counts say how many there were of each:
///   alu_dep 6208 = 1 + 3 + 94 * (64 + 2)      mul_ind 6396 = 1 + 3 + 94 * (64 + 4)
///   alu_ind 6398 = 1 + 5 + 94 * (64 + 4)      div_small 567 = 1 + 8 + 31 * (16 + 2)
///   mul_dep 3106 = 1 + 3 + 47 * (64 + 2)      div_large 244 = 1 + 9 + 13 * (16 + 2)
///   load_dep 795 = 1 + 2 + 12 * (64 + 2)      load_ind 3621 = 1 + 2 + 54 * (64 + 3)
///   store_spread 1259 = 1 + 4 + 19 * (64 + 2) branch_nt 6114 = 1 + 3 + 47 * (128 + 2)
///   branch_t 6113 = 1 + 2 + 47 * (128 + 2)
/// Two a trip are the counter and the branch back; more are moves of a compiler short of registers.
struct Zone {
  const char* name;
  unsigned trips;
  Code body;
  unsigned per_trip = 2;
  unsigned setup = 3;
};

Code four(Word rs2, Word (*op)(Word, Word, Word)) {
  return {op(a0, a0, rs2), op(a1, a1, rs2), op(a2, a2, rs2), op(a3, a3, rs2)};
}

std::vector<Zone> zones() {
  using namespace guest;
  const Code eight_loads{lw(a0, base, 0),  lw(a1, base, 16), lw(a2, base, 32), lw(a3, base, 48),
                         lw(a0, base, 64), lw(a1, base, 80), lw(a2, base, 96), lw(a3, base, 112)};
  const Code additions{addi(a0, a0, 1), addi(a1, a1, 1), addi(a2, a2, 1), addi(a3, a3, 1)};
  const Code stores{sw(a0, base, 0), sw(a0, base, 16), sw(a0, base, 32), sw(a0, base, 48)};
  return {
      {"marker_null", 0, {}},
      {"alu_dep", 94, repeat(64, {addi(a0, a0, 1)})},
      {"alu_ind", 94, repeat(16, additions), 4, 5},
      {"mul_dep", 47, repeat(64, {mul(a0, a0, factor)})},
      {"mul_ind", 94, repeat(16, four(factor, mul)), 4},
      {"div_small", 31, repeat(16, {divu(quotient, small_dividend, factor)}), 2, 8},
      {"div_large", 13, repeat(16, {divu(quotient, dividend, factor)}), 2, 9},
      {"load_dep", 12, repeat(64, {lw(chase, chase, 0)}), 2, 2},
      {"load_ind", 54, repeat(8, eight_loads), 3, 2},
      {"store_spread", 19, repeat(16, stores), 2, 4},
      {"branch_nt", 47, repeat(64, {xori(toggle, toggle, 1), bne(a0, a0, 4)})},
      {"branch_t", 47, repeat(64, {xori(toggle, toggle, 1), beq(a0, a0, 4)}), 2, 2},
  };
}

Code loop_of(const Zone& zone) {
  if (zone.trips == 0) return {};
  const Code filler{addi(t2, t2, 0)};
  const Code body = zone.body + repeat(zone.per_trip - 2, filler) + Code{addi(trip, trip, 1)};
  return Code{addi(trips, zero, static_cast<int>(zone.trips)), addi(trip, zero, 0)} + repeat(zone.setup - 2, filler) +
         body + Code{bne(trip, trips, -static_cast<int>(4 * body.size()))};
}

Code code_of(const Zone& zone) {
  return Code{csrrs(s4, mcycle, zero), csrrs(s5, minstret, zero)} + loop_of(zone) +
         Code{csrrs(s6, minstret, zero),
              csrrs(t4, mcycle, zero),
              sub(t4, t4, s4),
              sub(s6, s6, s5),
              sw(t4, out, 0),
              sw(s6, out, 4),
              addi(out, out, 4 * zone_words)};
}

Code firmware() {
  return load_immediate(t0, guest::firmware_cfg0) + Code{csrrs(zero, guest::cfg0, t0)};
}

Code program() {
  Code code = firmware() + load_immediate(out, results) + load_immediate(guest::chase, ring) +
              load_immediate(guest::base, data) + load_immediate(guest::dividend, guest::large_dividend) +
              load_immediate(small_dividend, 0xFFF) + Code{addi(guest::factor, zero, 3), addi(guest::toggle, zero, 0)};
  for (const Zone& zone : zones())
    code = code + code_of(zone);
  return code + load_immediate(t0, done) + Code{addi(t1, zero, 1), sw(t1, t0, 0), here};
}

}  // namespace

std::vector<ZoneResult> run_retire_zones() {
  constexpr tile::Cycle budget = 1'000'000;
  test::GuestTile guest(Arch::blackhole);
  for (unsigned node = 0; node < guest::ring_nodes; ++node)
    guest.set_word(ring + node * guest::ring_stride, ring + (node + 1) % guest::ring_nodes * guest::ring_stride);
  guest.start(tile::CoreId::brisc, code_address, program());
  // The other cores' firmware polls for work.
  for (const tile::CoreId core :
       {tile::CoreId::trisc0, tile::CoreId::trisc1, tile::CoreId::trisc2, tile::CoreId::ncrisc})
    guest.start(core, guest::idle_code + 0x100 * static_cast<std::uint32_t>(core), idle_program(Arch::blackhole, core));
  guest.tile.stop_when(done, 1);
  std::vector<ZoneResult> found;
  if (guest.tile.run_until(budget) != tile::Tile::Halt::met) return found;
  std::uint32_t at = results;
  for (const Zone& zone : zones()) {
    found.push_back({zone.name, guest.word(at), guest.word(at + 4)});
    at += 4 * zone_words;
  }
  return found;
}

std::optional<double> measure_zone(const std::vector<ZoneResult>& zones, const Row& row) {
  const auto of = [&](const std::string& name) -> const ZoneResult* {
    for (const ZoneResult& zone : zones)
      if (zone.name == name) return &zone;
    return nullptr;
  };
  constexpr std::string_view prefix = "retirebench ";
  if (row.probe.starts_with(prefix)) {
    const ZoneResult* const zone = of(row.probe.substr(prefix.size()));
    return zone == nullptr ? std::nullopt : std::optional<double>(zone->cycles);
  }
  // A divide is what is left when every other instruction and the readings have had their cycles.
  const bool is_small = row.probe == "divide 12-bit";
  const ZoneResult* const zone = of(is_small ? "div_small" : "div_large");
  const ZoneResult* const readings = of("marker_null");
  if (zone == nullptr || readings == nullptr || !row.probe.starts_with("divide")) return std::nullopt;
  const unsigned divides = is_small ? 31 * 16 : 13 * 16;
  return static_cast<double>(zone->cycles - (zone->retired - divides) - readings->cycles) / divides;
}

std::optional<unsigned> stated_retired(const Row& row) {
  const std::size_t at = row.conditions.find(" instructions retired");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = row.conditions.find_first_not_of(' ');
  unsigned count = 0;
  std::from_chars(row.conditions.data() + from, row.conditions.data() + at, count);
  return count;
}

}  // namespace tensim::silicon
