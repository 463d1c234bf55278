import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { wireServer, wires } from "../../support/wire-server.ts";

const AGENT =
  "---\nbuiltins: coding\npermissions: {read_file(secret/**): deny}\n---\n\n# Agent: Tea\n\n## Purpose\n\nTea.\n";

/** A module that notes the calls it sees. */
const WITNESS = `
import { appendFileSync } from "node:fs";
let dir = "";
export default {
  describe: () => ({ name: "witness", description: "Hooks" }),
  initialize: async (context) => { dir = context.agentDir; },
  tools: () => [],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
  beforeTool: ({ tool, args }) => appendFileSync(dir + "/seen", tool + " " + JSON.stringify(args) + "\\n") ?? undefined,
};
`;

const FILES = { "agent.mdx": AGENT, "modules/a.ts": WITNESS, "sub/a.md": "one\ntwo\n", "secret/key": "hidden" };

const executions = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === "tool_execution_start" ? [[event.toolName, event.args]] : []));

const results = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().messages()).flatMap((message) =>
    message.role === "toolResult"
      ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

describe("a call under another name, with other arguments", () => {
  test.each(wires)("is one call for rules, hooks, events, journal and history: %s", async (wire) => {
    using directory = agentDirectory(FILES);
    using server = wireServer(
      wire,
      {
        parts: [
          { id: "a", name: "functions.LS", json: ['{"dir": "sub", ', '"depth": "1"}'] },
          { id: "b", name: "View", json: ['{"file_path": "secret/key", "offset": null}'] },
          {
            id: "c",
            name: "read_file<|channel|>commentary",
            json: ['{"path": "sub/a.md", "offset": 0, "limit": "1"}'],
          },
          { id: "d", name: "red_file", json: ['{"path": "sub/a.md"}'] },
        ],
      },
      { parts: [{ text: ["Done."] }] },
    );
    const agent = await openAgent({
      directory: await readAgentDirectory(directory.path),
      model: await server.open(),
      cwd: directory.path,
      toolHostCommand: toolHostCommand(),
      environment: process.env,
    });
    const events = await Array.fromAsync(agent.session().prompt("go"));
    const [listed, denied, read, unknown] = await results(agent);
    await agent.close();
    const calls = [
      ["list_files", { path: "sub", depth: 1 }],
      ["read_file", { path: "secret/key" }],
      ["read_file", { path: "sub/a.md", offset: 0, limit: 1 }],
    ];
    expect(executions(events)).toEqual([...calls, ["red_file", { path: "sub/a.md" }]]);
    expect([listed, denied]).toEqual(["a.md", expect.stringContaining("not run: ")]);
    expect([read, unknown]).toEqual([
      expect.stringMatching(/^one\n\[/),
      expect.stringContaining("did you mean read_file?"),
    ]);
    // A denial of the rules is no matter for hooks.
    const seen = readFileSync(join(directory.path, "seen"), "utf8").trimEnd().split("\n");
    expect(seen).toEqual([calls[0], calls[2]].map((call) => `${call?.[0]} ${JSON.stringify(call?.[1])}`));
    const sent = server.requests.at(-1)?.text ?? "";
    const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
    for (const text of [sent, journal]) {
      expect(text).toContain("list_files");
      expect(text).not.toMatch(/functions\.|channel|View|file_path|"dir"|\\"dir\\"/);
    }
  });

  test("runs the same when a later process resumes its prompt, wherever the journal ends", async () => {
    using first = agentDirectory(FILES);
    const call = { id: "a", name: "Functions.ReadFile", arguments: { filePath: "sub/a.md", limit: "1" } };
    const replies = [{ calls: [call] }, { text: "Done." }];
    const agent = await openScriptAgent(first.path, replies);
    const events = await Array.fromAsync(agent.session().prompt("go"));
    const transcript = withoutTimes(await agent.session().messages());
    await agent.close();
    const lines = readFileSync(join(first.path, "sessions/main/journal.jsonl"), "utf8").trimEnd().split("\n");
    const begun = lines.findIndex((line) => line.includes('"step":"model:1"'));
    for (let end = begun + 1; end < lines.length; end++) {
      const journal = "sessions/main/journal.jsonl";
      using again = agentDirectory({
        ...FILES,
        [journal]: lines
          .slice(0, end)
          .map((line) => `${line}\n`)
          .join(""),
      });
      const resumed = await openScriptAgent(again.path, replies.slice(1));
      const resumedEvents = await Array.fromAsync(resumed.session().resume());
      expect(executions(resumedEvents)).toEqual(executions(events));
      expect(withoutTimes(await resumed.session().messages())).toEqual(transcript);
      await resumed.close();
    }
  });

  test.skipIf(requireProgram("bwrap"))(
    "reaches a server as its schema says, with what only the server knows",
    async () => {
      const tools = [
        {
          name: "find",
          inputSchema: {
            type: "object",
            properties: {
              query: { type: "string" },
              limit: { type: "integer" },
              tags: { type: "array", items: { type: "string" } },
            },
            required: ["query"],
          },
        },
      ];
      using directory = agentDirectory({
        "agent.mdx": agentWithServers(fileServer("there", "there.mjs")),
        "there.mjs": bareServer(`tools = ${JSON.stringify(tools)};`),
      });
      const args = { query: "x", limit: null, tags: "a", more: null };
      const calls = [
        { id: "a", name: "mcp__there__find", arguments: args },
        { id: "b", name: "find", arguments: { input: { query: 7, limit: "3" } } },
      ];
      const agent = await openScriptAgent(directory.path, [{ calls }, { text: "Done." }], {
        permissions: { allow: ["mcp.*"] },
      });
      const events = await Array.fromAsync(agent.session().prompt("go"));
      const found = await results(agent);
      await agent.close();
      expect(found.map((text) => JSON.parse(text))).toEqual([
        { query: "x", tags: ["a"], more: null },
        { query: "7", limit: 3 },
      ]);
      expect(executions(events).map((call) => Reflect.get(Object(call), 0))).toEqual([
        "mcp.there.find",
        "mcp.there.find",
      ]);
    },
  );
});

const withoutTimes = (messages: readonly object[]): unknown =>
  messages.map((message) =>
    JSON.parse(JSON.stringify(message, (key, value) => (/^(?:timestamp|latency|model)$/.test(key) ? 0 : value))),
  );
