import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { referenceComplaint, referenceRows } from "../support/test-references.ts";

const ROOT = join(import.meta.dir, "../..");

/** How many rows each seed document has: all of them work. */
const SEEDS = { M: 70, A: 49, B: 111, C: 34 } as const;
const ROWS: readonly string[] = Object.entries(SEEDS).flatMap(([seed, count]) =>
  Array.from({ length: count }, (_, index) => `${seed}${index + 1}`),
);

interface Feature {
  readonly row: string;
  readonly title: string;
  readonly tests: readonly string[];
}

const text = await Bun.file(join(ROOT, "test/features.md")).text();
const features = text.split("\n").flatMap(feature);
/** What no row of the checklist asks for. */
const others = referenceRows(text).filter(({ name }) => !ROWS.includes(name));

/** A line such as `| M1 | title | test/a.test.ts › a title<br>test/b.test.ts › another |`. */
function feature(line: string): readonly Feature[] {
  const match = /^\| ([MABC]\d+) \| (.+?) \|(.*)\|$/.exec(line);
  if (match === null) return [];
  const [, row = "", title = "", tests = ""] = match;
  return [{ row, title, tests: tests.split("<br>").flatMap((cell) => cell.trim() || []) }];
}

describe("test/features.md", () => {
  test("has every row that works once, in order", () => {
    expect(features.map(({ row }) => row)).toEqual([...ROWS]);
  });

  test.each([...features])("shows $row, $title, by tests that exist", async ({ tests }) => {
    const complaints = await Promise.all(tests.map(referenceComplaint));
    expect(complaints.filter((one) => one !== undefined)).toEqual([]);
    expect(tests).not.toBeEmpty();
  });

  test.each([...others])("shows that $name, by tests that exist", async ({ tests }) => {
    const complaints = await Promise.all(tests.map(referenceComplaint));
    expect(complaints.filter((one) => one !== undefined)).toEqual([]);
  });

  test.each([
    ["without a title", "test/tooling/features.test.ts", "not of the form"],
    ["to a file that is not there", "test/tooling/gone.test.ts › a title", "no test file"],
    ["to a file that is no test", "scripts/test.ts › a title", "no test file"],
    ["to a title that is not there", "test/tooling/features.test.ts › never written", "no test"],
  ])("refuses a reference %s", async (_case, reference, expected) => {
    expect(await referenceComplaint(reference)).toContain(expected);
  });

  test.each([
    "refuses a reference %s",
    "refuses a reference without a title",
    "has every row that works once, in order",
    "shows M1, `agent.mdx` is required, by tests that exist",
  ])("accepts the title %s", async (title) => {
    expect(await referenceComplaint(`test/tooling/features.test.ts › ${title}`)).toBeUndefined();
  });
});
