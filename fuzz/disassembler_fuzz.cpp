// Every word disassembles, in every syntax, to text that assembles to it again.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "isa/assembler/assemble.hpp"
#include "isa/disassemble.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<isa::Word> words(size / 4);
  if (words.empty()) return 0;
  std::memcpy(words.data(), data, words.size() * 4);
  for (const Arch arch : all_archs)
    for (const isa::Syntax syntax : {isa::Syntax::vendor, isa::Syntax::named, isa::Syntax::brief}) {
      std::string text;
      for (const isa::Word word : words)
        text += to_text(isa::decode(arch, word), syntax) + "\n";
      const isa::Assembly assembly = isa::assemble(arch, text, "fuzz.s");
      if (assembly.words.size() != words.size()) std::abort();
      for (std::size_t i = 0; i < words.size(); ++i)
        if (assembly.words[i].word != words[i]) std::abort();
    }
  return 0;
}
