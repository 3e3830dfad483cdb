#!/usr/bin/env python3
"""ratchet.py SCORE... RATCHET [--raise] [--source]: no model may leave a stage that it has reached.

SCORE is what the corpus' score command wrote: one entry per model with its stages and a reason. RATCHET holds, for every stage,
the names of the models that reach it. A model of the ratchet that is missing in the score, or does not reach its stage, is named
and fails. Models that took too long are listed apart: give the score of a second try with more time as another SCORE before it.
--raise writes the names of this score into RATCHET where they are more. --source compares models from their source text in the
standard library: their stages have names of their own.
"""
import json
import sys

STAGES = ["check", "run", "tube"]


def main() -> int:
    raising = "--raise" in sys.argv
    prefix = "source_" if "--source" in sys.argv else ""
    *scores, ratchet_path = [a for a in sys.argv[1:] if not a.startswith("--")]
    results = {}
    for path in scores:
        for entry in json.load(open(path)):
            results[entry["name"]] = entry
    ratchet = json.load(open(ratchet_path))
    failed = False
    for stage in STAGES:
        reached = {name for name, entry in results.items() if entry[stage]}
        stage_name = prefix + stage
        before = set(ratchet.get(stage_name, []))
        lost = sorted(before - reached)
        late = [name for name in lost if "time-out" in results.get(name, {}).get("why", "")]
        for name in lost:
            why = results[name]["why"] if name in results else "it was not scored"
            print(f"ratchet: {stage_name}: {'too slow' if name in late else 'LOST'}: {name}: {why}")
        gained = sorted(reached - before)
        for name in gained:
            print(f"ratchet: {stage_name}: new: {name}")
        failed |= bool(lost)
        print(f"ratchet: {stage_name} {len(reached)}, of the ratchet {len(before) - len(lost)} of {len(before)}, {len(late)} too slow")
        ratchet[stage_name] = sorted(before | reached)
    if raising:
        with open(ratchet_path, "w") as out:
            json.dump(ratchet, out, indent=0)
            out.write("\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
