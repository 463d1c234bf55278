import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import type { SkillDefinition, SkillEntrypoint } from "@mdx-ai/parser";
import { type AgentTool, executeTool } from "@mdx-ai/runtime";
import type { EntrypointSurroundings } from "../../packages/runtime/src/skills/entrypoints/entrypoint.ts";
import { skillTools } from "../../packages/runtime/src/skills/entrypoints/skill-tools.ts";
import { PythonHost } from "../../packages/runtime/src/tool-host/python-host.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { textOf, toolContext } from "./tool-context.ts";

const SCHEMES = ["bash", "http:get", "http:post", "python", "grpc", "container"] as const;

/** `bash:ls` or `http:get https://…` as the parser has it. */
function entrypointOf(text: string): SkillEntrypoint {
  const scheme = SCHEMES.find((one) => text.startsWith(`${one}:`) || text.startsWith(`${one} `));
  return scheme ? { scheme, target: text.slice(scheme.length + 1) } : { scheme: "unknown", target: text };
}

export interface TestedTool {
  readonly properties?: JsonObject;
  readonly required?: readonly string[];
  readonly timeout?: number;
  /** Of the folder of the skill. */
  readonly files?: Readonly<Record<string, string>>;
  readonly skill?: Partial<SkillDefinition>;
  readonly surroundings?: Partial<EntrypointSurroundings>;
}

interface ToolEnd {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool of a skill in a directory of its own. */
export interface SkillToolRun extends AsyncDisposable {
  readonly tool: AgentTool;
  /** Of the agent. */
  readonly directory: string;
  /** Of the skill. */
  readonly folder: string;
  /** Lines that were logged. */
  readonly lines: readonly string[];
  run(args?: JsonObject, signal?: AbortSignal): Promise<ToolEnd>;
}

/** The only tool of a skill `demo`, whose arguments are texts unless `properties` says otherwise. */
export function skillTool(entrypoint: string, tested: TestedTool = {}): SkillToolRun {
  const directory = temporaryDirectory();
  const folder = join(directory.path, "skills/demo");
  for (const [name, text] of Object.entries({ "SKILL.md": "", ...tested.files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { properties = {}, required = [], timeout } = tested;
  // A version manager on PATH would start its programs slowly.
  const environment = { ...process.env, PATH: `/usr/bin:/bin:${process.env["PATH"] ?? ""}` };
  const place = { agentDir: directory.path, cwd: directory.path, environment };
  const python = new PythonHost({ ...place, userCwd: "/", sandbox: tested.surroundings?.sandbox });
  const definition: SkillDefinition = {
    ...{ name: "demo", description: "d", path: "skills/demo/SKILL.md" },
    tools: [
      {
        ...{ name: "tested", description: "d", entrypoint: entrypointOf(entrypoint) },
        schema: { type: "object", properties, required },
        position: { line: 1, column: 1 },
        ...(timeout !== undefined && { timeout }),
      },
    ],
    ...tested.skill,
  };
  const [tool] = skillTools(definition, {
    ...{ ...place, cwd: "/", workingDirectory: directory.path, python },
    ...tested.surroundings,
  });
  if (tool === undefined) throw new Error("the skill has no tool");
  const lines: string[] = [];
  return {
    ...{ tool, directory: directory.path, folder, lines },
    run: async (args = {}, signal = new AbortController().signal) => {
      const context = toolContext(directory.path, signal);
      const log = async (line: string): Promise<void> => void lines.push(line);
      const result = await executeTool(tool, args, { ...context, log });
      return { text: textOf(result), isError: result.isError === true };
    },
    [Symbol.asyncDispose]: async () => {
      await python.close();
      directory[Symbol.dispose]();
    },
  };
}
