import { expect, test } from "bun:test";
import { join } from "node:path";
import { codeSpans } from "../support/markdown-text.ts";

const ROOT = join(import.meta.dir, "../..");

test("the page about traces names every field of their JSON", async () => {
  const page = await Bun.file(join(ROOT, "docs/trace.md")).text();
  const types = await Bun.file(join(ROOT, "packages/sessions/src/trace/trace.ts")).text();
  const fields = [...types.matchAll(/readonly (\w+)\??:/g)].map(([, name = ""]) => name);
  const told = new Set(codeSpans(page));
  expect(fields.length).toBeGreaterThan(40);
  expect(fields.filter((name) => !told.has(name))).toStrictEqual([]);
});
