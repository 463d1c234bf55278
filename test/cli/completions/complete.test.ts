import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../support/agent-files.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const AGENT = `# Agent: A

<Tool name="count" description="Counts
words">

\`\`\`ts
const execute = () => "1";
\`\`\`

</Tool>

<Tool name="cut" description="Cuts">

\`\`\`ts
const execute = () => "1";
\`\`\`

</Tool>
`;

/** A folder with an agent that has two tools and two sessions, and other files. */
function folder() {
  const home = temporaryDirectory();
  writeFiles(home.path, {
    "my agent/agent.mdx": AGENT,
    "my agent/sessions/main/history.json": "[]",
    "my agent/sessions/other/history.json": "[]",
    "notes.yaml": "",
    "reviewer.md": "",
    ".hidden/x": "",
  });
  mkdirSync(join(home.path, "dir"));
  return home;
}

const CASES: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
  [["che"], ["check"]],
  [["d"], ["diff", "dir/"]],
  [["my"], ["my agent/"]],
  [["./d"], ["./dir/"]],
  [["my agent/se"], ["my agent/sessions/"]],
  [[".h"], [".hidden/"]],
  [["~/d"], ["~/dir/"]],
  [["nothing/"], []],
  [["agent", "d"], ["dir/"]],
  [["rev"], ["reviewer.md"]],
  [["agent", "r"], ["reviewer.md"]],
  [["init", "r"], []],
  [["init", "x", "--from", "r"], ["reviewer.md"]],
  [["agent", "dir", ""], []],
  [["diff", "n"], ["notes.yaml"]],
  [["my agent", "--pro"], ["--prompt"]],
  [["my agent", "-p"], ["-p"]],
  [
    ["check", "--f"],
    ["--fix", "--format"],
  ],
  [
    ["my agent", "-s", ""],
    ["main", "other"],
  ],
  [["my agent", "--session=o"], ["--session=other"]],
  [["my agent", "--session", "=", "o"], ["other"]],
  [
    ["my agent", "--session", "="],
    ["main", "other"],
  ],
  [["agent", "--sandbox", "r"], ["required"]],
  [["agent", "--config", "n"], ["notes.yaml"]],
  [["agent", "-p", ""], []],
  [
    ["tool", "my agent", "c"],
    ["count", "cut"],
  ],
  [["tool", "dir", ""], []],
  [
    ["sessions", "my agent", "re"],
    ["rewind", "rename"],
  ],
  [["sessions", "my agent", "t"], ["title"]],
  [["sessions", "my agent", "show", "m"], ["main"]],
  [
    ["completions", ""],
    ["bash", "zsh", "fish"],
  ],
];

/** The lines that a shell gets for these words, each a word and its meaning; a word with a blank is quoted as it was typed. */
async function completed(words: readonly string[], home: string): Promise<readonly string[]> {
  const typed = words.map((word) => word.replaceAll(" ", "\\ "));
  const { exitCode, stdout, stderr } = await runCommandLine(["complete", "--", ...typed], { home });
  expect([exitCode, stderr]).toStrictEqual([0, ""]);
  return stdout.split("\n").slice(0, -1);
}

describe("completions", () => {
  test.each(CASES)("%j", async (words, expected) => {
    using home = folder();
    const lines = await completed(words, home.path);
    expect(lines.map((line) => line.split("\t")[0] ?? "").sort()).toEqual([...expected].sort());
  });

  test("say what a word means", async () => {
    using home = folder();
    expect(await completed(["tool", "my agent", "cou"], home.path)).toEqual(["count\tCounts words"]);
  });
});
