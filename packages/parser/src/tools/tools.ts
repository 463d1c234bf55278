import type { Root } from "mdast";
import type { Transformer } from "unified";
import type { VFile } from "vfile";
import { allBuiltinToolNames, builtinToolNames, isReplaceable } from "../builtin-tools.ts";
import { type DocumentParts, documentParts } from "../elements/document-parts.ts";
import { reportTo, sourceOf } from "../markdown/messages.ts";
import { endOf, type JsxElement, startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { Rule } from "../rules.ts";
import { reportPermittedTools } from "../settings/check-permissions.ts";
import { reportOfferedTools } from "../settings/check-tools.ts";
import { lineStartAt, type SourceText } from "../source-text.ts";
import type { ToolDefinition, ToolSource } from "../types/tool-definition.ts";
import { type ReadTool, readTool } from "./tool.ts";
import { wireNames } from "./wire-names.ts";

declare module "vfile" {
  interface DataMap {
    parts: DocumentParts;
    tools: ReadTools;
    /** Whether the directory has modules, which may bring tools. */
    hasModules: boolean;
  }
}

/** A plugin that reads the tools. Must be used after that of the settings. */
export const tools = (): Transformer<Root> => async (tree, file) => {
  const report = reportTo(file);
  const parts = documentParts(tree, String(file), file.data.kind);
  const isLost = file.data.hasLostElements === true;
  const ofTool: Report = (problem) => (isLost && CONSEQUENCES.includes(problem.rule) ? undefined : report(problem));
  const read = await readTools(parts.tools, sourceOf(file), file.data.settings?.settings.builtins, ofTool);
  Object.assign(file.data, { parts, tools: read });
  if (isLost) return;
  reportNamedTools(read, file, report);
  for (const stray of parts.strays) reportStray(stray, report);
  reportOpenFence(parts, String(file), report);
};

/** What is wrong with a tool because a tag in it is. */
const CONSEQUENCES: readonly Rule[] = ["tool-content", "tool-code", "tool-nested", "example-content", "example-code"];

/** Reports tools that the settings name and that do not exist. */
function reportNamedTools({ names }: ReadTools, { data }: VFile, report: Report): void {
  const { permittedTools = [], namedTools = [], hasServers = false } = data.settings ?? {};
  const hasOthers = data.hasModules === true || hasServers;
  if (!hasOthers) reportPermittedTools(permittedTools, names, report);
  reportOfferedTools(namedTools, { names, hasOthers }, report);
}

function reportStray(element: JsxElement, report: Report): void {
  report({
    rule: "element-place",
    offset: startOf(element),
    message: `\`<${element.name}>\` outside of a \`<Tool>\``,
    hint: "move it between `<Tool …>` and `</Tool>`",
  });
}

function reportOpenFence({ lastCode }: DocumentParts, text: string, report: Report): void {
  if (lastCode === undefined || endOf(lastCode) < text.trimEnd().length) return;
  const written = text.slice(startOf(lastCode), endOf(lastCode)).trimEnd();
  const fence = /^(?:`{3,}|~{3,})/.exec(written)?.[0];
  const lastLine = written.slice(lineStartAt(written, written.length)).trim();
  if (fence === undefined || (written.includes("\n") && lastLine.startsWith(fence))) return;
  const message = "the code block is not closed";
  const hint = "close it with a line of the same characters, or remove its first line";
  report({ rule: "code-fence-unclosed", offset: startOf(lastCode), message, hint });
}

/** The tools of a document. */
interface ReadTools {
  /** Those that could be run. */
  readonly tools: readonly ToolDefinition[];
  /** Of all tools that the agent has by its files, whether they could be run or not. */
  readonly names: readonly string[];
  /** The files of the code of `tools`, other than agent.mdx. */
  readonly sources: readonly ToolSource[];
}

/** Reads all tools of a document; of two with one name the first counts. `builtins` are the builtin tools that the settings select. */
async function readTools(
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
