"""Prints the table of docs/accuracy.md from what validation says of itself.

  maat validate --fit --json > fit.json && python docs/measure/accuracy_table.py fit.json
"""

import json
import sys


def pair(group):
    if group is None or group["median_abs_ln_ratio"] is None:
        return "–"
    return f"{group['median_abs_ln_ratio']:.3f} / {group['p90_abs_ln_ratio']:.3f}"


def coverage(group):
    return "–" if group is None or group["coverage_80"] is None else f"{group['coverage_80']:.2f}"


def line(name, metric, sample, models, machines):
    naive = sample.get("naive_median")
    naive = "–" if naive is None else f"{naive:.3f}"
    print(
        f"| {name} | {metric} | {sample['predicted']} | {pair(sample)} | {pair(models)} | {pair(machines)} "
        f"| {coverage(models)} / {coverage(machines)} | {naive} |"
    )


answer = json.load(open(sys.argv[1]))
left = {part["left"]: part for part in answer["left_out"]}
of = lambda way: {(g["benchmark"], g["metric"]): g for g in left[way]["groups"]}
models, machines = of("models"), of("hardware")
print("| benchmark | metric | rows | in sample | models left out | hardware left out | coverage | naive |")
print("|---|---|---:|---|---|---|---|---:|")
for group in answer["groups"]:
    key = group["benchmark"], group["metric"]
    if group["median_abs_ln_ratio"] is not None:
        line(*key, group, models.get(key), machines.get(key))
line("**all**", "", answer["overall"], left["models"]["overall"], left["hardware"]["overall"])
