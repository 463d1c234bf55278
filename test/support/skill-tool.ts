import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import type { AgentTool } from "@mdx-ai/loop";
import type { SkillDefinition } from "@mdx-ai/parser";
import { readEntrypoint } from "@mdx-ai/parser/entrypoints";
import { executeTool } from "@mdx-ai/tools";
import type { EntrypointOptions } from "../../packages/tools/src/entrypoints/entrypoint.ts";
import { SkillTools } from "../../packages/tools/src/entrypoints/skill-tools.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { textOf, toolContext } from "./tool-context.ts";

export interface TestedTool {
  readonly properties?: JsonObject;
  readonly required?: readonly string[];
  readonly timeout?: number;
  /** Of the folder of the skill. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the frontmatter of the skill, for its entrypoint. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly options?: Partial<EntrypointOptions>;
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
  const { properties = {}, required = [], timeout, settings = {} } = tested;
  // A version manager on PATH would start its programs slowly.
  const environment = { ...process.env, PATH: `/usr/bin:/bin:${process.env["PATH"] ?? ""}` };
  const place = { agentDir: directory.path, cwd: directory.path, environment };
  const definition: SkillDefinition = {
    ...{ name: "demo", description: "d", path: "skills/demo/SKILL.md" },
    tools: [
      {
        ...{ name: "tested", description: "d", entrypoint: readEntrypoint(entrypoint, settings) },
        schema: { type: "object", properties, required },
        position: { line: 1, column: 1 },
        ...(timeout !== undefined && { timeout }),
      },
    ],
  };
  const made = new SkillTools({ ...place, cwd: "/", workingDirectory: directory.path, ...tested.options });
  const [tool] = made.of(definition);
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
      await made.close();
      directory[Symbol.dispose]();
    },
  };
}
