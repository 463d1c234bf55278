import type { VFile } from "vfile";
import { type AgentFile, diskDiagnostics, unreadSource } from "../agent-files.ts";
import { literalKeys } from "../literal-keys.ts";
import { locate } from "../report.ts";
import { SourceText } from "../source-text.ts";
import { checkCode, codeLoader } from "../tools/tool-code-check.ts";
import { undeclaredVariables, variableProblem } from "../tools/tool-variables.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { ToolDefinition, ToolSource } from "../types/tool-definition.ts";

/** The tools that agent.mdx declares, and the files that it names for their code. */
type WrittenTools = Pick<NonNullable<VFile["data"]["tools"]>, "tools" | "sources">;

/** The tools of an agent with the code of all files, and what is wrong with those. */
interface SourcedTools {
  readonly tools: readonly ToolDefinition[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts the texts of the files that `src` attributes name into their tools, and checks them as a code block is checked.
 * A tool whose file could not be read is left out; if files were not looked for, none is. Reads no disk.
 */
export function withSources(
  { tools = [], sources = [] }: Partial<WrittenTools>,
  files: readonly AgentFile[] | undefined,
): SourcedTools {
  if (files === undefined) return { tools, diagnostics: [] };
  const byPath = new Map(files.map((file) => [file.path, file]));
  const named = [...new Set(sources.map(({ path }) => path))].flatMap((path) => byPath.get(path) ?? []);
  const complete = tools.flatMap((tool) => completed(tool, byPath) ?? []);
  return {
    tools: complete,
    diagnostics: [
      ...sources.flatMap((source) => missingDiagnostics(source, byPath.get(source.path))),
      ...named.flatMap(sourceDiagnostics),
      ...complete.flatMap(variableDiagnostics),
    ],
  };
}

function completed(tool: ToolDefinition, files: ReadonlyMap<string, AgentFile>): ToolDefinition | undefined {
  const { code } = tool;
  if (code.file === undefined) return tool;
  const text = files.get(code.file)?.text;
  // Without a byte-order mark.
  return text === undefined ? undefined : { ...tool, code: { ...code, text: new SourceText(text).text } };
}

/** At the attribute that names the file. */
function missingDiagnostics({ line, column }: ToolSource, file: AgentFile | undefined): readonly Diagnostic[] {
  if (file?.text !== undefined) return [];
  const { message, hint } = file?.problem ?? unreadSource;
  const found: Diagnostic = { file: "agent.mdx", line, column, severity: "error", rule: "tool-source", message };
  return [hint === undefined ? found : { ...found, hint }];
}

/** In the file itself. */
function sourceDiagnostics(file: AgentFile): readonly Diagnostic[] {
  if (file.text === undefined) return [];
  const source = new SourceText(file.text);
  const problems = [...checkCode(source.text, codeLoader(file.path)), ...literalKeys(source.text)];
  return [...diskDiagnostics(file), ...problems.map((problem) => locate(problem, source, file.path))];
}

/** In the file of the tool's code. */
function variableDiagnostics({ code: { text, file }, environment }: ToolDefinition): readonly Diagnostic[] {
  if (file === undefined) return [];
  const source = new SourceText(text);
  return undeclaredVariables({ text, file }, environment).map(({ name, offset }) =>
    locate({ ...variableProblem(name, environment), offset }, source, file),
  );
}
