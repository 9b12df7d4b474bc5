// Reading little-endian data that may end anywhere: past the end everything is zero, and ok() says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace tensim::program {

/// The string at an offset of a table: up to a zero byte, the end or `longest`. Files may say that many names share the
/// tail of one very long string, so that without a bound small files have huge names.
inline std::string_view string_at(std::span<const std::uint8_t> table, std::uint64_t offset, std::size_t longest) {
  if (offset >= table.size()) return {};
  const auto at = static_cast<std::size_t>(offset);
  const std::span<const std::uint8_t> rest = table.subspan(at, std::min(table.size() - at, longest));
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  return text.substr(0, text.find('\0'));
}

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool more() const { return ok_ && at_ < bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(little_endian(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }

  /// LEB128; bits beyond 64 are dropped.
  std::uint64_t uleb() { return leb().value; }
  std::int64_t sleb() {
    const Leb leb128 = leb();
    std::uint64_t value = leb128.value;
    if (leb128.negative && leb128.bits < 64) value |= ~std::uint64_t{0} << leb128.bits;
    return static_cast<std::int64_t>(value);
  }

  /// Up to a zero byte, which is read too.
  std::string_view string() {
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, remaining());
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos) {
      fail();
      return {};
    }
    at_ += length + 1;
    return rest.substr(0, length);
  }

  /// The next `count` bytes.
  std::span<const std::uint8_t> take(std::uint64_t count) {
    if (!has(count)) return {};
    const std::span<const std::uint8_t> taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

 private:
  struct Leb {
    std::uint64_t value = 0;
    unsigned bits = 0;
    bool negative = false;
  };

  void fail() {
    ok_ = false;
    at_ = bytes_.size();
  }

  bool has(std::uint64_t count) {
    if (count > remaining()) fail();
    return ok_;
  }

  std::uint64_t little_endian(unsigned size) {
    std::uint64_t value = 0;
    const std::span<const std::uint8_t> taken = take(size);
    for (std::size_t i = 0; i < taken.size(); ++i)
      value |= std::uint64_t{taken[i]} << (8 * i);
    return value;
  }

  Leb leb() {
    Leb result;
    while (has(1)) {
      const std::uint8_t byte = bytes_[at_++];
      if (result.bits < 64) result.value |= std::uint64_t{byte & 0x7FU} << result.bits;
      result.bits = std::min(result.bits + 7, 70U);
      result.negative = (byte & 0x40U) != 0;
      if ((byte & 0x80U) == 0) return result;
    }
    return {};
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace tensim::program
