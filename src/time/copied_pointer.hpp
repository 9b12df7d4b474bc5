// Something that is there or not, outside its owner, and is copied with it.
#pragma once

#include <memory>
#include <utility>

namespace tensim::time {

template <class T>
class CopiedPointer {
 public:
  CopiedPointer() = default;
  explicit CopiedPointer(std::unique_ptr<T> value) : value_(std::move(value)) {}
  CopiedPointer(const CopiedPointer& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  CopiedPointer& operator=(const CopiedPointer& other) {
    if (this == &other) return *this;
    if (other.value_ == nullptr)
      value_.reset();
    else
      *this = *other.value_;
    return *this;
  }
  CopiedPointer(CopiedPointer&&) noexcept = default;
  CopiedPointer& operator=(CopiedPointer&&) noexcept = default;
  ~CopiedPointer() = default;

  /// Takes the place of what was there, in its memory.
  CopiedPointer& operator=(const T& value) {
    if (value_ == nullptr)
      value_ = std::make_unique<T>(value);
    else
      *value_ = value;
    return *this;
  }
  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace tensim::time
