// Auto TTSync's side of a core's access: asked before the access goes out, told when it does. It knows the T cores' only.
#pragma once

#include "tile/handlers.hpp"

namespace tensim::tile {

class TrackedAccess {
 public:
  TrackedAccess(const Request& request, tensix::TrackedRegion region) : request_(request) {
    if (is_trisc(request.core()))
      wanted_ = request.coprocessor.tracked_resources(request.own_thread(), region, request.offset());
  }

  bool may_go_out() const {
    if (wanted_ == tensix::resources::none) return true;
    const unsigned thread = request_.own_thread();
    return request_.access.is_store ? request_.coprocessor.may_store(thread, wanted_)
                                    : request_.coprocessor.may_load(thread, wanted_);
  }
  /// Says that the access goes out. The ticket is given back when it has been processed.
  tensix::AutoTtSync::Ticket goes_out() const {
    if (wanted_ == tensix::resources::none) return tensix::AutoTtSync::no_ticket;
    return request_.coprocessor.core_access_started(request_.own_thread(), wanted_, request_.access.is_store);
  }

 private:
  const Request& request_;
  tensix::ResourceSet wanted_ = tensix::resources::none;
};

}  // namespace tensim::tile
