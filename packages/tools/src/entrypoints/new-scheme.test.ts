import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ENTRYPOINT_SCHEMES,
  type EntrypointScheme,
  entrypointMistake,
  readEntrypoint,
} from "@mdx-ai/parser/entrypoints";
import { executeTool, SkillTools } from "@mdx-ai/tools";
import { textOf, toolContext } from "../../../../test/support/tool-context.ts";
import type { SkillToolKind } from "./entrypoint.ts";
import { SKILL_TOOL_KINDS } from "./skill-tool-kinds.ts";

const PACKAGES = join(import.meta.dir, "../../..");

/** What a new scheme adds to the table of the parser. */
const upperScheme: EntrypointScheme = {
  settings: ["suffix"],
  read: ({ target }) =>
    target === "" ? { kind: "mistake", message: "no text", hint: "write one", index: 0 } : { kind: "text" },
};

/** What it adds to the registry of the runtime. */
const events: string[] = [];
const upperKind: SkillToolKind = {
  readOnly: true,
  containment: "sandbox",
  load: async ({ agentDir }) => {
    events.push("loaded");
    return {
      tool: ({ tool: { entrypoint } }) => ({
        access: async () => ({ kind: "command", command: "upper" }),
        execute: async ({ word }) =>
          `${entrypoint.target} ${word}${entrypoint.settings?.["suffix"]} in ${agentDir}`.toUpperCase(),
      }),
      close: async () => void events.push("closed"),
    };
  },
};

test("a new scheme is one line in the parser's table and one in the registry", async () => {
  const schemes = new Map([...ENTRYPOINT_SCHEMES, ["upper", upperScheme]]);
  const entrypoint = readEntrypoint("upper: hello", { suffix: "!", proto: "other.proto" }, schemes);
  expect(entrypoint).toStrictEqual({ scheme: "upper", target: "hello", settings: { suffix: "!" } });
  expect(entrypointMistake(entrypoint, {}, schemes)).toBeUndefined();
  expect(entrypointMistake({ ...entrypoint, target: "" }, {}, schemes)?.message).toBe("no text");

  const tools = new SkillTools(
    { agentDir: "/a", workingDirectory: "/", cwd: "/", environment: {} },
    new Map([...SKILL_TOOL_KINDS, ["upper", upperKind]]),
  );
  const definition = { name: "shout", description: "d", entrypoint, schema: {}, position: { line: 1, column: 1 } };
  const [tool] = tools.of({ name: "demo", description: "d", path: "skills/demo/SKILL.md", tools: [definition] });
  if (tool === undefined) throw new Error("the skill has no tool");
  expect([tool.readOnly, tools.containmentOf(definition), events]).toEqual([true, "sandbox", []]);
  expect(await tool.access?.({}, { agentDir: "/a", cwd: "/" })).toEqual({ kind: "command", command: "upper" });
  const result = await executeTool(tool, { word: "world" }, toolContext("/", new AbortController().signal));
  expect(textOf(result)).toBe("HELLO WORLD! IN /A");
  await tools.close();
  expect(events).toEqual(["loaded", "closed"]);
});

test("what the parser's table names, the registry runs", () => {
  expect([...SKILL_TOOL_KINDS.keys()]).toEqual([...ENTRYPOINT_SCHEMES.keys()]);
});

test("gRPC is named in its own files, the table and the registry alone", async () => {
  const named: string[] = [];
  for await (const file of new Bun.Glob("*/src/**/*.ts").scan(PACKAGES)) {
    // A variable of certificates has it in its name.
    if (!file.endsWith(".test.ts") && /grpc(?!_DEFAULT_SSL)/i.test(readFileSync(join(PACKAGES, file), "utf8")))
      named.push(file);
  }
  const [parser, tools] = ["parser/src/skills/entrypoints", "tools/src/entrypoints"];
  expect(named.filter((file) => !file.startsWith(`${tools}/grpc/`)).toSorted()).toEqual([
    `${parser}/grpc-target.ts`,
    `${parser}/index.ts`,
    `${parser}/schemes.ts`,
    `${tools}/skill-tool-kinds.ts`,
  ]);
});
