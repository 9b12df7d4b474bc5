// Names that are mangled.
namespace engine {
struct Counter {
  int value;
  __attribute__((noinline)) int add(int amount) {
    value += amount;
    return value;
  }
};
Counter counter{7};
template <typename T>
__attribute__((noinline)) T twice(T value) {
  return static_cast<T>(value * 2);
}
}  // namespace engine

extern "C" int main() {
  return engine::counter.add(engine::twice(3));
}
