import { expect, test } from "bun:test";
import { join } from "node:path";
import { type AgentFiles, agentDirectory } from "../../../../test/support/agent-directory.ts";
import { type Completion, InputCompletion } from "./screen/input-completion.ts";
import { WorkspaceFiles } from "./screen/workspace-files.ts";

const files: AgentFiles = {
  ".gitignore": "dist\n",
  "dist/alpha.js": "",
  "src/alpha.ts": "",
  "src/deep/al/pha/readme.md": "",
  "my file.md": "",
  "sessions/main/alpha.jsonl": "",
  "evil\u001b[2J.md": "",
};

const sessions: readonly Completion[] = [
  { value: "switch 2026-01-01_1", description: "Fix the login" },
  { value: "switch 2026-01-02_1", description: "Write the docs" },
];

const commands = [
  { name: "/quit", description: "leaves" },
  { name: "/session", words: "WHAT", description: "sessions", complete: () => sessions },
  { name: "/sessions", description: "another" },
  { name: "/skill:greet", words: "TEXT", description: "greets" },
];

/** What is offered behind a line, and the line after each choice. */
async function offered(line: string, { force = false } = {}): Promise<readonly string[]> {
  using directory = agentDirectory(files);
  const completion = new InputCompletion({
    commands: () => commands,
    files: new WorkspaceFiles(directory.path, [join(directory.path, "sessions")]),
    folder: directory.path,
  });
  const options = { signal: new AbortController().signal, force };
  const found = await completion.getSuggestions([line], 0, line.length, options);
  const { items = [], prefix = "" } = found ?? {};
  return items.map((item) => completion.applyCompletion([line], 0, line.length, item, prefix).lines[0] ?? "");
}

test.each([
  ["/", ["/quit ", "/session ", "/sessions ", "/skill:greet "]],
  ["/session", ["/session ", "/sessions "]],
  ["/sessions", ["/sessions "]],
  ["/gre", ["/skill:greet "]],
  ["/nothing", []],
  ["/session switch docs", ["/session switch 2026-01-02_1"]],
  ["/session switch 2026-01-01", ["/session switch 2026-01-01_1"]],
  ["/quit now", []],
  ["say /qu", []],
])("behind %j it offers %j", async (line, expected) => {
  expect(await offered(line)).toStrictEqual([...expected]);
});

test("files behind @ are found by some of their letters, those that Git ignores and the agent's records are not", async () => {
  expect(await offered("see @alph")).toStrictEqual([
    "see @src/alpha.ts ",
    "see @src/deep/al/pha/",
    "see @src/deep/al/pha/readme.md ",
  ]);
  expect(await offered("see @sdr")).toContain("see @src/deep/al/pha/readme.md ");
  expect(await offered("(@my")).toStrictEqual(['(@"my file.md" ']);
  expect(await offered('@"my f')).toStrictEqual(['@"my file.md" ']);
  expect(await offered("me@alph")).toStrictEqual([]);
  expect(await offered("@")).toStrictEqual([
    "@.gitignore ",
    "@agent.mdx ",
    '@"my file.md" ',
    "@src/",
    "@src/alpha.ts ",
    "@src/deep/",
    "@src/deep/al/",
    "@src/deep/al/pha/",
    "@src/deep/al/pha/readme.md ",
  ]);
});

test("Tab completes paths, and what is outside behind @", async () => {
  expect(await offered("cat src/al", { force: true })).toStrictEqual(["cat src/alpha.ts"]);
  expect(await offered("cat src/al")).toStrictEqual([]);
  expect(await offered("@/et")).toContain("@/etc/");
});

test("a command is whole if it needs no words", () => {
  const completion = new InputCompletion({ commands: () => commands, files: new WorkspaceFiles("/"), folder: "/" });
  expect(["/quit ", "/session", "/qui"].map((line) => completion.isWhole(line))).toStrictEqual([true, false, false]);
});
