#!/usr/bin/env python3
"""ratchet.py SCORE RATCHET: the number of models that reach each stage may only rise.

Fails when a stage counts fewer models than the committed ratchet says, less a small slack for models that finish close to
the time limit on a slow machine; says when the ratchet can be raised.
"""
import json
import sys

SLACK = 3


def main() -> int:
    results = json.load(open(sys.argv[1]))
    ratchet = json.load(open(sys.argv[2]))
    failed = False
    for stage, least in ratchet.items():
        count = sum(bool(r[stage]) for r in results)
        verdict = "ok"
        if count < least - SLACK:
            verdict, failed = "TOO FEW", True
        elif count > least:
            verdict = "raise the ratchet"
        print(f"ratchet: {stage} {count}, at least {least}: {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
