import { expect, test } from "bun:test";
import { damageTexts, findDamage } from "../../../packages/runtime/src/damage/find-damage.ts";

const WHOLE = { lines: [], gaps: [], unreadable: [], isTorn: false };

test.each<[unreadable: readonly number[], missing: number, isTorn: boolean, texts: readonly string[]]>([
  [[3], 0, false, ["line 3 of journal.jsonl cannot be read"]],
  [
    [3, 7, 9],
    1,
    true,
    [
      "lines 3, 7 and 9 of journal.jsonl cannot be read",
      "the last line of journal.jsonl is unfinished",
      "journal.jsonl lacks a line, such as results of tools",
    ],
  ],
  [[], 2, false, ["journal.jsonl lacks 2 lines, such as results of tools"]],
  [
    Array.from({ length: 40 }, (_, index) => index + 1),
    0,
    false,
    ["lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 30 more of journal.jsonl cannot be read"],
  ],
])("each kind of damage is described on one line (%#)", (unreadable, missing, isTorn, texts) => {
  expect(damageTexts("/a/journal.jsonl", { unreadable, missing, isTorn })).toStrictEqual(texts);
});

test("a journal without damage has none, and a torn one or one with unreadable lines has", () => {
  expect(findDamage(WHOLE)).toStrictEqual({ lines: [] });
  expect(findDamage({ ...WHOLE, isTorn: true })).toStrictEqual({
    lines: [],
    damage: { unreadable: [], missing: 0, isTorn: true },
  });
  expect(findDamage({ ...WHOLE, unreadable: [1], gaps: [0] })).toStrictEqual({
    lines: [],
    damage: { unreadable: [1], missing: 0, isTorn: false },
  });
});
