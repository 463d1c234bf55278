import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, AgentTool, ApprovalRequest, BuiltinToolContext } from "@mdx-ai/loop";
import { allBuiltinToolNames, basicTool } from "@mdx-ai/parser";
import { BUILTIN_TOOLS, builtinTools } from "@mdx-ai/tools";
import { Glob } from "bun";
import { BUILTIN_FACTS_FILE, builtinFactsFile } from "../../../scripts/builtin-facts.ts";
import { agentDirectory } from "../../support/agent-directory.ts";
import { untilExists } from "../../support/eventually.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A tool that nothing else knows: what it gets follows from what it says of itself. */
const stamp: AgentTool = {
  name: "stamp",
  description: "Write a stamp.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  effects: "writes",
  label: { kind: "write", verb: "stamp" },
  aliases: ["seal"],
  access: async ({ path }, { cwd }) => ({ kind: "write", path: join(cwd, String(path)) }),
  execute: async ({ path }, { cwd, keeper }: BuiltinToolContext) => {
    const file = join(cwd, String(path));
    const content = Buffer.from("stamped\n");
    await keeper?.keep({ path: file, existing: file, content });
    writeFileSync(file, content);
    return "stamped";
  },
};

const call = (
  name: string,
): { readonly calls: readonly [{ id: string; name: string; arguments: { path: string } }] } => ({
  calls: [{ id: "c1", name, arguments: { path: "a.txt" } }],
});

test("a tool gets permissions, a label, other names and undo from what it says of itself", async () => {
  using directory = agentDirectory({ "a.txt": "before\n" });
  const asked: ApprovalRequest[] = [];
  const agent = await openScriptAgent(directory.path, [call("seal"), { text: "done" }], {
    tools: [{ origin: "custom:test", tools: () => [stamp] }],
    permissions: { settings: { [basicTool.writes]: "ask" } },
    onApproval: async (request) => {
      asked.push(request);
      return { answer: "once" };
    },
  });
  const events: AgentEvent[] = await Array.fromAsync(agent.session().prompt("Go"));
  expect(asked).toMatchObject([
    { toolName: "stamp", access: { kind: "write", path: join(directory.path, "a.txt") }, label: stamp.label },
  ]);
  expect(events.filter(({ type }) => type === "tool_execution_start")).toMatchObject([
    { toolName: "stamp", label: { kind: "write", verb: "stamp" } },
  ]);
  expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("stamped\n");
  expect(await agent.session().undo()).toMatchObject({
    files: [{ path: join(directory.path, "a.txt"), outcome: "restored" }],
  });
  expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("before\n");
  await agent.close();
});

test("a denial for the basic tool with its effect holds for it", async () => {
  using directory = agentDirectory({ "a.txt": "before\n" });
  const agent = await openScriptAgent(directory.path, [call("stamp"), { text: "done" }], {
    tools: [{ origin: "custom:test", tools: () => [stamp] }],
    permissions: { deny: [`${basicTool.writes}(a.txt)`] },
  });
  await Array.fromAsync(agent.session().prompt("Go"));
  expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("before\n");
  await agent.close();
});

test.skipIf(requireProgram("bwrap"))(
  "the sandbox is made while the arguments of a call arrive, if the tool runs commands",
  async () => {
    using directory = agentDirectory();
    // A sandbox makes it before its first command.
    const trace = join(directory.path, "state/heartbeat.jsonl");
    const runner: AgentTool = {
      ...stamp,
      name: "runner",
      effects: "runs",
      access: async () => ({ kind: "command", command: "true" }),
      execute: async (_, { grants }: BuiltinToolContext) => {
        await untilExists(trace);
        return `known: ${grants?.known("true").length}`;
      },
    };
    const agent = await openScriptAgent(directory.path, [call("runner"), { text: "done" }], {
      tools: [{ origin: "custom:test", tools: () => [runner] }],
      permissions: { allowsAll: true },
    });
    const events: AgentEvent[] = await Array.fromAsync(agent.session().prompt("Go"));
    expect(JSON.stringify(events)).toContain("known: 0");
    await agent.close();
  },
);

test("what the parser knows of the builtin tools is what `npm run builtin-tools` writes from them", async () => {
  expect(await Bun.file(BUILTIN_FACTS_FILE).text()).toBe(builtinFactsFile());
  expect<readonly string[]>(allBuiltinToolNames).toEqual(
    builtinTools({ environment: {}, webSearch: { url: "" } }, BUILTIN_TOOLS).map(({ name }) => name),
  );
});

test("no code outside of the tools names a builtin tool", async () => {
  // `web_search` is a setting and a tool of providers as well; the others are words of several meanings.
  const names = BUILTIN_TOOLS.filter((name) => /[_.]/.test(name) && name !== "web_search");
  const root = join(import.meta.dir, "../../../packages");
  const named: string[] = [];
  for await (const path of new Glob("*/src/**/*.ts").scan({ cwd: root, absolute: true })) {
    if (/\.test\.ts$|\/packages\/tools\//.test(path) || path === BUILTIN_FACTS_FILE) continue;
    const text = await Bun.file(path).text();
    named.push(...names.filter((name) => text.includes(`"${name}"`)).map((name) => `${path}: ${name}`));
  }
  expect(names).toContain("edit_file");
  expect(named).toEqual([]);
});

test("each builtin tool has a label", () => {
  for (const tool of builtinTools({ environment: {} }, allBuiltinToolNames)) expect(tool.label).toBeDefined();
});
