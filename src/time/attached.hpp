// Whoever is attached to something that is copied: a copy is a snapshot of the thing alone.
#pragma once

namespace tensim::time {

/// A copy of the owner has nobody attached, and an owner that is given another's state keeps its own.
template <class T>
class Attached {
 public:
  Attached() = default;
  Attached(const Attached&) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
  Attached& operator=(const Attached&) { return *this; }
  Attached(Attached&&) noexcept = default;
  Attached& operator=(Attached&&) noexcept = default;
  ~Attached() = default;

  Attached& operator=(T* who) {
    who_ = who;
    return *this;
  }
  operator T*() const { return who_; }
  T* operator->() const { return who_; }

 private:
  T* who_ = nullptr;
};

}  // namespace tensim::time
