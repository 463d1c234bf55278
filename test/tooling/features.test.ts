import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { featureRows, referenceComplaint } from "../support/test-references.ts";

const ROOT = join(import.meta.dir, "../..");

/** How many rows each specification has: all of them work. */
const SPECIFICATIONS = { M: 70, A: 49, B: 111, C: 34 } as const;
const ROWS: readonly string[] = Object.entries(SPECIFICATIONS).flatMap(([name, count]) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`),
);

const text = await Bun.file(join(ROOT, "test/features.md")).text();
const features = featureRows(text);

describe("test/features.md", () => {
  test("has every row that works once", () => {
    const rows = features.flatMap(({ row }) => (row === "" ? [] : [row]));
    expect(rows.toSorted()).toEqual(ROWS.toSorted());
  });

  test("has no row in another form", () => {
    const lines = text.split("\n").filter((line) => line.startsWith("|") && !/^\|(---|\s*Feature \|)/.test(line));
    expect(lines).toHaveLength(features.length);
  });

  test.each([...features])("shows $feature, by tests that exist", async ({ tests }) => {
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
    "has every row that works once",
    "shows `agent.mdx` is required, by tests that exist",
  ])("accepts the title %s", async (title) => {
    expect(await referenceComplaint(`test/tooling/features.test.ts › ${title}`)).toBeUndefined();
  });
});
