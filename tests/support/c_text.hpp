// A text of the C interface that is freed when the test is done with it.
#pragma once

#include <string>

#include <tensim/base.h>

namespace tensim::test {

class CText {
 public:
  CText() = default;
  CText(const CText&) = delete;
  CText& operator=(const CText&) = delete;
  ~CText() { tensim_text_free(text_); }

  tensim_text** place() {
    tensim_text_free(text_);
    text_ = nullptr;
    return &text_;
  }
  tensim_text* get() const { return text_; }
  std::string str() const { return {tensim_text_data(text_), tensim_text_size(text_)}; }
  bool has(const std::string& part) const { return str().find(part) != std::string::npos; }

 private:
  tensim_text* text_ = nullptr;
};

}  // namespace tensim::test
