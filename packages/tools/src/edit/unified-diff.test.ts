import { expect, test } from "bun:test";
import { applyEdits } from "@mdx-ai/tools/edits";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { lineDifference } from "./unified-diff.ts";

const line = fc.constantFrom("a", "b", "c", "", "dd", "a b", "é ü", "ä");
const text = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => `${lines.join("\n")}\n`);
const edit = fc.record({
  at: fc.nat(60),
  length: fc.integer({ min: 1, max: 8 }),
  written: fc.string({ unit: fc.constantFrom("a", "x", "\n", "é"), maxLength: 5 }),
});

/** Applies a diff, whose context and removed lines must be in the text. */
function patched(before: string, diff: string): string {
  const lines = before.split("\n");
  const now: string[] = [];
  let next = 0;
  for (const each of diff.split("\n")) {
    const [, start, count] = /^@@ -(\d+),(\d+) /.exec(each) ?? [];
    if (start !== undefined) {
      const first = count === "0" ? Number(start) : Number(start) - 1;
      now.push(...lines.slice(next, first));
      next = first;
    } else if (each.startsWith("+")) now.push(each.slice(1));
    else {
      expect(lines[next]).toBe(each.slice(1));
      if (each.startsWith(" ")) now.push(each.slice(1));
      next += 1;
    }
  }
  return [...now, ...lines.slice(next)].join("\n");
}

test("the diff of random edits makes the new text of the old one", () => {
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 5 }), (before, edits) => {
      let now = before;
      const made = edits.flatMap(({ at, length, written }) => {
        const start = at % Math.max(1, now.length - 1);
        const old = now.slice(start, Math.min(start + length, now.length - 1));
        if (old === "" || old === written) return [];
        now = now.split(old).join(written);
        return [{ old, new: written, all: true }];
      });
      if (now === "" || made.length === 0) return;
      const { bytes, changes } = applyEdits(Buffer.from(before), made);
      const after = bytes.toString();
      expect(after).toBe(now);
      if (!after.endsWith("\n")) return;
      const { diff } = lineDifference(Buffer.from(before), bytes, changes);
      if (after !== before) expect(patched(before, diff)).toBe(after);
    }),
    randomCases(500),
  );
});
