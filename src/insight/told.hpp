// What a tile of a chip has told, kept until everybody has told as much: then it is handed on, in one order with the others'.
#pragma once

#include <cstdint>
#include <vector>

#include "event/happening.hpp"

namespace tensim::insight {

class Told : public event::Listener {
 public:
  explicit Told(std::uint8_t wanted) : Listener(wanted) {}
  void happened(const event::Event& event) override;
  void passed(std::span<const event::CoreSpan> spans) override;
  /// Hands on what is before `end`, in the tile's order; where time of cores went, as far as that is known.
  void hand_on(Listener& to, time::Key end);
  /// What has been handed on is not needed any more.
  void forget();

 private:
  struct Kept {
    time::Key when;
    std::uint32_t first_access;
    std::uint32_t accesses;
    event::What what;
  };
  std::vector<Kept> kept_;
  std::vector<event::Access> accesses_;
  std::vector<event::CoreSpan> spans_;
  std::size_t next_ = 0;
};

}  // namespace tensim::insight
