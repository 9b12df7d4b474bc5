// What a NIU may have handed to its router of one VC without having heard that it left. A credit takes as long as everything
// else that comes out of the network, so there is room for what is sent in that time: one flow runs at full rate.
#pragma once

#include "arch/sizes.hpp"
#include "noc/packet.hpp"

namespace tensim::noc {

class SourceRoom {
 public:
  bool is_open() const {
    constexpr unsigned room = size_of_both("niu_vc_room_flits"_size);
    return packets_ < 2 || flits_ < room;
  }
  void take(unsigned flits) {
    ++packets_;
    flits_ += flits;
  }
  void give_back(const Credit& credit) {
    --packets_;
    flits_ -= credit.flits;
  }

 private:
  unsigned packets_ = 0;
  unsigned flits_ = 0;
};

}  // namespace tensim::noc
