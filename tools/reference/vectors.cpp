// Runs instructions on a reference and writes down what they leave behind: a maker of test vectors.
//
//   tensim-vectors --reference libttsim.so --t0 unpack.s --t1 math.s --config T0:64=0x15 --memory 0x40000:in.bin
//                  --dump 0x41000:2048:out.bin --dump-dst dst.bin
//
// Order: memory, then stores and configuration in the order given, then all threads at once, then dumps.
#include <cstdio>
#include <fstream>
#include <iterator>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isa/assembler/assemble.hpp"
#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;

struct Options {
  std::string library;  // empty: our own tile
  std::string arch = "blackhole";
  std::array<std::string, tensix::thread_count> programs;
  std::vector<std::string> memory;   // ADDRESS:FILE
  std::vector<std::string> stores;   // Tn:ADDRESS=VALUE
  std::vector<std::string> configs;  // Tn:WORD=VALUE
  std::vector<std::string> dumps;    // ADDRESS:BYTES:FILE
  std::string dump_dst;
  std::uint64_t budget = ReferenceTile::default_budget;
};

[[noreturn]] void fail(const std::string& text) {
  std::fputs(("tensim-vectors: " + text + "\n").c_str(), stderr);
  std::exit(2);
}

void expect(const std::optional<Error>& error) {
  if (error) fail(error->text);
}

std::uint32_t number(const std::string& text) {
  std::size_t used = 0;
  unsigned long value = 0;
  try {
    value = std::stoul(text, &used, 0);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || value > 0xFFFFFFFFU) fail("expected a number, not '" + text + "'");
  return static_cast<std::uint32_t>(value);
}

/// The parts between `separators`, one of each, in this order.
std::vector<std::string> parts(const std::string& text, std::string_view separators) {
  std::vector<std::string> result;
  std::size_t from = 0;
  for (const char separator : separators) {
    const std::size_t to = text.find(separator, from);
    if (to == std::string::npos) fail(fmt::format("'{}': expected a '{}'", text, separator));
    result.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  result.push_back(text.substr(from));
  return result;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

void save(const std::string& path, const void* bytes, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  if (!file.flush()) fail("cannot write '" + path + "'");
}

AccessList& list_of(AccessLists& lists, const std::string& thread) {
  if (thread.size() != 2 || thread[0] != 'T' || thread[1] < '0' || thread[1] > '2')
    fail("expected T0, T1 or T2, not '" + thread + "'");
  return lists[static_cast<unsigned>(thread[1] - '0')];
}

AccessLists lists_of(const Options& options, Arch arch) {
  AccessLists lists;
  for (const std::string& text : options.stores) {
    const auto store = parts(text, ":=");
    list_of(lists, store[0]).store(number(store[1]), number(store[2]));
  }
  for (const std::string& text : options.configs) {
    const auto config = parts(text, ":=");
    list_of(lists, config[0]).config(number(config[1]), number(config[2]));
  }
  for (unsigned thread = 0; thread < lists.size(); ++thread) {
    if (options.programs[thread].empty()) continue;
    const isa::Assembly assembly = isa::assemble(arch, content(options.programs[thread]), options.programs[thread]);
    for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
      std::fputs((isa::to_text(diagnostic) + "\n").c_str(), stderr);
    if (!assembly.ok()) std::exit(2);
    for (const isa::AssembledWord& word : assembly.words)
      lists[thread].push(word.word);
  }
  return lists;
}

template <class Tile>
void run(const Options& options, Tile& tile) {
  for (const std::string& text : options.memory) {
    const auto memory = parts(text, ":");
    const std::string bytes = content(memory[1]);
    expect(tile.write(number(memory[0]), {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  }
  expect(tile.run(lists_of(options, tile.arch()), options.budget));
  for (const std::string& text : options.dumps) {
    const auto dump = parts(text, "::");
    std::vector<std::uint8_t> bytes(number(dump[1]));
    expect(tile.read(number(dump[0]), bytes));
    save(dump[2], bytes.data(), bytes.size());
  }
  if (options.dump_dst.empty()) return;
  std::vector<DstRow> rows(tensix::Dst::rows);
  expect(tile.read_dst(0, rows));
  save(options.dump_dst, rows.data(), rows.size() * sizeof rows[0]);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"instructions on a reference, and what they leave behind", "tensim-vectors"};
  app.add_option("--reference", options.library, "a library with the interface of libttsim; our own tile if left out");
  app.add_option("--arch", options.arch, "wormhole or blackhole");
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    app.add_option(fmt::format("--t{}", thread), options.programs[thread], fmt::format("assembly for T{}", thread));
  app.add_option("--memory", options.memory, "bytes for L1: ADDRESS:FILE");
  app.add_option("--store", options.stores, "a store of a T core before its thread runs: Tn:ADDRESS=VALUE");
  app.add_option("--config", options.configs, "the same to backend configuration: Tn:WORD=VALUE");
  app.add_option("--dump", options.dumps, "write L1 to a file: ADDRESS:BYTES:FILE");
  app.add_option("--dump-dst", options.dump_dst, "write Dst to a file: 1024 rows of 16 times 16 bits");
  app.add_option("--budget", options.budget, "clocks, or cycles");
  CLI11_PARSE(app, argc, argv);
  const auto arch = parse_arch(options.arch);
  if (!arch) fail("expected wormhole or blackhole");
  if (options.library.empty()) {
    ModelTile tile(*arch);
    run(options, tile);
    return 0;
  }
  auto opened = ReferenceTile::open({.library = options.library, .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  run(options, std::get<ReferenceTile>(opened));
  return 0;
}
