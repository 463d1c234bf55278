import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A module that writes down each of its hooks; its one tool has its name only once it is initialized. */
const moduleNamed = (name: string, atImport = ""): string => `
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
const folder = import.meta.dir + "/..";
const tell = (line: string) => appendFileSync(folder + "/order", line + "\\n");
${atImport}
tell("import ${name}");
let toolName = "not initialized";
export default {
  describe: () => ({ name: "${name}", description: "Tells its hooks" }),
  initialize: async (context) => {
    tell("initialize ${name} " + Object.keys(context).sort());
    await Bun.sleep(20);
    toolName = "tool_of_${name}";
    tell("initialized ${name}");
  },
  tools: () => {
    tell("tools ${name}");
    return [{ name: toolName, description: "T", parameters: { type: "object" }, execute: async () => "" }];
  },
  systemPrompt: () => (tell("systemPrompt ${name}"), "Section of ${name}."),
  start: async () => tell("start ${name}"),
  stop: () => tell("stop ${name}"),
};
`;

/** What a module of an agent finds done already when it is imported, and changes too late. */
const AT_IMPORT = `
tell("the state was read: " + readdirSync(folder + "/state").some((file) => file.startsWith("agent-state.broken")));
writeFileSync(folder + "/agent.mdx", "# Agent: Late\\n\\n## Purpose\\n\\nComes too late.\\n");
mkdirSync(folder + "/skills/late", { recursive: true });
writeFileSync(folder + "/skills/late/SKILL.md", "---\\nname: late\\ndescription: Late skill\\n---\\n\\nx\\n");
`;

const TOOL = '\n<Tool name="inline" description="I">\n\n```ts\nfunction execute() { return ""; }\n```\n\n</Tool>\n';

const FILES = {
  "agent/agent.mdx": MINIMAL_AGENT + TOOL,
  "agent/skills/early/SKILL.md": "---\nname: early\ndescription: Early skill\n---\n\nx\n",
  "agent/state/agent-state.json": "no state",
  "agent/heartbeat.md": "## Schedule\n\n@every: 15m\n",
  "agent/modules/a.ts": moduleNamed("a", AT_IMPORT),
  "agent/modules/b.ts": moduleNamed("b"),
};

const run = ["agent", "agent", "--trust", "--prompt", "hi", "--model", "anthropic/x"];

describe("an agent is initialized in the order of the specification:", () => {
  test("agent.mdx and skills are read, then the state, then modules are loaded, each is initialized, the tools are gathered", async () => {
    using home = temporaryDirectory();
    using server = anthropicServer(textReply("ok"));
    writeFiles(home.path, FILES);
    const result = await runCommandLine(run, { home: home.path, environment: server.environment });
    expect(result).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    expect(readFileSync(join(home.path, "agent/order"), "utf8").trimEnd().split("\n")).toEqual([
      "the state was read: true",
      "import a",
      "import b",
      "initialize a agentDir,answer,apiVersion,log,prompt,schedule,signal,state,subscribe",
      "initialized a",
      "initialize b agentDir,answer,apiVersion,log,prompt,schedule,signal,state,subscribe",
      "initialized b",
      "tools a",
      "tools b",
      "start a",
      "start b",
      "systemPrompt a",
      "systemPrompt b",
      "stop b",
      "stop a",
    ]);
    const sent = JSON.parse(server.requests[0]?.text ?? "");
    const system = JSON.stringify(sent.system);
    expect(system).toContain("Be tested.");
    expect(system).toContain("Early skill");
    expect(system).not.toMatch(/too late|Late skill/);
    expect(system).toMatch(/## Heartbeat.*Section of a\..*Section of b\./s);
    const names = sent.tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(["bash", "read_file", "write_file", "inline", "tool_of_a", "tool_of_b"]);
  });

  test("where agent.mdx has an error, nothing after it is done", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { ...FILES, "agent/agent.mdx": "# Agent: Aimless\n" });
    expect(await runCommandLine(run, { home: home.path })).toMatchObject({ exitCode: 2, stdout: "" });
    expect(existsSync(join(home.path, "agent/order"))).toBe(false);
    expect(readFileSync(join(home.path, "agent/state/agent-state.json"), "utf8")).toBe("no state");
  });
});
