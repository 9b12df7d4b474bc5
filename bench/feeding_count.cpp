// Host instructions per instruction that a core pushes: cores, store queues, FIFOs, gates and units together. For callgrind,
// as control_plane_count.cpp; the program is the first argument, `wormhole` may be the second.
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "bench/control_plane.hpp"
#include "number/layout.hpp"
#include "tests/support/riscv_words.hpp"
#include "tile/tile.hpp"

namespace {

using namespace tensim;
using tile::CoreId;
using tile::Tile;

constexpr unsigned unrolled = 8;
constexpr std::uint32_t code_of_t0 = 0x4000;
constexpr std::uint32_t code_bytes = 0x4000;

using Code = std::vector<rv::Word>;

/// A loop over `body`, eight times unrolled.
Code loop_of(const Code& body) {
  Code code;
  for (unsigned i = 0; i < unrolled; ++i)
    code.insert(code.end(), body.begin(), body.end());
  code.push_back(rv::addi(rv::s0, rv::s0, -1));
  code.push_back(rv::bne(rv::s0, rv::zero, -4 * (static_cast<int>(code.size()))));
  return code;
}

Code ttinsns(Arch arch, const char* text) {
  Code code;
  for (const isa::Word word : bench::words(arch, text))
    code.push_back(word << 2U | word >> 30U);
  return code;
}

void start(Tile& tile, CoreId core, const Code& code) {
  const std::uint32_t at = code_of_t0 + tile::thread_of(core) * code_bytes;
  tile.write(at, reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
  tile.release(core, at);
}

void start_semaphore_pipeline(Tile& tile) {
  tile.coprocessor.sync.init(3, 0, 1);
  const auto loop = [&](const char* text) { return loop_of(ttinsns(tile.arch, text)); };
  start(tile, CoreId::trisc0, loop("SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_MAX\nSEMPOST sem=1"));
  start(tile, CoreId::trisc1,
        loop("SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_ZERO\nSEMGET sem=1\n"
             "SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_MAX\nSEMPOST sem=2"));
  start(tile, CoreId::trisc2, loop("SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_ZERO\nSEMGET sem=2"));
}

void start_mutex_loops(Tile& tile) {
  for (const CoreId core : {CoreId::trisc0, CoreId::trisc1, CoreId::trisc2})
    start(tile, core, loop_of(ttinsns(tile.arch, "ATGETM mutex=2\nATRELM mutex=2")));
}

/// Both operands BF16, in both banks.
void prepare_matrix(Tile& tile) {
  constexpr std::uint32_t bf16 = 5;
  tensix::Coprocessor& coprocessor = tile.coprocessor;
  std::uint32_t bits = 1;
  for (auto& file : coprocessor.src_registers.banks)
    for (auto& bank : file)
      for (auto& row : bank)
        for (std::uint32_t& datum : row) {
          bits = bits * 1664525U + 1013904223U;
          datum = number::src_from_bf16(0x3f00U + ((bits >> 16U) & 0x80ffU));
        }
  coprocessor.src.matrix_owns[0][0] = coprocessor.src.matrix_owns[1][0] = true;
  for (auto& bank : coprocessor.config.bank)
    bank[1] = bf16 << 17U | bf16 << 21U;
  coprocessor.src_registers.format = {{{bf16, bf16}, {bf16, bf16}}};
}

Code every_eighth(Arch arch) {
  Code body = ttinsns(arch, "DMANOP");
  for (unsigned i = 0; i < 7; ++i)
    body.push_back(rv::addi(rv::a0, rv::a0, 1));
  return body;
}

/// The word stands in a register, and is stored to the instruction buffer.
Code stored_words(Arch arch) {
  const isa::Word word = bench::words(arch, "DMANOP")[0];
  Code code{rv::lui(rv::t0, 0xFFE40), rv::lui(rv::t1, word >> 12U)};
  const Code loop = loop_of({rv::sw(rv::t1, rv::t0, 0)});
  code.insert(code.end(), loop.begin(), loop.end());
  return code;
}

bool start(Tile& tile, const std::string& name) {
  const Arch arch = tile.arch;
  const auto of_t1 = [&](const Code& body) { start(tile, CoreId::trisc1, loop_of(body)); };
  if (name == "semaphores")
    start_semaphore_pipeline(tile);
  else if (name == "mutex")
    start_mutex_loops(tile);
  else if (name == "dmanop")
    of_t1(ttinsns(arch, "DMANOP"));
  else if (name == "sfpmad")
    of_t1(ttinsns(arch, "SFPMAD VA=4, VB=5, VC=6, VD=0\nSFPMAD VA=4, VB=5, VC=6, VD=1\nSFPMAD VA=4, VB=5, VC=6, VD=2"));
  else if (name == "sfploadstore")
    of_t1(ttinsns(arch, "SFPLOAD Mod0=3, VD=0, Imm10=0\nSFPSTORE Mod0=3, VD=1, Imm10=4"));
  else if (name == "mvmul") {
    prepare_matrix(tile);
    of_t1(ttinsns(arch, "MVMUL DstRow=0\nMVMUL DstRow=8\nMVMUL DstRow=16\nMVMUL DstRow=24\nMVMUL DstRow=32"));
  } else if (name == "every_eighth")
    of_t1(every_eighth(arch));
  else if (name == "stored")
    start(tile, CoreId::trisc1, stored_words(arch));
  else
    return false;
  return true;
}

std::uint64_t issued(const Tile& tile) {
  std::uint64_t sum = 0;
  for (const event::StallAccount& account : tile.coprocessor.accounts)
    sum += account[event::Stall::issued];
  return sum;
}

}  // namespace

extern "C" __attribute__((noinline)) void tensim_counted(Tile& tile, unsigned calls) {
  for (unsigned i = 0; i < calls; ++i)
    tile.run_until(tile.now() + 20'000);
}

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "semaphores";
  const bool is_wormhole = count > 2 && std::strcmp(arguments[2], "wormhole") == 0;
  const auto tile = std::make_unique<Tile>(is_wormhole ? Arch::wormhole : Arch::blackhole);
  if (!start(*tile, name)) {
    std::fprintf(stderr, "no such program here: %s\n", name.c_str());
    return 1;
  }
  tile->run_until(10'000);
  const std::uint64_t before = issued(*tile);
  tensim_counted(*tile, 2);
  std::printf("%llu instructions in %u cycles\n", static_cast<unsigned long long>(issued(*tile) - before), 40'000U);
  return 0;
}
