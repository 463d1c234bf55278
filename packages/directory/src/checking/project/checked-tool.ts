import { codeTranspiler, parametersSchema, type SourcePoint, type ToolDefinition } from "@mdx-ai/parser";
import { pointAt } from "../compiler/text-positions.ts";
import type { ProbedFunction } from "../drift/probe-file.ts";
import { executeProbes } from "../drift/probes.ts";
import { schemaShape } from "../shapes/schema-shape.ts";
import type { ProjectFile } from "./lay-out-project.ts";

/** A tool as the compiler sees it. */
export interface CheckedTool {
  readonly tool: ToolDefinition;
  /** The file of its code, relative to the agent directory: agent.mdx, or that of `src`. */
  readonly source: string;
  /** The file that the compiler reads for it: the code, and a line that exports `execute`. */
  readonly file: ProjectFile;
  readonly probed: ProbedFunction;
}

/** The name under which `execute` is exported if the author does not export it. */
const EXPORTED = "mdxAiExecute";

/** What the compiler reads for a tool; `index` is unique within the agent. */
export function checkedTool(tool: ToolDefinition, index: number): CheckedTool {
  const { text, file: source } = tool.code;
  const path = source ?? `agent.mdx.tool${index}.ts`;
  const exported = exportsExecute(text) ? "execute" : EXPORTED;
  const ending = exported === EXPORTED ? `\nexport { execute as ${EXPORTED} };\n` : "\n";
  const type = `Execute${index}`;
  return {
    tool,
    source: source ?? "agent.mdx",
    file: { path, text: text + ending },
    probed: {
      specifier: `./${path}`,
      exported,
      type,
      probes: executeProbes(type, schemaShape(parametersSchema(tool))),
    },
  };
}

/** The position in the author's file of an offset in the tool's code. */
export function placeInSource({ tool }: CheckedTool, offset: number): SourcePoint {
  const { text, position, indent } = tool.code;
  const point = pointAt(text, Math.min(offset, text.length));
  return { line: point.line + position.line - 1, column: point.column + indent };
}

/** Broken code, which is reported elsewhere, exports nothing. */
function exportsExecute(text: string): boolean {
  try {
    return codeTranspiler("ts").scan(text).exports.includes("execute");
  } catch {
    return false;
  }
}
