import { expect, test } from "bun:test";
import { join } from "node:path";
import { replyProblem } from "../../packages/models/src/script/reply-shape.ts";
import { codeSpans, tableRows } from "../support/markdown-text.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/reference/script-models.md")).text();

/** The fields that a reply, or a part of it, accepts, as the message about an unknown one lists them. */
const fieldsOf = (reply: unknown): readonly string[] =>
  replyProblem(reply)
    ?.replace(/^.* expected one of /, "")
    .split(", ") ?? [];

const firstCells = (head: string): readonly string[] =>
  tableRows(page, head).map(([cell = ""]) => codeSpans(cell)[0] ?? cell);

test("docs/reference/script-models.md describes exactly the fields of a reply", () => {
  expect([...firstCells("| field |")].sort()).toEqual([...fieldsOf({ bogus: 1 })].sort());
  expect([...firstCells("| field of")].sort()).toEqual([...fieldsOf({ error: { message: "a", bogus: 1 } })].sort());
  const [, calls = ""] = tableRows(page, "| field |").find(([cell]) => cell === "`calls`") ?? [];
  expect([...codeSpans(calls)].sort()).toEqual([...fieldsOf({ calls: [{ name: "a", bogus: 1 }] })].sort());
  const [, usage = ""] = tableRows(page, "| field |").find(([cell]) => cell === "`usage`") ?? [];
  expect([...codeSpans(usage)].map((text) => text.replace(/:.*/, "")).sort()).toEqual(
    [...fieldsOf({ usage: { bogus: 1 } })].sort(),
  );
});
