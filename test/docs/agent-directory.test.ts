import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentTool, ToolContext, ToolResult } from "@mdx-ai/loop";
import { parseAgentMdx, parseHeartbeat } from "@mdx-ai/parser/parse";
import type {
  AfterPromptEvent,
  AfterToolEvent,
  BeforePromptEvent,
  BeforeToolEvent,
  ModuleContext,
} from "@mdx-ai/runtime";
import { completeModule } from "../../packages/runtime/src/modules/module-contract.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { agentText, toolWithCode } from "../support/agent-text.ts";
import { exampleText, toolWithExamples } from "../support/example-text.ts";
import { codeBlocks, codeSpans, tableRows } from "../support/markdown-text.ts";
import { moduleBench } from "../support/module-bench.ts";
import { readTaking } from "../support/parameter-text.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/agent-directory.md")).text();
const contexts = await Bun.file(join(import.meta.dir, "../../docs/reference/contexts.md")).text();

const firstCells = (head: string): readonly string[] =>
  tableRows(page, head).map(([cell = ""]) => codeSpans(cell)[0] ?? cell);

/** The attributes that an element knows, as its diagnostic of an unknown one lists them. */
async function attributesOf(tool: string): Promise<readonly string[]> {
  const { diagnostics } = await parseAgentMdx(agentText(tool));
  const unknown = diagnostics.find(({ rule }) => rule === "attribute-unknown");
  return unknown?.message.replace(/^.* expected one of /, "").split(", ") ?? [];
}

const code = "function execute() { return ''; }";

describe("docs/agent-directory.md describes exactly what exists", () => {
  test("of attributes of a tool", async () => {
    const tool = toolWithCode(code, 'name="t" description="d" bogus="1"');
    expect([...firstCells("`<Tool>` attribute")].sort()).toEqual([...(await attributesOf(tool))].sort());
  });

  test("of attributes of a parameter", async () => {
    const tool = toolWithCode(code).replace("<Param ", '<Param bogus="1" ');
    expect([...firstCells("`<Param>` attribute")].sort()).toEqual([...(await attributesOf(tool))].sort());
  });

  test("of attributes of an example, on the page about tests", async () => {
    const testing = await Bun.file(join(import.meta.dir, "../../docs/testing.md")).text();
    const told = tableRows(testing, "`<Example>` attribute").map(([cell = ""]) => codeSpans(cell)[0] ?? cell);
    const tool = toolWithExamples(exampleText('{"arguments": {"city": ""}}', ' bogus="1"'));
    expect(told.toSorted()).toEqual([...(await attributesOf(tool))].sort());
  });

  test("of members of a module", () => {
    const members = Object.keys(
      completeModule({ describe: () => ({ name: "", description: "" }), initialize: async () => {} }, "module"),
    );
    const [paragraph = ""] = /^## modules.*?`package|^A file whose default export.*?\n\n/ms.exec(page) ?? [];
    const told = codeSpans(paragraph).filter((text) => /^[a-z]\w+$/i.test(text) && text !== "AgentModule");
    expect(told).toEqual(members);
  });
});

test("docs/reference/contexts.md shows all hooks of modules, and what each receives", () => {
  const rows = tableRows(contexts, "| hook |").map(([hook = "", receives = ""]) => [
    codeSpans(hook)[0],
    codeSpans(receives),
  ]);
  const nothing = async (): Promise<void> => {};
  const module = completeModule(
    {
      ...{ describe: () => ({ name: "", description: "" }), initialize: nothing },
      ...{ beforePrompt: nothing, beforeTool: nothing, afterTool: nothing, afterPrompt: nothing },
    },
    "module",
  );
  const prompt = { session: true, sessionKey: true, prompt: true } as const;
  const call = { ...prompt, callId: true, tool: true, args: true, signal: true } as const;
  const shown = {
    beforePrompt: { ...prompt, input: true, isFirst: true, signal: true } satisfies Record<
      keyof BeforePromptEvent,
      true
    >,
    beforeTool: call satisfies Record<keyof BeforeToolEvent, true>,
    afterTool: { result: true, isError: true } satisfies Record<
      Exclude<keyof AfterToolEvent, keyof BeforeToolEvent>,
      true
    >,
    afterPrompt: { ...prompt, outcome: true, text: true, inputs: true, tools: true } satisfies Record<
      keyof AfterPromptEvent,
      true
    >,
  };
  expect(rows).toStrictEqual(Object.entries(shown).map(([hook, members]) => [hook, Object.keys(members)]));
  expect(Object.keys(module).slice(-rows.length)).toStrictEqual(Object.keys(shown));
});

