import { expect, test } from "bun:test";
import { damageText } from "../../../packages/runtime/src/journal/damage-text.ts";

const aside = "/a/journal.jsonl.damaged-1";
const kept = `the damaged journal is kept as ${aside}`;

test.each<[unreadable: readonly number[], added: number, text: string]>([
  [[3], 0, `line 3 of journal.jsonl could not be read and was left out; ${kept}`],
  [
    [3, 7, 9],
    1,
    `lines 3, 7 and 9 of journal.jsonl could not be read and were left out; 1 line stands in journal.jsonl for what was lost, such as results of tools; ${kept}`,
  ],
  [[], 2, `2 lines stand in journal.jsonl for what was lost, such as results of tools; ${kept}`],
  [
    Array.from({ length: 40 }, (_, place) => place + 1),
    0,
    `lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 30 more of journal.jsonl could not be read and were left out; ${kept}`,
  ],
])("damage is told on one line (%#)", (unreadable, added, text) => {
  expect(damageText("/a/journal.jsonl", { unreadable, added, aside })).toBe(text);
});
