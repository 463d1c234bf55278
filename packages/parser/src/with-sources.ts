import { type AgentFile, diskDiagnostics } from "./agent-files.ts";
import type { CacheEntry } from "./definition-cache.ts";
import { byFileAndPosition, locate } from "./report.ts";
import { SourceText } from "./source-text.ts";
import { checkCode, codeLoader } from "./tool-code-check.ts";
import type { AgentDefinition } from "./types/agent-definition.ts";
import type { Diagnostic } from "./types/diagnostic.ts";
import type { ToolDefinition, ToolSource } from "./types/tool-definition.ts";

interface Completed {
  readonly definition: AgentDefinition;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts the texts of the files that `src` attributes name into their tools, and checks them as a code block is checked.
 * A tool whose file could not be read is left out. Reads no disk.
 */
export function withSources({ definition, sources, diagnostics }: CacheEntry, files: readonly AgentFile[]): Completed {
  const texts = new Map(files.map((file) => [file.path, textOf(file)]));
  const tools = definition.tools.flatMap((tool) => completed(tool, texts) ?? []);
  const missing = files.filter(({ text }) => text === undefined);
  const found = [
    ...diagnostics,
    ...sources.flatMap((source) => missingDiagnostics(source, missing)),
    ...files.flatMap(sourceDiagnostics),
  ];
  return { definition: { ...definition, tools }, diagnostics: found.sort(byFileAndPosition) };
}

/** Without a byte-order mark. */
function textOf({ text }: AgentFile): string | undefined {
  return text === undefined ? undefined : new SourceText(text).text;
}

function completed(tool: ToolDefinition, texts: ReadonlyMap<string, string | undefined>): ToolDefinition | undefined {
  const { code } = tool;
  if (code.file === undefined) return tool;
  const text = texts.get(code.file);
  return text === undefined ? undefined : { ...tool, code: { ...code, text } };
}

/** At the attribute that names the file. */
function missingDiagnostics({ path, line, column }: ToolSource, missing: readonly AgentFile[]): readonly Diagnostic[] {
  const problem = missing.find((file) => file.path === path)?.problem;
  if (problem === undefined) return [];
  const { message, hint } = problem;
  const found: Diagnostic = { file: "agent.mdx", line, column, severity: "error", rule: "tool-source", message };
  return [hint === undefined ? found : { ...found, hint }];
}

/** In the file itself. */
function sourceDiagnostics(file: AgentFile): readonly Diagnostic[] {
  if (file.text === undefined) return [];
  const source = new SourceText(file.text);
  const problems = checkCode(source.text, codeLoader(file.path));
  return [...diskDiagnostics(file), ...problems.map((problem) => locate(problem, source, file.path))];
}
