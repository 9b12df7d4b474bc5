// The boundary to C: what comes in is checked, what is thrown becomes a status, and texts become handles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "arch/arch.hpp"
#include "isa/assembler/assemble.hpp"
#include "report/style.hpp"
#include "tensim/base.h"
#include "text/printable.hpp"
#include "tile/access.hpp"

#define TENSIM_EXPORT __attribute__((visibility("default")))

struct tensim_text {
  std::string bytes;
  tensim::isa::SourceLocation at = {};  // of a problem in a file: where it is
};

namespace tensim::capi {

/// A new text, if somebody wants it and there is memory for it. It may quote whatever a file or the caller has said.
inline void say(tensim_text** to, std::string_view text, const isa::SourceLocation& at = {}) noexcept {
  if (to == nullptr) return;
  try {
    *to = new tensim_text{text::printable_lines(text), {text::printable(at.file), at.line, at.column}};
  } catch (const std::bad_alloc&) {
    *to = nullptr;
  }
}

/// A status, and the words for it.
inline tensim_status fail(tensim_text** problem, tensim_status status, std::string_view text,
                          const isa::SourceLocation& at = {}) noexcept {
  say(problem, text, at);
  return status;
}

/// Runs `what` and turns what is thrown into a status; `problem`, which may be null, is empty or says what it was.
template <class What>
tensim_status guarded(tensim_text** problem, What what) noexcept {
  if (problem != nullptr) *problem = nullptr;
  try {
    return what();
  } catch (const std::bad_alloc&) {
    return TENSIM_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    return fail(problem, TENSIM_INTERNAL_ERROR, error.what());
  } catch (...) {
    return fail(problem, TENSIM_INTERNAL_ERROR, "a function of the caller has thrown");
  }
}

/// `make`'s text in a new handle, if the arguments are good and there is a place for it.
template <class Make>
tensim_status new_text(tensim_text** text, bool are_arguments_good, Make make) {
  return guarded(text, [&] {
    if (text == nullptr || !are_arguments_good) return TENSIM_BAD_ARGUMENT;
    *text = new tensim_text{make()};
    return TENSIM_OK;
  });
}

// ---- values that C hands over: an enum can be any number ----

constexpr std::optional<Arch> arch_of(tensim_arch arch) {
  if (arch == TENSIM_WORMHOLE) return Arch::wormhole;
  if (arch == TENSIM_BLACKHOLE) return Arch::blackhole;
  return std::nullopt;
}

constexpr tensim_arch to_c(Arch arch) {
  return on(arch, TENSIM_WORMHOLE, TENSIM_BLACKHOLE);
}

constexpr std::optional<tile::CoreId> core_of(tensim_core core) {
  const auto number = static_cast<unsigned>(core);
  return number < tile::core_count ? std::optional(static_cast<tile::CoreId>(number)) : std::nullopt;
}

constexpr std::optional<report::Format> format_of(tensim_format format) {
  if (format == TENSIM_PLAIN) return report::Format::plain;
  if (format == TENSIM_COLOURED) return report::Format::coloured;
  if (format == TENSIM_JSON) return report::Format::json;
  return std::nullopt;
}

/// Of the host, as options have them: 0 is the caller's alone.
inline unsigned threads_of(int given) {
  return static_cast<unsigned>(std::clamp(given, 1, 256));
}

/// What a caller that was built against an older header does not know of is as if it were 0.
template <class Options>
std::optional<Options> options_of(const Options* given) {
  Options options{};
  if (given == nullptr) return options;
  if (given->size < sizeof given->size || given->size > sizeof options) return std::nullopt;
  const auto* from = reinterpret_cast<const unsigned char*>(given);
  auto* to = reinterpret_cast<unsigned char*>(&options);
  for (std::size_t i = 0; i < given->size; ++i)
    to[i] = from[i];
  return options;
}

// ---- functions that C hands over ----

inline report::Write writer_of(tensim_write_function write, void* context) {
  return [=](std::string_view text) { write(context, text.data(), text.size()); };
}

/// Empty without a function: nothing can be included then.
inline std::function<isa::LoadedText(const std::string&)> loader_of(tensim_load_function load, void* context) {
  if (load == nullptr) return {};
  return [=](const std::string& path) -> isa::LoadedText {
    tensim_text content;
    const bool is_read = load(context, path.c_str(), &content) == 0;
    if (is_read) return {std::move(content.bytes), {}};
    return {std::nullopt, std::move(content.bytes)};
  };
}

}  // namespace tensim::capi
