import type { ToolContext } from "@mdx-ai/loop";
import type { ParameterDefinition, ToolDefinition } from "@mdx-ai/parser";
import { executeTool } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { inlineTool, ToolHost } from "../../packages/tools/src/tool-host/tool-host.ts";
import { noProcessesOf } from "./remaining-processes.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { type TestContext, textOf, toolContext } from "./tool-context.ts";

/** A tool host over an empty agent directory. Disposing it checks that no process is left. */
export interface ToolBench extends AsyncDisposable {
  readonly directory: string;
  readonly host: ToolHost;
  /** Runs a tool as the loop would. */
  run(tool: ToolDefinition, args?: Record<string, string | number>, context?: ToolContext): Promise<BenchResult>;
  context(signal?: AbortSignal): TestContext;
}

interface BenchResult {
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
}

export function openToolBench(environment: Readonly<Record<string, string | undefined>> = process.env): ToolBench {
  const folder = temporaryDirectory();
  const { path: directory } = folder;
  const host = new ToolHost({ command: toolHostCommand(), agentDir: directory, cwd: directory, environment });
  const context = (signal?: AbortSignal): TestContext => toolContext(directory, signal);
  return {
    directory,
    host,
    context,
    run: async (tool, args = {}, toolsContext = context()) => {
      const result = await executeTool(inlineTool(tool, host), args, toolsContext);
      return { text: textOf(result), isError: result.isError, details: result.details };
    },
    [Symbol.asyncDispose]: async () => {
      await host.close();
      await noProcessesOf(directory);
      folder[Symbol.dispose]();
    },
  };
}

const position = { line: 8, column: 1 };
const optional = { description: "", required: false, position };

/** Of all tools here; each may be left out. */
const PARAMETERS: readonly ParameterDefinition[] = [
  { name: "city", type: "string", ...optional },
  { name: "well", type: "number", ...optional },
];

/** A tool whose code is `text`, in line 10 of the file. */
export function toolOf(text: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: "tool",
    description: "A tool",
    parameters: PARAMETERS,
    code: { text, position: { line: 10, column: 1 }, indent: 0 },
    examples: [],
    environment: [],
    position,
    ...more,
  };
}

/** A tool whose `execute` has this body, which begins in line 11 of the file. */
export function toolDoing(body: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return toolOf(`async function execute(params: any, ctx: any) {\n${body}\n}`, more);
}
