import { expect, test } from "bun:test";
import { join } from "node:path";
import { codeSpans } from "../../../../test/support/markdown-text.ts";
import { ATTRIBUTE, METRIC, SCHEMA_URL } from "./conventions.ts";

const ROOT = join(import.meta.dir, "../../../..");
const page = await Bun.file(join(ROOT, "docs/telemetry.md")).text();
const named = new Set(codeSpans(page));

test("the page about telemetry names every attribute and metric, and the version of their names", () => {
  const names = [...Object.values(ATTRIBUTE), ...Object.values(METRIC).map(({ name }) => name)];
  expect(names.filter((name) => !named.has(name))).toStrictEqual([]);
  expect(page).toContain(`conventions ${SCHEMA_URL.split("/").at(-1)},`);
});
