// The T cores' window on Dst (Blackhole): what an element looks like is up to RISC_DEST_ACCESS_CTRL of the core's thread.
// A load or store is of exactly one element; for T2, which can take several at once, only one is modelled. Page: Dst.md.
#include "arch/config_registers.hpp"
#include "tensix/registers/config_view.hpp"
#include "tile/handlers.hpp"

namespace tensim::tile {
namespace {

enum Format : std::uint8_t { fp32 = 0, int32 = 1, fp16 = 2, bf16 = 3, int16 = 4, int8 = 5 };

struct View {
  std::uint8_t format = 0;
  bool no_swizzle = false;
  bool unsigned_int = false;
  tensix::DstAddressing addressing;
};

constexpr std::array no_swizzle{&"RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle"_config,
                                &"RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle"_config,
                                &"RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle"_config};
constexpr std::array unsigned_int{&"RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int"_config,
                                  &"RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int"_config,
                                  &"RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int"_config};
constexpr std::array fmt{&"RISC_DEST_ACCESS_CTRL_SEC0_fmt"_config, &"RISC_DEST_ACCESS_CTRL_SEC1_fmt"_config,
                         &"RISC_DEST_ACCESS_CTRL_SEC2_fmt"_config};

/// As the thread's bank has it; the section is the thread.
View view_of(const Request& request) {
  const tensix::BackendConfig& config = request.coprocessor.config;
  const unsigned thread = request.own_thread();
  const tensix::ConfigView view(config, request.arch(), thread);
  return {static_cast<std::uint8_t>(view.get(*fmt[thread])), view.get(*no_swizzle[thread]) != 0,
          view.get(*unsigned_int[thread]) != 0,
          tensix::DstAddressing::of(config, request.arch(), request.coprocessor.dst.upper_halves)};
}

unsigned element_bytes(std::uint8_t format) {
  if (format > int8) return 0;
  if (format <= int32) return 4;
  return format == int8 ? 1 : 2;
}

std::uint32_t magnitude_of(std::uint32_t negative, std::uint32_t sign) {
  return sign | (0U - (negative + (negative == sign ? 1U : 0U)));  // the most negative number is clamped
}

std::uint32_t load32(std::uint32_t value, const View& view) {
  if (!view.no_swizzle) value = (value & 0x8000FFFFU) | (value & 0x7F000000U) >> 8U | (value & 0x00FF0000U) << 7U;
  if (view.format == int32 && !view.no_swizzle && value >= 0x80000000U) value = 0U - (value & 0x7FFFFFFFU);
  return value;
}

std::uint32_t store32(std::uint32_t value, const View& view) {
  if (view.no_swizzle) return value;
  if (view.format == int32 && value >= 0x80000000U) value = magnitude_of(value, 0x80000000U);
  return (value & 0x8000FFFFU) | (value & 0x7F800000U) >> 7U | (value & 0x007F0000U) << 8U;
}

std::uint32_t load16(std::uint32_t value, const View& view) {
  if (view.no_swizzle) return value;
  switch (view.format) {
    case fp16: return (value & 0x8000U) | (value & 0x7FE0U) >> 5U | (value & 0x001FU) << 10U;
    case bf16: return (value & 0x8000U) | (value & 0x7F00U) >> 8U | (value & 0x00FFU) << 7U;
    default: return view.unsigned_int || value < 0x8000U ? value : (0U - (value & 0x7FFFU)) & 0xFFFFU;
  }
}

std::uint32_t store16(std::uint32_t value, const View& view) {
  if (view.no_swizzle) return value;
  switch (view.format) {
    case fp16: return (value & 0x8000U) | (value & 0x7C00U) >> 10U | (value & 0x03FFU) << 5U;
    case bf16: return (value & 0x8000U) | (value & 0x7F80U) >> 7U | (value & 0x007FU) << 8U;
    default: return view.unsigned_int || value < 0x8000U ? value : magnitude_of(value, 0x8000U) & 0xFFFFU;
  }
}

/// Integer "8": sign, ten bits of magnitude, an exponent of 16.
std::uint32_t load8(std::uint32_t value, const View& view) {
  if (view.no_swizzle || view.unsigned_int) return value >> 5U & 0xFFU;
  const std::uint32_t magnitude = value >> 5U & 0x7FU;
  return ((value & 0x8000U) != 0 ? 0U - magnitude : magnitude) & 0xFFU;
}

std::uint32_t store8(std::uint32_t value, const View& view) {
  constexpr std::uint32_t exponent = 16;
  if (view.no_swizzle || view.unsigned_int || value < 0x80U) return value << 5U | (value != 0 ? exponent : 0U);
  // Not two's complement: hardware's own conversion, as the page has it.
  const std::uint32_t magnitude = (0x180U - value - (value == 0x80U ? 1U : 0U)) & 0xFFU;
  return 0x8000U | magnitude << 5U | exponent;
}

/// The element that is accessed, or why it cannot be.
struct Element {
  AccessFault fault = AccessFault::none;
  unsigned row = 0;
  unsigned column = 0;
};

Element element_of(const Request& request, const View& view) {
  const unsigned bytes = element_bytes(view.format);
  if (bytes == 0) return {AccessFault::undefined};
  if (request.access.size_bytes != bytes)
    return {request.core() == CoreId::trisc2 ? AccessFault::not_modelled : AccessFault::undefined};
  const std::uint32_t index = request.offset() / bytes;
  // Bytes: only the first 1024 rows exist; rows of 16-bit elements end the window exactly.
  if (index / tensix::Dst::columns >= tensix::Dst::rows) return {AccessFault::no_register};
  return {AccessFault::none, index / tensix::Dst::columns, index % tensix::Dst::columns};
}

}  // namespace

Answer load_dst(const Request& request) {
  request.coprocessor.settle(request.access.cycle);
  const View view = view_of(request);
  const Element element = element_of(request, view);
  if (element.fault != AccessFault::none) return faults(element.fault);
  const tensix::Dst& dst = request.coprocessor.dst;
  if (view.format <= int32)
    return done(load32(dst.get32(view.addressing, element.row, element.column), view), watch_coprocessor);
  const std::uint32_t value = dst.get16(view.addressing, element.row, element.column);
  return done(view.format == int8 ? load8(value, view) : load16(value, view), watch_coprocessor);
}

Answer store_dst(const Request& request) {
  const View view = view_of(request);
  const Element element = element_of(request, view);
  if (element.fault != AccessFault::none) return faults(element.fault);
  tensix::Dst& dst = request.coprocessor.dst;
  request.devices.wake(t_cores);
  if (view.format <= int32) {
    dst.set32(view.addressing, element.row, element.column, store32(request.value(), view));
    return done();
  }
  const std::uint32_t value =
      view.format == int8 ? store8(request.value() & 0xFFU, view) : store16(request.value() & 0xFFFFU, view);
  // With DBG_FEATURE_DISABLE bit 11 hardware writes something to the lower half, too; here it stays as it is.
  dst.set16(view.addressing, element.row, element.column, static_cast<std::uint16_t>(value));
  return done();
}

}  // namespace tensim::tile
