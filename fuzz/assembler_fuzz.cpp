// Any text assembles to words or to errors, in bounded time; what assembles disassembles to itself.
#include <cstdlib>
#include <string_view>

#include "isa/assembler/assemble.hpp"
#include "isa/disassemble.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Arch arch = (data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  isa::AssembleOptions options;
  options.max_words = 1 << 12;
  options.max_steps = 1 << 14;
  // An included file is the text itself: self-inclusion must end.
  options.load = [&](const std::string&) { return isa::LoadedText{std::string(text), {}}; };
  const isa::Assembly assembly = isa::assemble(arch, text, "fuzz.s", options);
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    (void)to_text(diagnostic);
  if (assembly.words.empty()) return 0;
  const isa::Word word = assembly.words.front().word;
  const isa::Assembly again = isa::assemble(arch, to_text(isa::decode(arch, word), isa::Syntax::named), "again.s");
  if (again.words.size() != 1 || again.words[0].word != word) std::abort();
  return 0;
}
