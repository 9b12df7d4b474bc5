// Where a router sends a packet: along one axis, then along the other (noc 6).
#pragma once

#include "noc/torus.hpp"

namespace tensim::noc {

/// What a router is joined to. As an output: the links along the axes and the link to its NIU. As an input: the links from
/// the routers before it and from its NIU. The fourth is the NIU's own: what it sends from, the link to its router.
enum class Port : std::uint8_t { x, y, niu, source };
inline constexpr unsigned ports = 4;

constexpr Port port_of(Axis axis) {
  return axis == Axis::x ? Port::x : Port::y;
}
constexpr Axis axis_of(Port port) {
  return port == Port::x ? Axis::x : Axis::y;
}
constexpr std::uint8_t bit(Port port) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(port));
}

/// NoC 0 goes right, then down; NoC 1 up, then left.
constexpr Axis first_axis(unsigned noc) {
  return noc == 0 ? Axis::x : Axis::y;
}

constexpr Port unicast_port(unsigned noc, Position here, Position destination) {
  const Axis first = first_axis(noc);
  if (along(here, first) != along(destination, first)) return port_of(first);
  return here == destination ? Port::niu : port_of(other(first));
}

/// How many links between routers a packet takes.
constexpr unsigned hops(const Torus& torus, Position from, Position to) {
  return torus.hops(from.x, to.x, Axis::x) + torus.hops(from.y, to.y, Axis::y);
}

// ---- VCs: class and buddy as software names them (0 to 7), and which side of the dateline ----

inline constexpr unsigned named_vcs = 8;
inline constexpr unsigned vcs = 2 * named_vcs;

/// The VC on the way out of a router: behind the link that joins the edges of the axis it travels on, a packet is on the
/// other of its two VCs. One that turns, or comes from its NIU, has not crossed anything, and a NIU's links have no dateline.
constexpr unsigned vc_out(unsigned vc_in, Port in, Port out, bool crossed_by_last_link) {
  const unsigned name = vc_in % named_vcs;
  if (out != in || out == Port::niu) return name;
  return vc_in >= named_vcs || crossed_by_last_link ? name + named_vcs : name;
}

}  // namespace tensim::noc
