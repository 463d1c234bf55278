import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { referenceComplaint, referenceRows } from "../support/test-references.ts";

const ROOT = join(import.meta.dir, "../..");

/** The rows that work, by the seed document that they come from: all of M and C, and what is done of A and B. */
const ROWS: readonly string[] = [
  ...Array.from({ length: 70 }, (_, index) => `M${index + 1}`),
  ...[
    1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 49,
  ].map((row) => `A${row}`),
  ...[
    1, 2, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 47, 48, 49, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 70, 74, 75, 76, 77, 78, 79, 80, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100,
    101, 102, 104, 106, 107, 110,
  ].map((row) => `B${row}`),
  ...Array.from({ length: 34 }, (_, index) => `C${index + 1}`),
];

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
