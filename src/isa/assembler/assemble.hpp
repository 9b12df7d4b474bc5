// The Tensix assembler. One instruction a line, in the vendor's syntax or in the named one:
//
//   ttsemwait 322, 2, 2                     SEMPOST sem=MATH_PACK            SETDMAREG.Immediate ResultHalfReg=14, NewValue=120
//   .equ TILES, 4      TILES = 4            a constant
//   .rept TILES [, i]  ...  .endr           repetition; i counts 0, 1, 2 ... inside
//   .include "file"                         relative to the including file
//   .word 0xA4000008   .ttinsn 0xA4000008   a raw Tensix word (not rotated)
//   # ; //                                  comments
//
// Errors are values with file, line and column. Every input ends in bounded memory: text, lines, files, output, steps and
// nesting have limits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/source.hpp"
#include "isa/form.hpp"

namespace tensim::isa {

struct AssembledWord {
  Word word = 0;
  std::uint32_t file = 0;  // into Assembly::files
  std::uint32_t line = 0;
};

struct Assembly {
  std::vector<AssembledWord> words;
  std::vector<std::string> files;
  std::vector<Diagnostic> diagnostics;

  bool ok() const;
};

/// An included file: its text, or why there is none.
struct LoadedText {
  std::optional<std::string> text = {};
  std::string problem = {};
};

struct AssembleOptions {
  /// Reads an included file, once however often it is included. Without a loader, .include is an error.
  std::function<LoadedText(const std::string& path)> load = {};
  std::size_t max_text_bytes = std::size_t{64} << 20U;  // of all files together
  std::size_t max_line_bytes = std::size_t{64} << 10U;
  std::size_t max_files = 1000;
  std::size_t max_words = std::size_t{1} << 22U;
  std::size_t max_steps = std::size_t{1} << 24U;
};

Assembly assemble(Arch arch, std::string_view text, std::string file_name, const AssembleOptions& options = {});

}  // namespace tensim::isa
