import { attempt } from "@mdx-ai/base";
import { type AgentDirectory, codeTranspiler, type Diagnostic, type ToolDefinition } from "@mdx-ai/parser";
import { jsonText } from "../text.ts";
import { ASSERTION_FILE, assertionFile, type TypeAssertion } from "./assertions/assertion-file.ts";
import { executeAssertion, moduleAssertion } from "./assertions/code-assertions.ts";
import { type CheckedProse, checkedProse } from "./checked-prose.ts";
import type { ProjectFile } from "./lay-out-project.ts";

/** The code of a directory to check, and the assertions about it. */
export interface CheckedCode {
  /** Absolute. */
  readonly agentDir: string;
  readonly tools: readonly CheckedTool[];
  /** Relative to the directory. */
  readonly modules: readonly string[];
  /** Absent if the prose of agent.mdx contains no code. */
  readonly prose?: CheckedProse;
  readonly assertions: readonly TypeAssertion[];
}

/** The code of a directory, without tools whose code does not parse. */
export function checkedCode({ path, definition, diagnostics }: AgentDirectory): CheckedCode {
  const { modules } = definition;
  const broken = diagnostics.filter(({ rule }) => rule === "tool-code-syntax");
  const parsed = definition.tools.filter((tool) => !broken.some((problem) => isIn(tool, problem)));
  const tools = parsed.map(checkedTool);
  const assertions = [
    ...tools.map(({ tool, executeType }) => executeAssertion(tool, executeType)),
    ...modules.map((module, index) => moduleAssertion(path, module, index)),
  ];
  const prose = checkedProse(definition);
  return { agentDir: path, tools, modules, ...(prose === undefined ? {} : { prose }), assertions };
}

/** The files that the compiler reads instead of the author's. */
export const projectFiles = ({ tools, prose, assertions }: CheckedCode): readonly ProjectFile[] => [
  ...tools.map(({ file }) => file),
  ...(prose === undefined ? [] : [prose.file]),
  { path: ASSERTION_FILE, text: assertionFile(assertions) },
];

function isIn({ code }: ToolDefinition, { file, line }: Diagnostic): boolean {
  const { file: source = "agent.mdx", text, position } = code;
  return file === source && line >= position.line && line < position.line + text.split("\n").length;
}

/** A tool for the compiler. */
export interface CheckedTool {
  readonly tool: ToolDefinition;
  /** The compiler's input: the code, and a line that exports `execute`. */
  readonly file: ProjectFile;
  /** The type of `execute`, for the assertions. */
  readonly executeType: string;
}

/** The name under which `execute` is exported if the author does not export it. */
const EXPORTED = "mdxAiExecute";

/** The compiler's input for a tool; `index` is unique within the agent. */
function checkedTool(tool: ToolDefinition, index: number): CheckedTool {
  const { text, file: source } = tool.code;
  const path = source ?? `agent.mdx.tool${index}.ts`;
  const exported = exportsExecute(text) ? "execute" : EXPORTED;
  const ending = exported === EXPORTED ? `\nexport { execute as ${EXPORTED} };\n` : "\n";
  const executeType = `typeof import(${jsonText(`./${path}`)}).${exported}`;
  return { tool, file: { path, text: text + ending }, executeType };
}

/** Broken code, which is reported elsewhere, exports nothing. */
const exportsExecute = (text: string): boolean =>
  attempt(() => codeTranspiler("ts").scan(text).exports.includes("execute")) ?? false;
