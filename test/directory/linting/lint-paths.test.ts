import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { lintPaths, lintRules } from "@mdx-ai/directory/linting";
import { surroundingsIn } from "../../support/front-end.ts";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { BAD, GOOD, NOTED, type Row } from "./foreign-files.ts";

interface LintedOptions {
  readonly isStrict?: boolean;
  readonly ignored?: readonly string[];
}

async function linted(files: Row[1], { isStrict = false, ignored = [] }: LintedOptions = {}) {
  using home = temporaryDirectory();
  // A second path, so that an agent directory and an empty folder are linted as all others are.
  const paths = ["project", "empty"].map((name) => join(home.path, name));
  for (const path of paths) mkdirSync(path);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.path, "project", path)), { recursive: true });
    writeFileSync(join(home.path, "project", path), text);
  }
  const signal = new AbortController().signal;
  const lint = await lintPaths(paths, surroundingsIn(home.path), { signal, isStrict, ignored });
  const { diagnostics = [] } = lint ?? {};
  for (const { message, hint = "" } of diagnostics) {
    expect(message).toMatch(PLAIN_MESSAGE);
    expect(hint).not.toBe("");
  }
  const root = join(home.path, "project");
  return diagnostics
    .map(({ file, line, column, severity, rule }) => `${relative(root, file)}:${line}:${column} ${severity} ${rule}`)
    .toSorted();
}

describe("files of other programs", () => {
  test.each(GOOD)("%s: nothing is wrong", async (_name, files, expected) => {
    expect(await linted(files)).toStrictEqual([...expected]);
  });

  test.each(BAD)("%s", async (_name, files, expected) => {
    expect(await linted(files)).toStrictEqual([...expected].toSorted());
  });

  test.each(NOTED)("%s is a note of a strict check", async (_name, files, expected) => {
    expect(await linted(files)).toStrictEqual([]);
    expect(await linted(files, { isStrict: true })).toStrictEqual([...expected]);
  });

  test("each rule has a case", () => {
    const shown = new Set([...BAD, ...NOTED].flatMap(([, , expected]) => expected.map((one) => one.split(" ").at(-1))));
    expect(Object.keys(lintRules).filter((rule) => !shown.has(rule))).toStrictEqual([]);
  });

  test("can be left out by a pattern", async () => {
    const files = { "test/broken/AGENTS.md": "", "docs/AGENTS.md": "" };
    expect(await linted(files, { ignored: ["test/**"] })).toStrictEqual([
      "docs/AGENTS.md:1:1 warning instructions-empty",
    ]);
    expect(await linted(files, { ignored: ["test/", "**/docs"] })).toStrictEqual([]);
  });

  test("that cannot be read are errors", async () => {
    using home = temporaryDirectory();
    const path = join(home.path, "AGENTS.md");
    const signal = new AbortController().signal;
    const lint = async () =>
      (await lintPaths([path], surroundingsIn(home.path), { signal, isStrict: false, ignored: [] }))?.diagnostics;
    writeFileSync(path, new Uint8Array([0x41, 0xff]));
    expect(await lint()).toMatchObject([{ file: path, rule: "file-encoding", severity: "error" }]);
    writeFileSync(path, Buffer.alloc(2 ** 21, "a"));
    expect(await lint()).toMatchObject([{ rule: "file-too-large" }]);
    if (process.getuid?.() === 0) return;
    chmodSync(path, 0o000);
    expect(await lint()).toMatchObject([{ rule: "file-unreadable" }]);
  });
});
