#include "tensim/base.h"

#include <algorithm>
#include <vector>

#include "capi/boundary.hpp"
#include "isa/assembler/suggest.hpp"

using namespace tensim;

extern "C" {

TENSIM_EXPORT const char* tensim_version(void) {
  return TENSIM_VERSION;
}

TENSIM_EXPORT int tensim_api_version(void) {
  return TENSIM_API_VERSION;
}

TENSIM_EXPORT const char* tensim_status_name(tensim_status status) {
  switch (status) {
    case TENSIM_OK: return "TENSIM_OK";
    case TENSIM_NOT_REACHED: return "TENSIM_NOT_REACHED";
    case TENSIM_FAULT: return "TENSIM_FAULT";
    case TENSIM_BAD_ARGUMENT: return "TENSIM_BAD_ARGUMENT";
    case TENSIM_BAD_ELF: return "TENSIM_BAD_ELF";
    case TENSIM_OUT_OF_MEMORY: return "TENSIM_OUT_OF_MEMORY";
    case TENSIM_INTERNAL_ERROR: return "TENSIM_INTERNAL_ERROR";
    case TENSIM_BAD_INPUT: return "TENSIM_BAD_INPUT";
    case TENSIM_DIFFERS: return "TENSIM_DIFFERS";
    case TENSIM_RACES: return "TENSIM_RACES";
  }
  return "unknown";
}

TENSIM_EXPORT const char* tensim_arch_name(tensim_arch arch) {
  const auto known = capi::arch_of(arch);
  return known ? name(*known).data() : nullptr;  // of a literal: a zero stands behind it
}

TENSIM_EXPORT tensim_status tensim_parse_arch(const char* name, tensim_arch* arch) {
  if (name == nullptr || arch == nullptr) return TENSIM_BAD_ARGUMENT;
  const auto known = parse_arch(name);
  if (!known) return TENSIM_BAD_INPUT;
  *arch = capi::to_c(*known);
  return TENSIM_OK;
}

TENSIM_EXPORT const char* tensim_core_name(tensim_core core) {
  const auto known = capi::core_of(core);
  return known ? tile::core_keys[static_cast<unsigned>(*known)].data() : nullptr;
}

TENSIM_EXPORT tensim_status tensim_text_create(tensim_text** text) {
  return capi::new_text(text, true, [] { return std::string(); });
}

TENSIM_EXPORT const char* tensim_text_data(const tensim_text* text) {
  return text == nullptr ? "" : text->bytes.c_str();
}

TENSIM_EXPORT size_t tensim_text_size(const tensim_text* text) {
  return text == nullptr ? 0 : text->bytes.size();
}

TENSIM_EXPORT tensim_status tensim_text_append(tensim_text* text, const char* bytes, size_t size) {
  if (text == nullptr || (bytes == nullptr && size != 0)) return TENSIM_BAD_ARGUMENT;
  return capi::guarded(nullptr, [&] {
    if (size > text->bytes.max_size() - text->bytes.size()) return TENSIM_OUT_OF_MEMORY;
    if (size != 0) text->bytes.append(bytes, size);
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_text_free(tensim_text* text) {
  delete text;
}

TENSIM_EXPORT const char* tensim_text_file(const tensim_text* text) {
  return text == nullptr || text->at.file.empty() ? nullptr : text->at.file.c_str();
}

TENSIM_EXPORT uint32_t tensim_text_line(const tensim_text* text) {
  return text == nullptr ? 0 : text->at.line;
}

TENSIM_EXPORT uint32_t tensim_text_column(const tensim_text* text) {
  return text == nullptr ? 0 : text->at.column;
}

TENSIM_EXPORT tensim_status tensim_printable(const char* bytes, size_t size, tensim_text** text) {
  return capi::new_text(text, bytes != nullptr || size == 0, [&] { return text::printable_lines({bytes, size}); });
}

TENSIM_EXPORT tensim_status tensim_suggest(const char* word, const char* const* known, size_t count,
                                           tensim_text** text) {
  const bool is_complete = word != nullptr && (known != nullptr || count == 0) &&
                           std::none_of(known, known + count, [](const char* name) { return name == nullptr; });
  return capi::new_text(text, is_complete, [&] {
    const std::vector<std::string_view> names(known, known + count);
    return isa::suggestion(word, names);
  });
}

TENSIM_EXPORT void tensim_write_to_text(void* text, const char* bytes, size_t size) {
  (void)tensim_text_append(static_cast<tensim_text*>(text), bytes, size);
}

}  // extern "C"
