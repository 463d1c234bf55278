import { describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readRepositoryNotes } from "./repository-notes.ts";

function read(workspace: string, whyHidden: (path: string) => string | undefined = () => undefined) {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const notes = readRepositoryNotes(workspace, { whyHidden, onWarning });
  return { notes, warnings, texts: notes.map(({ text }) => text) };
}

describe("what a repository says to agents", () => {
  test("is AGENTS.md, else CLAUDE.md, of each folder from its root to the workspace", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "AGENTS.md": "above the repository",
      "repo/AGENTS.md": "root",
      "repo/CLAUDE.md": "not read",
      "repo/packages/CLAUDE.md": "packages",
      "repo/packages/a/src/x.ts": "",
      "repo/packages/b/AGENTS.md": "beside",
    });
    mkdirSync(join(folder.path, "repo/.git"));
    const { notes, texts, warnings } = read(join(folder.path, "repo/packages/a"));
    expect(texts).toEqual(["root", "packages"]);
    expect(notes[0]?.path).toEndWith("/repo/AGENTS.md");
    expect(warnings).toEqual([]);
  });

  test("is only the workspace's if no folder above is a repository", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "AGENTS.md": "above", "work/AGENTS.md": "here" });
    expect(read(join(folder.path, "work")).texts).toEqual(["here"]);
  });

  // Nobody else can give a folder to another user.
  test.skipIf(process.getuid?.() !== 0)("does not include another user's repository around the workspace", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "AGENTS.md": "of another user", "work/AGENTS.md": "here" });
    mkdirSync(join(folder.path, ".git"));
    expect(read(join(folder.path, "work")).texts).toEqual(["of another user", "here"]);
    chownSync(join(folder.path, ".git"), 20_000, 20_000);
    expect(read(join(folder.path, "work")).texts).toEqual(["here"]);
    // Such as a checkout of the user that a container mounts.
    chownSync(join(folder.path, "work"), 20_000, 20_000);
    expect(read(join(folder.path, "work")).texts).toEqual(["of another user", "here"]);
  });

  test("is cut at 64 KiB: the nearest folder comes first, and the cut is counted, between two characters", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "repo/AGENTS.md": "é".repeat(10_000), "repo/work/AGENTS.md": "x".repeat(60_001) });
    mkdirSync(join(folder.path, "repo/.git"));
    const { notes, warnings } = read(join(folder.path, "repo/work"));
    expect(notes.map(({ size, omitted }) => [size, omitted])).toEqual([
      [20_000, 14_466],
      [60_001, 0],
    ]);
    expect(notes[0]?.text).toBe("é".repeat(2767));
    expect(warnings).toEqual([
      expect.stringMatching(/^the model does not receive the last 14466 bytes of .*\/repo\/AGENTS.md$/),
    ]);
  });

  test("leaves out, with a warning, what is no file, not UTF-8, or linked from outside", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "secret.md": "secret", "repo/real.md": "inside" });
    const place = (name: string): string => join(folder.path, "repo", name);
    for (const name of ["a", "a/b", "a/b/c", "a/b/c/d"]) mkdirSync(place(name));
    mkdirSync(place(".git"));
    symlinkSync("real.md", place("AGENTS.md"));
    symlinkSync("../../secret.md", place("a/AGENTS.md"));
    mkdirSync(place("a/b/AGENTS.md"));
    writeFileSync(place("a/b/c/AGENTS.md"), new Uint8Array([0x61, 0xff, 0x61]));
    const { texts, warnings } = read(place("a/b/c/d"));
    expect(texts).toEqual(["inside"]);
    expect(warnings.map((line) => line.replace(/ \S*\/repo\//, " "))).toEqual([
      "the model does not receive a/b/c/AGENTS.md: it is not UTF-8",
      expect.stringMatching(/^the model does not receive a\/b\/AGENTS.md: .*(EISDIR|folder)/),
      "the model does not receive a/AGENTS.md: it is a symbolic link that leads outside the repository",
    ]);
  });

  test("includes the files that a CLAUDE.md imports, each once, five levels deep, but not from outside", () => {
    using folder = temporaryDirectory();
    const deep = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`repo/deep/${n}.md`, `deep ${n} @${n + 1}.md`]));
    writeFiles(folder.path, {
      "outside.md": "outside",
      "repo/CLAUDE.md": [
        "@docs/rules.md and @docs/my\\ notes.md.",
        "`@docs/code.md` ``a ` @docs/code.md`` mail me@docs/code.md <!-- @docs/code.md -->",
        "```\n@docs/code.md\n```",
        "Ask @someone about @types/node and @docs. @docs/missing.md",
        "@../outside.md @deep/1.md @.env",
      ].join("\n"),
      "repo/docs/rules.md": "rules @rules.md @../CLAUDE.md @more.md",
      "repo/docs/my notes.md": "notes",
      "repo/docs/more.md": "more",
      "repo/docs/code.md": "never",
      "repo/.env": "KEY=1",
      ...deep,
    });
    mkdirSync(join(folder.path, "repo/.git"));
    const isSecret = (path: string): string | undefined => (path.endsWith(".env") ? "it is secret" : undefined);
    const { notes, warnings } = read(join(folder.path, "repo"), isSecret);
    expect(notes.map(({ path }) => path.replace(/.*\/repo\//, ""))).toEqual([
      ...["CLAUDE.md", "docs/rules.md", "docs/more.md", "docs/my notes.md"],
      ...[1, 2, 3, 4, 5].map((n) => `deep/${n}.md`),
    ]);
    expect(warnings.map((line) => line.replace(/ \S*\/(repo|outside)/, " $1"))).toEqual([
      "the model does not receive repo/docs/missing.md: CLAUDE.md imports it, but it does not exist",
      "the model does not receive outside.md: it is outside the repository",
      "the model does not receive repo/.env: it is secret",
    ]);
  });

  test("does not follow an `@` in AGENTS.md, which imports nothing", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "work/AGENTS.md": "@rules.md", "work/rules.md": "rules" });
    expect(read(join(folder.path, "work"))).toMatchObject({ texts: ["@rules.md"], warnings: [] });
  });

  test("leaves out what the user denies or what is secret", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "work/AGENTS.md": "here" });
    const { texts, warnings } = read(join(folder.path, "work"), () => "reading it is denied");
    expect(texts).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("reading it is denied")]);
  });
});
