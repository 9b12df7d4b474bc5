// Registers of the NoC overlay's streams, for whoever reaches them (tensix/registers/streams.hpp).
#include "arch/sizes.hpp"
#include "tile/handlers.hpp"

namespace tensim::tile {
namespace {

struct StreamPlace {
  unsigned stream;
  unsigned index;
  bool exists;
};

StreamPlace place_of(const Request& request) {
  const auto bytes = static_cast<std::uint32_t>(size(request.arch(), "overlay_stream_bytes"_size));
  const unsigned stream = request.offset() / bytes;
  const bool exists = !request.devices.is_ethernet ||
                      stream < static_cast<unsigned>(size(request.arch(), "ethernet_overlay_streams"_size));
  return {stream, request.offset() % bytes / 4, exists};
}

}  // namespace

Answer load_stream(const Request& request) {
  const StreamPlace place = place_of(request);
  if (!place.exists) return faults(AccessFault::no_register);
  const auto value = tensix::stream_register(request.arch(), request.coprocessor.streams, place.stream, place.index);
  return value ? done(*value, watch_devices) : faults(AccessFault::not_modelled);
}

Answer store_stream(const Request& request) {
  const StreamPlace place = place_of(request);
  if (!place.exists) return faults(AccessFault::no_register);
  return request.coprocessor.store_stream(place.stream, place.index, request.value())
             ? done()
             : faults(AccessFault::not_modelled);
}

}  // namespace tensim::tile
