#!/usr/bin/env python3
"""Which folder of src/ may include which, and whether src/CMakeLists.txt names every source.

A folder may include itself and the ones above it in LAYERS. As that is one order, there is no cycle between folders.
Tests (*_test.cpp) may include anything. Usage: check_layers.py [ROOT]. Prints what is wrong; exits 1 if anything is.
"""
import pathlib
import re
import sys

# Lowest first: what each contains is said in docs/architecture/README.md.
LAYERS = (
    "time",
    "text",
    "arch",
    "number",
    "isa",
    "noc",
    "event",
    "riscv",
    "tensix",
    "tile",
    "chip",
    "insight",
    "program",
    "explain",
    "scenario",
    "device",
    "trace",
    "reference",
    "report",
    "debug",
    "capi",
)

# Headers of include/tensim/ are what src/capi implements; nothing below knows them.
PUBLIC = "tensim"
PUBLIC_USERS = ("capi",)

# Includes that break the order today: file -> what it includes. Delete a line when it is mended; the check fails until then.
EXCEPTIONS = set()

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
SOURCE = re.compile(r"^\s*([\w/]+\.cpp)\s*$", re.MULTILINE)


def includes_of(source):
    """(file, what it includes) for all files of src/ that are no tests, with paths relative to src/."""
    for path in sorted(source.rglob("*.[ch]pp")):
        if not path.name.endswith("_test.cpp"):
            for included in INCLUDE.findall(path.read_text()):
                yield path.relative_to(source).as_posix(), included


def may_include(file, included):
    user, used = file.split("/")[0], included.split("/")[0]
    if used == PUBLIC:
        return user in PUBLIC_USERS
    return used in LAYERS and LAYERS.index(used) <= LAYERS.index(user)


def folder_errors(source):
    folders = sorted(path.name for path in source.iterdir() if path.is_dir())
    for folder in folders:
        if folder not in LAYERS:
            yield f"src/{folder} has no place in LAYERS"
    for folder in LAYERS:
        if folder not in folders:
            yield f"LAYERS names src/{folder}, which does not exist"


def layer_errors(source, exceptions):
    needed = set()
    for file, included in includes_of(source):
        if file.split("/")[0] not in LAYERS or may_include(file, included):
            continue
        if (file, included) in exceptions:
            needed.add((file, included))
        else:
            yield f"src/{file} includes {included}: that folder is not below it"
    for file, included in sorted(exceptions - needed):
        yield f"src/{file} no longer includes {included}: delete the exception"


def list_errors(source):
    """src/CMakeLists.txt names the sources of every folder but capi, which has a list of its own."""
    listed = SOURCE.findall((source / "CMakeLists.txt").read_text())
    own_list = (source / "capi" / "CMakeLists.txt").read_text()
    present = {path.relative_to(source).as_posix() for path in source.rglob("*.cpp") if not path.name.endswith("_test.cpp")}
    for file in sorted(present):
        if file.startswith("capi/"):
            if re.search(rf"\b{re.escape(file.removeprefix('capi/'))}\b", own_list) is None:
                yield f"src/{file} is not in src/capi/CMakeLists.txt"
        elif file not in listed:
            yield f"src/{file} is not in src/CMakeLists.txt"
    for file in sorted(set(listed) - present):
        yield f"src/CMakeLists.txt names {file}, which does not exist"
    for before, after in zip(listed, listed[1:]):
        if after <= before:
            yield f"src/CMakeLists.txt: {after} stands behind {before}"


def errors(root, exceptions):
    source = pathlib.Path(root) / "src"
    return [*folder_errors(source), *layer_errors(source, exceptions), *list_errors(source)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = errors(root, EXCEPTIONS)
    for error in found:
        print(error)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
