// Host instructions of one MVMUL, ELWMUL or ELWADD (8 rows of 16 datums), for callgrind:
//   valgrind --tool=callgrind --toggle-collect='tensim_counted*' build/bench/tensim_count_matrix mvmul 32
#include <array>
#include <cstdio>
#include <cstring>

#include "number/matrix_rows.hpp"

namespace {

using namespace tensim::number;

constexpr int repetitions = 100;

struct Operands {
  SrcAMatrix a{};
  std::array<SrcRow, 8> b{};
  std::array<DstBitsRow, 8> high{};
  std::array<DstBitsRow, 8> low{};
  std::array<MultiplyRow, 8> multiply{};
  std::array<ElementRow, 8> elements{};

  Operands() {
    std::uint32_t bits = 1;
    const auto next = [&bits] {
      bits = bits * 1664525U + 1013904223U;
      return src_from_bf16(0x3f00U + ((bits >> 16U) & 0x80ffU));
    };
    for (SrcRow& row : a) {
      for (std::uint32_t& x : row)
        x = next();
    }
    for (SrcRow& row : b) {
      for (std::uint32_t& x : row)
        x = next();
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      const DstRow dst{&high[i], &low[i], &high[i], &low[i]};
      multiply[i] = {&b[i], dst};
      elements[i] = {&a[i], &b[i], dst};
    }
  }
};

}  // namespace

extern "C" __attribute__((noinline)) void tensim_counted_matrix(Operands& operands, const char* what, bool dst_32b) {
  const ElementMode mode{{.dst_32b = dst_32b}};
  const HostVectors vectors = host_vectors();
  for (int i = 0; i < repetitions; ++i) {
    if (std::strcmp(what, "mvmul") == 0) multiply_rows(mode.matrix, operands.a, operands.multiply, vectors);
    if (std::strcmp(what, "elwmul") == 0) multiply_elements(mode, operands.elements, vectors);
    if (std::strcmp(what, "elwadd") == 0) add_elements(mode, AddOrSubtract::add, true, operands.elements, vectors);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "mvmul";
  const bool dst_32b = argc > 2 && std::strcmp(argv[2], "32") == 0;
  Operands operands;
  tensim_counted_matrix(operands, what, dst_32b);
  std::printf("%d times %s, Dst of %d bits\n", repetitions, what, dst_32b ? 32 : 16);
  return 0;
}
