// What can go wrong with a reference library. Errors are values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tensim::reference {

enum class ErrorKind : std::uint8_t {
  cannot_load,         // no such file, not a library, a symbol is missing
  wrong_architecture,  // another chip, or none that we know
  ended,               // the library ended its process: it does that with what it does not like
  timed_out,           // it did not come back
  out_of_range,        // an address or a list that the caller should not have asked for
  system,              // no process, no memory
};

constexpr std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::cannot_load: return "cannot be loaded";
    case ErrorKind::wrong_architecture: return "wrong architecture";
    case ErrorKind::ended: return "ended";
    case ErrorKind::timed_out: return "timed out";
    case ErrorKind::out_of_range: return "out of range";
    case ErrorKind::system: return "system error";
  }
  return "";
}

struct Error {
  ErrorKind kind = ErrorKind::system;
  std::string text;
};

}  // namespace tensim::reference
