// Chips as they are sold, and the text by which a host chooses one.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "noc/floor_plan.hpp"

namespace tensim::noc {
namespace {

constexpr std::uint32_t bits(auto... numbers) {
  return ((1U << static_cast<unsigned>(numbers)) | ...);
}

constexpr Coordinates wormhole_pcie{0, 3};
constexpr Coordinates pcie_0{2, 0};
constexpr Coordinates pcie_1{11, 0};

/// Firmware of Blackhole cards switches columns off from the end of the die's order until the product has no more than it is
/// sold with, and memory 3 if one must go (tt-zephyr-platforms, bh_arc/harvesting.c): these are what a chip without a fault
/// comes to. Of Ethernet tiles 4 to 6 and 7 to 9 one each is off.
constexpr std::uint32_t last_columns_of_the_die = bits(7, 10);
constexpr std::uint32_t middle_ethernet = bits(5, 8);
constexpr std::uint32_t all_ethernet = (1U << 14U) - 1;

constexpr std::array product_rows{
    Product{"wormhole", Arch::wormhole, {}, wormhole_pcie, Evidence::assumed, "every tile works"},
    Product{"n150",
            Arch::wormhole,
            {.tensix = bits(11)},
            wormhole_pcie,
            Evidence::assumed,
            "one row (WormholeB0/NoC/Coordinates.md); which one is chosen here"},
    Product{"n300",
            Arch::wormhole,
            {.tensix = bits(3, 11)},
            wormhole_pcie,
            Evidence::measured,
            "two rows, one chip of the card: the chip that the silicon rows were measured on (noc 5)"},
    Product{"blackhole", Arch::blackhole, {}, pcie_0, Evidence::assumed, "every tile works; PCIe as on p150"},
    Product{"p100",
            Arch::blackhole,
            {.tensix = last_columns_of_the_die, .dram = bits(3), .ethernet = all_ethernet},
            pcie_1,
            Evidence::documented,
            "tt-zephyr-platforms: harvesting.c; fw_table.txt of P100 (PCIe) and P100A (memory)"},
    Product{"p100a",
            Arch::blackhole,
            {.tensix = last_columns_of_the_die, .dram = bits(3), .ethernet = all_ethernet},
            pcie_0,
            Evidence::documented,
            "tt-zephyr-platforms: harvesting.c; fw_table.txt of P100A"},
    Product{"p150",
            Arch::blackhole,
            {.ethernet = middle_ethernet},
            pcie_0,
            Evidence::documented,
            "BlackholeA0/NoC/Coordinates.md: 140 Tensix tiles, Ethernet as in its picture"},
    Product{"p150_120",
            Arch::blackhole,
            {.tensix = last_columns_of_the_die, .ethernet = middle_ethernet},
            pcie_0,
            Evidence::measured,
            "p150 with firmware that leaves 120 tiles (fw_table.txt of P150A); the card that the silicon rows were "
            "measured "
            "on (noc 5)"},
};

struct Part {
  std::string_view name;
  std::uint32_t Harvest::* bits;
};
constexpr std::array wormhole_parts{Part{"rows", &Harvest::tensix}};
constexpr std::array blackhole_parts{Part{"columns", &Harvest::tensix}, Part{"dram", &Harvest::dram},
                                     Part{"ethernet", &Harvest::ethernet}};

/// The text up to the separator, which is taken away with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::optional<std::uint32_t> numbers(std::string_view text) {
  std::uint32_t found = 0;
  while (!text.empty()) {
    const std::string_view word = take(text, ',');
    unsigned number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number >= 32) return std::nullopt;
    found |= 1U << number;
  }
  return found;
}

/// "rows", "columns, dram or ethernet"
std::string names_of(std::span<const Part> parts) {
  std::string text;
  for (const Part& part : parts)
    text += fmt::format("{}{}", &part == parts.data() ? "" : &part == &parts.back() ? " or " : ", ", part.name);
  return text;
}

/// Adds "rows=3,11" to what is off, or says what is wrong with it.
std::optional<std::string> add_part(Arch arch, std::string_view word, Harvest& off) {
  std::string_view list = word;
  const std::string_view name = take(list, '=');
  const auto parts = on<std::span<const Part>>(arch, wormhole_parts, blackhole_parts);
  const auto part = std::ranges::find(parts, name, &Part::name);
  if (part == parts.end())
    return fmt::format("{}: of a {} expected {} that are off, as in {}=7", word, tensim::name(arch), names_of(parts),
                       parts.front().name);
  const auto found = numbers(list);
  if (!found || *found == 0) return fmt::format("{}: expected numbers, as in {}=3,11", word, name);
  off.*(part->bits) |= *found;
  return std::nullopt;
}

}  // namespace

std::span<const Product> products() {
  return product_rows;
}

const Product* product(std::string_view name) {
  const auto* const found = std::ranges::find(product_rows, name, &Product::name);
  return found == product_rows.end() ? nullptr : found;
}

ReadPlan read_floor_plan(std::string_view text) {
  std::string_view rest = text;
  const std::string_view first = take(rest, ' ');
  const Product* const base = product(first);
  if (base == nullptr) {
    std::string known;
    for (const Product& row : product_rows)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
    return {.plan = {}, .error = fmt::format("no product is called {}; expected one of {}", first, known)};
  }
  Product made = *base;
  while (!rest.empty())
    if (const std::string_view word = take(rest, ' '); !word.empty())
      if (auto error = add_part(made.arch, word, made.off)) return {.plan = {}, .error = std::move(*error)};
  if (auto error = FloorPlan::refusal(made.arch, made.off)) return {.plan = {}, .error = std::move(*error)};
  return {.plan = FloorPlan(made), .error = {}};
}

std::string text_of(const FloorPlan& plan) {
  const auto parts = on<std::span<const Part>>(plan.arch(), wormhole_parts, blackhole_parts);
  const auto is_part_of_it = [&](const Product& row) {
    const auto adds_nothing = [&](const Part& part) { return (row.off.*part.bits & ~(plan.off().*part.bits)) == 0; };
    return row.arch == plan.arch() && row.pcie == plan.pcie() && std::ranges::all_of(parts, adds_nothing);
  };
  const auto* const base = std::ranges::find_if(product_rows, is_part_of_it);
  std::string text(base->name);
  for (const Part& part : parts) {
    std::string_view separator = "=";
    for (std::uint32_t left = plan.off().*part.bits & ~(base->off.*part.bits); left != 0; left &= left - 1) {
      text += fmt::format("{}{}{}", separator == "=" ? fmt::format(" {}", part.name) : "", separator,
                          std::countr_zero(left));
      separator = ",";
    }
  }
  return text;
}

}  // namespace tensim::noc
