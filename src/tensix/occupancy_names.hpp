// What users call the places where operations are (in_flight.hpp).
#pragma once

#include <string_view>

#include "arch/named_rows.hpp"
#include "tensix/in_flight.hpp"

namespace tensim::tensix {

inline constexpr NamedRows occupancy_rows{std::array{
    NamedRow{Occupancy::scalar, "scalar"},
    NamedRow{Occupancy::scalar_memory, "scalar_memory"},
    NamedRow{Occupancy::unpacker0, "unpacker0"},
    NamedRow{Occupancy::unpacker1, "unpacker1"},
    NamedRow{Occupancy::packer0, "packer0"},
    NamedRow{Occupancy::packer1, "packer1"},
    NamedRow{Occupancy::packer2, "packer2"},
    NamedRow{Occupancy::packer3, "packer3"},
    NamedRow{Occupancy::matrix, "matrix"},
    NamedRow{Occupancy::vector, "vector"},
    NamedRow{Occupancy::configuration, "configuration"},
    NamedRow{Occupancy::mover, "mover"},
    NamedRow{Occupancy::miscellaneous, "miscellaneous"},
    NamedRow{Occupancy::sync, "sync"},
}};
static_assert(occupancy_rows.cover(Occupancy::sync));

constexpr std::string_view name(Occupancy where) {
  return occupancy_rows.name(where);
}

}  // namespace tensim::tensix
