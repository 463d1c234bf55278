import { expect, test } from "bun:test";
import { join } from "node:path";
import { referenceComplaint, referenceRows } from "../support/test-references.ts";

const rowsOf = async (page: string) => referenceRows(await Bun.file(join(import.meta.dir, "../../docs", page)).text());

const attacks = await rowsOf("security.md");

test("docs/security.md describes every attack that is tested", () => {
  expect(attacks.length).toBeGreaterThanOrEqual(30);
});

test.each([...attacks])("what becomes of the attack by $name is shown by tests that exist", async ({ tests }) => {
  const complaints = await Promise.all(tests.map(referenceComplaint));
  expect(complaints.filter((one) => one !== undefined)).toStrictEqual([]);
});
