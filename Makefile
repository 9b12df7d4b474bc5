# tensim: make demo, make test; the rest is below. Each target installs the Debian packages it needs as root, and
# names them otherwise.
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev libelf-dev libdw-dev libtomlplusplus-dev libprotozero-dev gcc-riscv64-unknown-elf
TEST_PACKAGES := libgtest-dev python3 qemu-user gdb-multiarch
BENCH_PACKAGES := libbenchmark-dev valgrind
CHECK_PACKAGES := clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev

# Under sanitizers these took a third of the time, and shorter tests run the same code: make test has them.
LONG_TESTS := Silicon.Programs*:SiliconNoc.Programs*:NetworkProperty.*NaiveModel:*EveryTileCounts*:*FootprintProperty*:RiscvDecode.EveryWord*

.PHONY: help
help:  ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: demo
demo: build  ## build tensim and run it on bundled examples
	@tools/demo.sh

.PHONY: test
test: build-tests  ## build and run the tests
	ctest --test-dir build --output-on-failure -j $(JOBS) --output-junit tests.xml

.PHONY: check
check: deps-check build-check  ## everything else: sanitizers, threads, fuzzing, formatting, clang-tidy, generated docs
	tools/test_at_once.sh build-check/tests/tensim_tests '-$(LONG_TESTS)'
	TENSIM_SEEDS=3 build-threads/tests/threads/tensim_thread_tests --gtest_brief=1  # make test has more of them
	tools/fuzz.sh build-check
	clang-format-19 --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp' 'guest/*.h' 'examples/guest/*.h' 'examples/guest/*.c')
	tools/tidy.sh build-check
	tools/check_docs.sh build-check/tensim-docs
	tools/check_commit.sh

.PHONY: build
build: deps-build  ## build build/tensim
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset release

.PHONY: build-tests
build-tests: deps-test
	@mkdir -p build
	@cmake --preset test >build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset test

.PHONY: build-check
build-check: deps-check
	cmake --preset check
	cmake --build --preset check
	cmake --preset threads
	cmake --build --preset threads

.PHONY: docs
docs: build  ## write the generated pages under docs/
	build/tensim-docs docs

.PHONY: checklist
checklist:  ## ID, pass|open|fail and test for each line of docs/hardware/checklist.md
	@$(MAKE) --no-print-directory build-tests >&2
	@python3 tools/checklist.py build

.PHONY: bench
bench: deps-bench  ## speed: simulated instructions per second, and host instructions each (callgrind)
	@mkdir -p build
	@cmake --preset test -DTENSIM_BENCH=ON >build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset test
	build/bench/tensim_bench
	@tools/count.sh

.PHONY: silicon
silicon: build-tests  ## figures measured on cards, documented ones and ours
	@build/tests/tensim_silicon data/silicon

.PHONY: format
format: deps-check  ## reformat the sources
	clang-format-19 -i $$(git ls-files '*.cpp' '*.hpp' 'guest/*.h' 'examples/guest/*.h' 'examples/guest/*.c')

.PHONY: install
install: build  ## install under PREFIX (default /usr/local)
	cmake --install build --prefix $(PREFIX)

.PHONY: clean
clean:  ## remove everything built
	rm -rf build build-check build-debug build-threads

.PHONY: deps-build deps-test deps-check deps-bench
deps-build:
	@tools/deps.sh $(BUILD_PACKAGES)
deps-test:
	@tools/deps.sh $(BUILD_PACKAGES) $(TEST_PACKAGES)
deps-check:
	@tools/deps.sh $(BUILD_PACKAGES) $(TEST_PACKAGES) $(CHECK_PACKAGES)
deps-bench:
	@tools/deps.sh $(BUILD_PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES)
