// What the C interface gives, freed when nobody needs it any more; and statuses that no user can cause, as exceptions.
#pragma once

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <tensim/base.h>
#include <tensim/compare.h>
#include <tensim/debug.h>
#include <tensim/instructions.h>
#include <tensim/scenario.h>

namespace tensim::command {

/// `release` is the C interface's function that frees a T.
template <class T, void (*release)(T*)>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { release(held_); }

  T* get() const { return held_; }
  /// Where a function is to put it; what was there is freed.
  T** place() {
    release(std::exchange(held_, nullptr));
    return &held_;
  }

 private:
  T* held_ = nullptr;
};

using Assembly = Handle<tensim_assembly, tensim_assembly_free>;
using Comparison = Handle<tensim_comparison, tensim_comparison_free>;
using GdbSession = Handle<tensim_gdb_session, tensim_gdb_free>;
using Result = Handle<tensim_result, tensim_result_free>;
using Scenario = Handle<tensim_scenario, tensim_scenario_free>;
using Text = Handle<tensim_text, tensim_text_free>;

inline std::string_view view(const Text& text) {
  return {tensim_text_data(text.get()), tensim_text_size(text.get())};
}

/// The status, unless it is one that only the host or a mistake of ours can cause.
inline tensim_status checked(tensim_status status) {
  if (status == TENSIM_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status == TENSIM_INTERNAL_ERROR || status == TENSIM_BAD_ARGUMENT)
    throw std::runtime_error(tensim_status_name(status));
  return status;
}

/// The same, with what there is to say about it.
inline tensim_status checked(tensim_status status, const Text& problem) {
  if (status == TENSIM_INTERNAL_ERROR && problem.get() != nullptr)
    throw std::runtime_error(tensim_text_data(problem.get()));
  return checked(status);
}

}  // namespace tensim::command
