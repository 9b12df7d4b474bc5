#include "tensim/instructions.h"

#include <memory>

#include "capi/boundary.hpp"
#include "chip/noc_header.hpp"
#include "isa/c_header.hpp"
#include "report/arch.hpp"
#include "report/assembly.hpp"
#include "report/disassembly.hpp"
#include "report/explanation.hpp"

using namespace tensim;
using capi::guarded;

struct tensim_assembly {
  Arch arch = Arch::blackhole;
  isa::Assembly assembly;
};

namespace {

tensim_status status_of(const isa::Assembly& assembly) {
  return assembly.ok() ? TENSIM_OK : TENSIM_BAD_INPUT;
}

std::optional<report::CodeFormat> code_format_of(tensim_code_format format) {
  switch (format) {
    case TENSIM_CODE_AUTO: return report::CodeFormat::automatic;
    case TENSIM_CODE_BINARY: return report::CodeFormat::binary;
    case TENSIM_CODE_HEX: return report::CodeFormat::hex;
    case TENSIM_CODE_ELF: return report::CodeFormat::elf;
  }
  return std::nullopt;
}

}  // namespace

extern "C" {

// ---- assembling ----

TENSIM_EXPORT tensim_status tensim_assemble(tensim_arch arch, const char* text, size_t size, const char* file,
                                            tensim_load_function load, void* context, tensim_assembly** assembly) {
  if (assembly == nullptr) return TENSIM_BAD_ARGUMENT;
  *assembly = nullptr;
  const auto chip = capi::arch_of(arch);
  if (!chip || file == nullptr || (text == nullptr && size != 0)) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    isa::AssembleOptions options;
    options.max_text_bytes = TENSIM_MAX_ASSEMBLY_BYTES;
    options.load = capi::loader_of(load, context);
    auto made = std::make_unique<tensim_assembly>();
    made->arch = *chip;
    made->assembly = isa::assemble(*chip, {text, size}, file, options);
    *assembly = made.release();
    return status_of((*assembly)->assembly);
  });
}

TENSIM_EXPORT tensim_status tensim_assembly_check_ttinsn(tensim_assembly* assembly) {
  if (assembly == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    report::check_ttinsn(assembly->assembly);
    return status_of(assembly->assembly);
  });
}

TENSIM_EXPORT size_t tensim_assembly_word_count(const tensim_assembly* assembly) {
  return assembly == nullptr ? 0 : assembly->assembly.words.size();
}

TENSIM_EXPORT uint32_t tensim_assembly_word(const tensim_assembly* assembly, size_t index) {
  return index < tensim_assembly_word_count(assembly) ? assembly->assembly.words[index].word : 0;
}

TENSIM_EXPORT tensim_status tensim_assembly_diagnostics(const tensim_assembly* assembly, tensim_text** text) {
  return capi::new_text(text, assembly != nullptr, [&] {
    std::string all;
    for (const isa::Diagnostic& diagnostic : assembly->assembly.diagnostics)
      all += to_text(diagnostic);
    return all;
  });
}

TENSIM_EXPORT tensim_status tensim_assembly_write(const tensim_assembly* assembly, tensim_words_format format,
                                                  int ttinsn, tensim_write_function write, void* context) {
  const bool is_known = format == TENSIM_WORDS_LINES || format == TENSIM_WORDS_BINARY;
  if (assembly == nullptr || write == nullptr || !is_known) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    const report::WordsFormat words{.binary = format == TENSIM_WORDS_BINARY, .ttinsn = ttinsn != 0};
    report::write_words(assembly->arch, assembly->assembly, words, capi::writer_of(write, context));
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_assembly_write_json(const tensim_assembly* assembly, tensim_write_function write,
                                                       void* context) {
  if (assembly == nullptr || write == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    report::write_assembly_json(assembly->arch, assembly->assembly, capi::writer_of(write, context));
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_assembly_free(tensim_assembly* assembly) {
  delete assembly;
}

// ---- disassembling ----

TENSIM_EXPORT tensim_status tensim_disassemble(tensim_arch arch, const void* code, size_t size,
                                               const tensim_disassemble_options* options, tensim_format format,
                                               tensim_write_function write, void* context, tensim_text** problem) {
  return guarded(problem, [&] {
    const auto chip = capi::arch_of(arch);
    const auto wanted = capi::format_of(format);
    const auto given = capi::options_of(options);
    const auto code_format = given ? code_format_of(given->code) : std::nullopt;
    if (!chip || !wanted || !code_format || write == nullptr || (code == nullptr && size != 0))
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a chip, code, options, a format and where to write");
    const report::DisassemblyOptions how{.arch = *chip,
                                         .format = *code_format,
                                         .named = given->named != 0,
                                         .riscv = given->riscv != 0,
                                         .base = given->base};
    const std::string_view content(static_cast<const char*>(code), size);
    const auto wrong = report::disassemble(content, how, *wanted, capi::writer_of(write, context));
    if (!wrong) return TENSIM_OK;
    return capi::fail(problem, wrong->is_of_elf ? TENSIM_BAD_ELF : TENSIM_BAD_INPUT, wrong->text);
  });
}

// ---- explaining ----

TENSIM_EXPORT tensim_status tensim_explain(tensim_arch arch, const char* what, int ttinsn, tensim_format format,
                                           tensim_text** text) {
  return guarded(text, [&] {
    const auto chip = capi::arch_of(arch);
    const auto wanted = capi::format_of(format);
    if (!chip || !wanted || what == nullptr || text == nullptr) return TENSIM_BAD_ARGUMENT;
    const auto explained = report::explain(*chip, what, ttinsn != 0, *wanted);
    if (const auto* problem = std::get_if<report::ExplainProblem>(&explained))
      return capi::fail(text, TENSIM_BAD_INPUT, problem->text);
    *text = new tensim_text{std::get<std::string>(explained)};
    return TENSIM_OK;
  });
}

// ---- what a chip is ----

TENSIM_EXPORT tensim_status tensim_describe_arch(tensim_arch arch, int timing, tensim_format format,
                                                 tensim_text** text) {
  const auto chip = capi::arch_of(arch);
  const auto wanted = capi::format_of(format);
  return capi::new_text(text, chip && wanted, [&] { return report::arch_report(*chip, timing != 0, *wanted); });
}

TENSIM_EXPORT tensim_status tensim_instruction_header(tensim_arch arch, tensim_text** text) {
  const auto chip = capi::arch_of(arch);
  return capi::new_text(text, chip.has_value(), [&] { return isa::c_header(*chip); });
}

TENSIM_EXPORT tensim_status tensim_noc_header(tensim_arch arch, tensim_text** text) {
  const auto chip = capi::arch_of(arch);
  return capi::new_text(text, chip.has_value(), [&] { return chip::noc_header(*chip); });
}

}  // extern "C"
