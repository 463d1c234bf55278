import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentTool, ToolContext, ToolResult } from "@mdx-ai/loop";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import type {
  AfterPromptEvent,
  AfterToolEvent,
  BeforeEndEvent,
  BeforePromptEvent,
  BeforeToolEvent,
  ModuleContext,
  QuestionEvent,
} from "@mdx-ai/runtime";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { toolWithCode } from "../../../../test/support/agent-text.ts";
import { codeBlocks, codeSpans, tableRows } from "../../../../test/support/markdown-text.ts";
import { moduleBench, namesOf } from "../../../../test/support/module-bench.ts";
import { readTaking } from "../../../../test/support/parameter-text.ts";
import { runCommandLine } from "../../../../test/support/run-command-line.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { completeModule } from "./module-contract.ts";

const page = await Bun.file(join(import.meta.dir, "../../../../docs/agent-directory.md")).text();
const contexts = await Bun.file(join(import.meta.dir, "../../../../docs/reference/contexts.md")).text();

test("docs/reference/contexts.md shows all hooks of modules, and what each receives", () => {
  const rows = tableRows(contexts, "| hook |").map(([hook = "", receives = ""]) => [
    codeSpans(hook)[0],
    codeSpans(receives),
  ]);
  const nothing = async (): Promise<void> => {};
  const module = completeModule(
    {
      ...{ describe: () => ({ name: "", description: "" }), initialize: nothing },
      ...{ beforePrompt: nothing, beforeTool: nothing, afterTool: nothing },
      ...{ beforeEnd: nothing, onQuestion: nothing, afterPrompt: nothing },
    },
    "module",
  );
  const prompt = { session: true, sessionKey: true, prompt: true, cwd: true, mode: true } as const;
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
    beforeEnd: { ...prompt, text: true, isContinued: true, signal: true } satisfies Record<keyof BeforeEndEvent, true>,
    onQuestion: { session: true, sessionKey: true, cwd: true, mode: true, question: true } satisfies Record<
      keyof QuestionEvent,
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
  const members = (head: string): readonly string[] => {
    const [list = ""] = contexts.split(`${head} has:\n\n`)[1]?.split("\n\n") ?? [];
    const names = list.split("\n").map((line) => line.split(": ")[0] ?? "");
    return names.flatMap((name) => codeSpans(name).map((text) => text.replace(/\(.*/, "")));
  };
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
  const module = {
    ...{ apiVersion: true, agentDir: true, signal: true, state: true },
    ...{ prompt: true, log: true, subscribe: true, schedule: true, answer: true },
  } satisfies Record<keyof ModuleContext, true>;
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
  expect(members("`ToolContext`")).toEqual(Object.keys(tool));
  expect(members("`ToolResult`")).toEqual(Object.keys(result));
  expect(members("`ModuleContext`")).toEqual(Object.keys(module));
  expect(members("`AgentTool`")).toEqual(Object.keys(offered));
});

describe("what docs/agent-directory.md shows works", () => {
  test("the module with hooks", async () => {
    using home = temporaryDirectory();
    const [shown = ""] = codeBlocks(contexts, "ts");
    const bench = moduleBench(home.path, { files: { "office-hours.ts": shown } });
    const modules = await bench.load();
    expect([namesOf(modules), modules.hooks.names]).toEqual([
      ["office-hours"],
      ["beforePrompt", "beforeTool", "afterTool"],
    ]);
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    expect(await runCommandLine(["check", "."], { cwd: home.path, home: home.path })).toMatchObject({ exitCode: 0 });
  });

  test("the tool", async () => {
    using home = temporaryDirectory();
    const [shown = ""] = codeBlocks(page, "ts");
    writeFiles(home.path, { "agent/agent.mdx": `${MINIMAL_AGENT}\n${toolWithCode(shown)}` });
    const run = await runCommandLine(["tool", "agent", "probe", "city=Vienna", "--trust"], { home: home.path });
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
      const { definition: heartbeat, diagnostics } = parseHeartbeat(text);
      expect(diagnostics).toEqual([]);
      expect(heartbeat.routines).toHaveLength(routines.length);
    }
  });
});
