#include "report/packets.hpp"

#include <nlohmann/json.hpp>

#include "report/places.hpp"

namespace tensim::report {
namespace {

nlohmann::json packet_json(const TileNames& names, const event::Packet& packet) {
  const noc::Message& message = *packet.message;
  const noc::Issuer& issuer = message.issuer;
  nlohmann::json entry{{"cycle", packet.cycle},
                       {"tile", names.name(packet.tile)},
                       {"event", name(packet.end)},
                       {"noc", message.noc},
                       {"kind", event::name(message.kind)},
                       {"source", names.name(message.source)},
                       {"number", packet.number},
                       {"address", message.address},
                       {"bytes", message.length},
                       {"transaction_id", message.transaction_id},
                       {"issuer",
                        {{"tile", names.name(issuer.tile)},
                         {"core", issuer.is_host ? "host" : tile::name(issuer.view)},
                         {"at", issued_at(names, issuer)},
                         {"cycle", issuer.cycle}}}};
  if (message.broadcast)
    entry["broadcast"] = true;
  else
    entry["target"] = names.name(message.target);
  if (message.is_posted) entry["posted"] = true;
  return entry;
}

}  // namespace

nlohmann::json packets_json(const TileNames& names, const explain::FirstPackets& packets) {
  nlohmann::json events = nlohmann::json::array();
  for (const event::Packet& packet : packets.kept())
    events.push_back(packet_json(names, packet));
  return events;
}

}  // namespace tensim::report
