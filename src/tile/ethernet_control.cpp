#include "tile/ethernet_control.hpp"

#include <algorithm>

#include "tile/handlers.hpp"

namespace tensim::tile {
namespace {

const EthernetRegister* row_at(const Request& request) {
  const auto is_there = [&](const EthernetRegister& row) {
    return row.archs.contains(request.arch()) && request.access.address - row.address < 4 * row.words;
  };
  const auto row = std::ranges::find_if(ethernet_registers, is_there);
  return row == ethernet_registers.end() ? nullptr : &*row;
}

std::uint32_t& storage(const Request& request) {
  return request.devices.ethernet.words[EthernetControl::index(request.arch(), request.access.address)];
}

}  // namespace

Answer load_ethernet_control(const Request& request) {
  return row_at(request) == nullptr ? faults(AccessFault::not_modelled) : done(storage(request), watch_devices);
}

Answer store_ethernet_control(const Request& request) {
  const EthernetRegister* const row = row_at(request);
  if (row == nullptr) return faults(AccessFault::not_modelled);
  switch (row->store) {
    case EthernetRegister::Store::keeps: storage(request) = request.value(); break;
    case EthernetRegister::Store::adds: storage(request) += request.value(); break;
    case EthernetRegister::Store::switches_on:
      if (request.value() != 0) return faults(AccessFault::not_modelled);
      break;
  }
  request.devices.wake(all_cores);
  return done();
}

}  // namespace tensim::tile
