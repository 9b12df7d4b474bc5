// Three calls deep, with initialised and zeroed data. elf_image_test.cpp and unwind_test.cpp name its lines.
int table[4] = {1, 2, 3, 4};
int zeroed[16];
volatile int sink;

__attribute__((noinline)) int inner(int value) {
  sink = value;
  zeroed[value & 15] = table[value & 3];
  return value + sink;
}

__attribute__((noinline)) int middle(int value) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = value + i;
  int sum = inner(local[value & 7]);
  return sum + local[3];
}

__attribute__((noinline)) int outer(int value) {
  int sum = middle(value + 1);
  return sum * 3;
}

int main(void) {
  return outer(5) + 1;
}
