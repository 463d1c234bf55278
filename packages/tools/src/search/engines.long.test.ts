import { describe, expect, test } from "bun:test";
import { findProgram } from "@mdx-ai/base/disk";
import { walkFiles } from "@mdx-ai/tools/walk-files";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { ripgrepEngine } from "./ripgrep.ts";
import { searchPattern } from "./search-pattern.ts";
import type { Search } from "./search-root.ts";

const program = findProgram("rg", { environment: process.env, outside: [] }) ?? "rg";

const { signal } = new AbortController();

const searchFor = (root: string, text = "foo", ignoresCase = false): Search => ({
  pattern: searchPattern(text, ignoresCase),
  root,
  signal,
});

test.skipIf(requireProgram("rg"))("ripgrep is asked for the lines of more files than a command can name", async () => {
  using home = temporaryDirectory();
  const names = Array.from({ length: 3_000 }, (_, index) => `${"long".repeat(45)}/${index}.txt`);
  writeFiles(home.path, Object.fromEntries(names.map((name) => [name, "x\nfoo\n"])));
  const engine = ripgrepEngine(searchFor(home.path), program);
  expect([...(await engine.matchingLines(names, 5))]).toEqual(names.map((name) => [name, [2]]));
});

describe("a walk", () => {
  test("of one folder with many rules gives others a turn, and ends when it is aborted", async () => {
    using home = temporaryDirectory();
    const rules = Array.from({ length: 5_000 }, (_, index) => `${index}x/*.z${index}\n`).join("");
    const names = Array.from({ length: 2_000 }, (_, index) => `${index}.txt`);
    writeFiles(home.path, { ".gitignore": rules, ...Object.fromEntries(names.map((name) => [name, ""])) });
    const abort = new AbortController();
    setImmediate(() => setImmediate(() => abort.abort()));
    await expect(walkFiles({ root: home.path, signal: abort.signal })).rejects.toThrow("aborted");
  });
});