test("docs/reference/contexts.md names all members of what tools and modules receive", () => {
  const members = (head: string): readonly string[] =>
    tableRows(contexts, head).flatMap(([cell = ""]) => codeSpans(cell).map((text) => text.replace(/\(.*/, "")));
  const tool = {
    ...{
      agentDir: true,
      cwd: true,
      signal: true,
      sessionId: true,
      callId: true,
      access: true,
      log: true,
      update: true,
    },
  } satisfies Record<keyof ToolContext, true>;
  const result = { content: true, isError: true, details: true, cost: true } satisfies Record<keyof ToolResult, true>;
  const module = { agentDir: true, prompt: true, log: true } satisfies Record<keyof ModuleContext, true>;
  const offered = {
    ...{
      name: true,
      description: true,
      parameters: true,
      readOnly: true,
      effects: true,
      label: true,
      aliases: true,
      idempotent: true,
    },
    ...{ permission: true, access: true, execute: true },
  } satisfies Record<keyof AgentTool, true>;
  expect(members("| `ToolContext`")).toEqual(Object.keys(tool));
  expect(members("| `ToolResult`")).toEqual(Object.keys(result));
  expect(members("| `ModuleContext`")).toEqual(Object.keys(module));
  expect(members("| `AgentTool`")).toEqual(Object.keys(offered));
});

describe("what docs/agent-directory.md shows works", () => {
  test("the module with hooks", async () => {
    using home = temporaryDirectory();
    const [shown = ""] = codeBlocks(contexts, "ts");
    const bench = moduleBench(home.path, { files: { "office-hours.ts": shown } });
    const { hooks, names } = await bench.load();
    expect([names, hooks.names]).toEqual([["office-hours"], ["beforePrompt", "beforeTool", "afterTool"]]);
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    expect(await runCli(["check", "."], { cwd: home.path, home: home.path })).toMatchObject({ exitCode: 0 });
  });

  test("the tool", async () => {
    using home = temporaryDirectory();
    const [shown = ""] = codeBlocks(page, "ts");
    writeFiles(home.path, { "agent/agent.mdx": `${MINIMAL_AGENT}\n${toolWithCode(shown)}` });
    const run = await runCli(["tool", "agent", "probe", "city=Vienna", "--trust"], { home: home.path });
    expect(run).toMatchObject({ exitCode: 0, stdout: "It is warm in Vienna.\n" });
    expect(run.stderr).toContain("asked for Vienna\n");
  });

  test("the parameters", async () => {
    const [params = ""] = codeBlocks(page, "mdx").filter((block) => block.includes("<Param"));
    const [block = ""] = /^```json schema\n.*?^```$/ms.exec(page) ?? [];
    const rows = [
      [params, ["seats", "place"]],
      [block, ["seat"]],
    ] as const;
    for (const [takes, names] of rows) {
      const { schema, diagnostics } = await readTaking(takes);
      expect(diagnostics).toEqual([]);
      expect(Object.keys(schema["properties"] ?? {})).toEqual([...names]);
    }
  });

  test("the times of a heartbeat", () => {
    const rows = new Map(
      tableRows(page, "| section |").map(([section = "", holds = ""]) => [section, codeSpans(holds)]),
    );
    const [every = "", ...others] = rows.get("`## Schedule`") ?? [];
    const routines = (rows.get("`## Routine Tasks`") ?? []).map((line) => line.replace("…", "Task"));
    expect([others.length, routines.length]).toEqual([3, 4]);
    for (const schedule of [every, ...others.map((interval) => `@every: ${interval}`)]) {
      const text = `## Schedule\n\n${schedule}\n\n## Routine Tasks\n\n${routines.map((line) => `- ${line}\n`).join("")}`;
      const { heartbeat, diagnostics } = parseHeartbeat(text);
      expect(diagnostics).toEqual([]);
      expect(heartbeat.routines).toHaveLength(routines.length);
    }
  });
});
