import { expect, test } from "bun:test";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { writeFiles } from "../support/agent-files.ts";
import { codeSpans, tableRows } from "../support/markdown-text.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/reference/script-models.md")).text();

/** The fields that a reply, or a part of it, accepts, as the message about an unknown one lists them. */
async function fieldsOf(reply: unknown): Promise<string[]> {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "replies.jsonl": JSON.stringify(reply) });
  const { message } = await openModel("script:replies.jsonl", { cwd: folder.path }).then(
    () => new Error("opened"),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  return message
    .replace(/^.* expected one of /, "")
    .split(", ")
    .sort();
}

const firstCells = (head: string): readonly string[] =>
  tableRows(page, head).map(([cell = ""]) => codeSpans(cell)[0] ?? cell);

test("docs/reference/script-models.md describes exactly the fields of a reply", async () => {
  expect([...firstCells("| field |")].sort()).toEqual(await fieldsOf({ bogus: 1 }));
  expect([...firstCells("| field of")].sort()).toEqual(await fieldsOf({ error: { message: "a", bogus: 1 } }));
  const [, calls = ""] = tableRows(page, "| field |").find(([cell]) => cell === "`calls`") ?? [];
  expect([...codeSpans(calls)].sort()).toEqual(await fieldsOf({ calls: [{ name: "a", bogus: 1 }] }));
  const [, usage = ""] = tableRows(page, "| field |").find(([cell]) => cell === "`usage`") ?? [];
  expect([...codeSpans(usage)].map((text) => text.replace(/:.*/, "")).sort()).toEqual(
    await fieldsOf({ usage: { bogus: 1 } }),
  );
});
