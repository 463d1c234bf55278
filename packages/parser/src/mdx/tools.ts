import { allBuiltinToolNames, builtinToolNames, isReplaceable } from "../builtin-tools.ts";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolDefinition, ToolSource } from "../types/tool-definition.ts";
import { wireNames } from "../wire-names.ts";
import type { JsxElement } from "./syntax-tree.ts";
import { type ReadTool, readTool } from "./tool.ts";

/** The tools of a document. */
export interface ReadTools {
  /** Those that could be run. */
  readonly tools: readonly ToolDefinition[];
  /** Of all tools that the agent has by its files, whether they could be run or not. */
  readonly names: readonly string[];
  /** The files of the code of `tools`, other than agent.mdx. */
  readonly sources: readonly ToolSource[];
}

/** Reads all tools of a document; of two with one name the first counts. `builtins` are the builtin tools that the settings select. */
export async function readTools(
  elements: readonly JsxElement[],
  source: SourceText,
  builtins: readonly string[] = [],
  report: Report,
): Promise<ReadTools> {
  const tools = new Map<string, ReadTool>();
  const reserved: readonly string[] = [...builtinToolNames, ...builtins.filter((name) => !isReplaceable(name))];
  for (const element of elements) {
    const tool = await readTool(element, source, report);
    if (tool.name === undefined) continue;
    const isBuiltin = reserved.includes(tool.name);
    if (isBuiltin || tools.has(tool.name)) reportTaken(tool, isBuiltin, report);
    else tools.set(tool.name, tool);
  }
  const found = [...tools.values()];
  reportWireNames(found, reserved, report);
  return {
    tools: found.flatMap(({ definition }) => definition ?? []),
    names: [...new Set([...allBuiltinToolNames, ...tools.keys()])],
    sources: found.flatMap(({ wanted }) => wanted ?? []),
  };
}

function reportTaken(tool: ReadTool, isBuiltin: boolean, report: Report): void {
  const owner = isBuiltin ? "a builtin tool" : "an earlier tool";
  const message = `${owner} already has the name ${quoted(tool.name ?? "")}`;
  report({ rule: "tool-name-duplicate", offset: tool.nameOffset, message, hint: "rename the tool" });
}

function reportWireNames(tools: readonly ReadTool[], reserved: readonly string[], report: Report): void {
  const wire = wireNames([...reserved, ...tools.map((tool) => tool.name ?? "")]);
  for (const { name = "", nameOffset } of tools) {
    const sent = wire.get(name);
    if (sent === name) continue;
    const message = `unexpected tool name ${quoted(name)}, expected at most 64 of a-z, A-Z, 0-9, "_" and "-"`;
    report({
      rule: "tool-wire-name",
      offset: nameOffset,
      message,
      hint: `rename it, or leave it: a model receives it as \`${sent}\``,
    });
  }
}
