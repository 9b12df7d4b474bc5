#!/usr/bin/env python3
"""Prints `ID<TAB>pass|open|fail<TAB>test` for every line of docs/hardware/checklist.md.

A test names the ids it covers in a comment on the line that declares it: TEST(Suite, Name) {  // W40, M12
Usage: checklist.py BUILD_DIRECTORY. Non-zero only if a test of an id fails.
"""
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"\b([MUPCW]\d+)\b")
TEST = re.compile(r"TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)[^/\n]*//\s*([^\n]*)")


def checklist_ids():
    text = (ROOT / "docs/hardware/checklist.md").read_text()
    return re.findall(r"^- ([MUPCW]\d+) ", text, re.MULTILINE)


def tests_by_id():
    """Checklist id -> names of the tests that claim it."""
    claims = {}
    for folder in ("src", "tests"):
        for path in sorted((ROOT / folder).rglob("*_test.cpp")):
            for suite, name, comment in TEST.findall(path.read_text()):
                for identifier in ID.findall(comment):
                    claims.setdefault(identifier, []).append(f"{suite}.{name}")
    return claims


def sources():
    """All that a test can depend on and that no build puts into the build directory."""
    for folder in ("data", "docs", "examples", "guest", "include", "src", "tests", "tools"):
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def results(build):
    """What `make test` wrote about its tests; they are run again only if something has changed since."""
    report = build / "tests.xml"
    built = (build / "tests/tensim_tests", build / "tensim")
    if not report.exists() or report.stat().st_mtime < max(path.stat().st_mtime for path in (*sources(), *built)):
        run = ["ctest", "--test-dir", str(build), "-j", str(os.cpu_count()), "--output-junit", report.name]
        subprocess.run(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not report.exists():
        sys.exit(f"checklist: the tests of {build} did not run")
    return xml.etree.ElementTree.parse(report).getroot()


def failed_tests(report):
    """Names of all tests that ran, and of those that did not pass, without parameter suffixes."""
    ran, failed = set(), set()
    for test in report.iter("testcase"):
        suite, _, name = test.get("name").partition(".")
        # Instance/Suite.Name/0 is Suite.Name with a parameter.
        name = f"{suite.split('/')[-1]}.{name.split('/')[0]}"
        ran.add(name)
        if test.get("status") != "run":
            failed.add(name)
    return ran, failed


def main():
    claims = tests_by_id()
    ran, failed = failed_tests(results(pathlib.Path(sys.argv[1])))
    ids = checklist_ids()
    unknown = sorted(set(claims) - set(ids))
    status = 0
    for identifier in ids:
        tests = claims.get(identifier, [])
        if any(test in failed or test not in ran for test in tests):
            verdict, status = "fail", 1
        else:
            verdict = "pass" if tests else "open"
        print(f"{identifier}\t{verdict}\t{' '.join(tests)}")
    if unknown:
        sys.exit(f"checklist: tests name ids that do not exist: {' '.join(unknown)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
