#!/usr/bin/env python3
"""The checker finds what it looks for: a small tree of one file per folder, broken in one way at a time."""
import pathlib
import tempfile
import unittest

import check_layers


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name) / "src"
        for layer in check_layers.LAYERS:
            self.write(f"{layer}/{layer}.cpp", "")
        listed = sorted(f"{layer}/{layer}.cpp" for layer in check_layers.LAYERS if layer != "capi")
        self.write("CMakeLists.txt", "add_library(tensim\n  " + "\n  ".join(listed) + "\n)\n")
        self.write("capi/CMakeLists.txt", "set(interface_sources capi.cpp)\n")

    def write(self, path, text):
        (self.source / path).parent.mkdir(parents=True, exist_ok=True)
        (self.source / path).write_text(text)

    def errors(self, exceptions=frozenset()):
        return check_layers.errors(self.source.parent, exceptions)

    def test_a_tree_in_order_has_no_errors(self):
        self.write("tile/tile.cpp", '#include "arch/arch.hpp"\n#include "tile/tile.hpp"\n#include <vector>\n')
        self.write("capi/capi.cpp", '#include "tensim/base.h"\n')
        self.write("arch/arch_test.cpp", '#include "capi/capi.hpp"\n')
        self.assertEqual(self.errors(), [])

    def test_a_folder_above_may_not_be_included(self):
        self.write("arch/arch.cpp", '  #  include "tile/tile.hpp"\n')
        self.assertEqual(self.errors(), ["src/arch/arch.cpp includes tile/tile.hpp: that folder is not below it"])

    def test_tests_and_the_c_interface_may_not_be_included(self):
        self.write("arch/arch.cpp", '#include "tests/support/a.hpp"\n#include "tensim/base.h"\n')
        self.assertEqual(len(self.errors()), 2)

    def test_an_exception_is_allowed_while_it_is_needed(self):
        exception = {("arch/arch.cpp", "tile/tile.hpp")}
        self.assertEqual(self.errors(exception), ["src/arch/arch.cpp no longer includes tile/tile.hpp: delete the exception"])
        self.write("arch/arch.cpp", '#include "tile/tile.hpp"\n')
        self.assertEqual(self.errors(exception), [])

    def test_a_folder_needs_a_place(self):
        self.write("util/CMakeLists.txt", "")
        self.assertEqual(self.errors(), ["src/util has no place in LAYERS"])

    def test_a_source_must_be_listed(self):
        self.write("tile/new.cpp", "")
        self.write("capi/new.cpp", "")
        self.assertEqual(self.errors(), ["src/capi/new.cpp is not in src/capi/CMakeLists.txt",
                                         "src/tile/new.cpp is not in src/CMakeLists.txt"])

    def test_a_listed_source_must_exist_and_the_list_be_sorted(self):
        (self.source / "tile/tile.cpp").unlink()
        self.assertEqual(self.errors(), ["src/CMakeLists.txt names tile/tile.cpp, which does not exist"])
        self.write("tile/tile.cpp", "")
        text = (self.source / "CMakeLists.txt").read_text().replace("  arch/arch.cpp\n", "")
        self.write("CMakeLists.txt", text.replace("\n)", "\n  arch/arch.cpp\n)"))
        self.assertEqual(self.errors(), ["src/CMakeLists.txt: arch/arch.cpp stands behind trace/trace.cpp"])


if __name__ == "__main__":
    unittest.main()
