#!/usr/bin/env python3
"""Prints `ID<TAB>pass|open|fail<TAB>test` for every line of docs/hardware/checklist.md.

A test names the ids it covers in a comment on the line that declares it: TEST(Suite, Name) {  // W40, M12
Usage: checklist.py TEST_PROGRAM. Non-zero only if a test of an id fails.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

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


def failed_tests(program):
    """Names of all tests that ran, and of those that failed, without parameter suffixes."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([program, f"--gtest_output=json:{report}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not report.exists():
            sys.exit(f"checklist: {program} did not finish")
        suites = json.loads(report.read_text())["testsuites"]
    ran, failed = set(), set()
    for suite in suites:
        for test in suite["testsuite"]:
            name = f"{suite['name'].split('/')[-1]}.{test['name'].split('/')[0]}"
            ran.add(name)
            if test.get("failures") or test.get("status") != "RUN" or test.get("result") != "COMPLETED":
                failed.add(name)
    return ran, failed


def main():
    claims = tests_by_id()
    ran, failed = failed_tests(sys.argv[1])
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
