import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolDefinition } from "../types/tool-definition.ts";
import { wireNames } from "../wire-names.ts";
import type { JsxElement } from "./syntax-tree.ts";
import { type ReadTool, readTool } from "./tool.ts";

/** The tools that every agent has. */
const builtinToolNames = ["bash", "read_file", "write_file"] as const;

/** Reads all tools of a document; of two with one name the first counts. */
export async function readTools(
  elements: readonly JsxElement[],
  source: SourceText,
  report: Report,
): Promise<readonly ToolDefinition[]> {
  const tools = new Map<string, ReadTool>();
  for (const element of elements) {
    const tool = await readTool(element, source, report);
    if (tool.name === undefined) continue;
    const isBuiltin = builtinToolNames.some((name) => name === tool.name);
    if (isBuiltin || tools.has(tool.name)) reportTaken(tool, isBuiltin, report);
    else tools.set(tool.name, tool);
  }
  reportWireNames([...tools.values()], report);
  return [...tools.values()].flatMap((tool) => (tool.definition === undefined ? [] : [tool.definition]));
}

function reportTaken(tool: ReadTool, isBuiltin: boolean, report: Report): void {
  const owner = isBuiltin ? "a builtin tool has it" : "a tool before has it";
  const message = `unexpected tool name ${quoted(tool.name ?? "")} (${owner}), expected a name of its own`;
  report({ rule: "tool-name-duplicate", offset: tool.nameOffset, message, hint: "rename the tool" });
}

function reportWireNames(tools: readonly ReadTool[], report: Report): void {
  const wire = wireNames([...builtinToolNames, ...tools.map((tool) => tool.name ?? "")]);
  for (const { name = "", nameOffset } of tools) {
    const sent = wire.get(name);
    if (sent === name) continue;
    const message = `unexpected tool name ${quoted(name)}, expected at most 64 of a-z, A-Z, 0-9, "_" and "-"`;
    report({ rule: "tool-wire-name", offset: nameOffset, message, hint: `a model receives it as \`${sent}\`` });
  }
}
