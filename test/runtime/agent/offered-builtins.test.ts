import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Opened {
  readonly settings?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly tools?: string;
  readonly replies?: readonly Reply[];
  readonly options?: Partial<AgentOptions>;
}

/** The names of an agent's tools, and the results of the calls that it makes. */
async function opened({ settings = "", files = {}, tools = "", replies = [], options = {} }: Opened) {
  using directory = agentDirectory({
    "agent.mdx": `---\nname: X\n${settings}\n---\n${MINIMAL_AGENT}${tools}`,
    ...files,
  });
  const agent = await openScriptAgent(directory.path, [...replies, { text: "ok" }], options);
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  return { names: agent.tools.map(({ name }) => name), results: events.flatMap(resultText).toSorted() };
}

const resultText = (event: AgentEvent): readonly string[] =>
  event.type === "tool_execution_end"
    ? event.result.content.map((block) => (block.type === "text" ? block.text : block.mimeType))
    : [];

const coding = [
  "bash",
  "bash_output",
  "bash_stop",
  "read_file",
  "write_file",
  "edit_file",
  "grep",
  "glob",
  "list_files",
  "web_fetch",
  "todo",
];

describe("the builtin tools of an agent", () => {
  test.each([
    ["", ["bash", "read_file", "write_file"]],
    ["builtins: coding", coding],
    ["builtins: aiagent", ["fs.list", "fs.read", "fs.write", "shell.exec"]],
    ["builtins: [aiagent, grep, Edit]", ["edit_file", "grep", "fs.list", "fs.read", "fs.write", "shell.exec"]],
    ["builtins: [bash_output, bash, bash_stop]", ["bash", "bash_output", "bash_stop"]],
    ["builtins: [bash_output, grep]", ["grep"]],
    ["builtins: off", []],
    ["builtins: coding\ntools: [grep, bash]", ["bash", "grep"]],
  ])("are by %p", async (settings, expected) => {
    expect((await opened({ settings })).names).toEqual(expected);
  });

  test("are all for code in a workspace", async () => {
    using workspace = temporaryDirectory();
    const options = { workspace: workspace.path };
    expect((await opened({ options })).names).toEqual(coding);
    expect((await opened({ options, settings: "builtins: [bash]" })).names).toEqual(["bash"]);
  });

  test("include web_search if the user has an endpoint", async () => {
    const options = { webSearch: { url: "http://localhost:1/" } };
    expect((await opened({ options, settings: "builtins: coding" })).names).toEqual(
      coding.toSpliced(-1, 0, "web_search"),
    );
  });

  test("give way to tools of the agent's own files with their names", async () => {
    const files = {
      "modules/one.ts": `export default {
        describe: () => ({ name: "one", description: "One" }),
        initialize: async () => {},
        tools: () => [{ name: "glob", description: "own", parameters: { type: "object" }, execute: async () => "own glob" }],
      };`,
    };
    const tools = toolText("grep", "return 'own grep';");
    const calls = ["grep", "glob"].map((name) => ({ id: name, name, arguments: { text: "x" } }));
    const { names, results } = await opened({ settings: "builtins: coding", files, tools, replies: [{ calls }] });
    expect(names.toSorted()).toEqual(coding.toSorted());
    expect(results).toEqual(["own glob", "own grep"]);
  });

  test("of a coder search, edit and read in its workspace", async () => {
    using workspace = temporaryDirectory();
    writeFiles(workspace.path, { "src/a.ts": "const answer = 41;\n", ".env": "answer = 42\n" });
    const edits = [{ old: "41", new: "42" }];
    const calls = [
      { id: "1", name: "grep", arguments: { pattern: "answer" } },
      { id: "2", name: "list_files", arguments: { depth: 2 } },
    ];
    const { results } = await opened({
      options: {
        workspace: workspace.path,
        cwd: workspace.path,
        permissions: { allowsAll: false, allow: ["write_file"] },
      },
      replies: [{ calls }, { calls: [{ id: "3", name: "edit_file", arguments: { path: "src/a.ts", edits } }] }],
    });
    expect(results).toEqual([
      `edited ${workspace.path}/src/a.ts: 1 replacement, now line 1`,
      "src/\nsrc/a.ts",
      "src/a.ts\n1: const answer = 41;",
    ]);
    expect(readFileSync(join(workspace.path, "src/a.ts"), "utf8")).toBe("const answer = 42;\n");
  });

  test("of aiagent are sent under names that providers accept", async () => {
    const calls = [{ id: "1", name: "fs_read", arguments: { path: "agent.mdx" } }];
    const { results } = await opened({ settings: "builtins: aiagent", replies: [{ calls }] });
    expect(results[0]).toStartWith("---\nname: X");
  });
});
