import {
  type AgentDirectory,
  codeTranspiler,
  type Diagnostic,
  parametersSchema,
  type SourcePoint,
  type ToolDefinition,
} from "@mdx-ai/parser";
import { type ProbedFunction, type ProbeFile, probeFile } from "./drift/probe-file.ts";
import { executeProbes } from "./drift/probes.ts";
import type { ProjectFile } from "./lay-out-project.ts";
import { schemaShape } from "./shapes/schema-shape.ts";

/** The code of a directory that is checked, and the questions about it. */
export interface CheckedCode {
  /** Absolute. */
  readonly agentDir: string;
  readonly tools: readonly CheckedTool[];
  /** Relative to the directory. */
  readonly modules: readonly string[];
  /** The questions about the tools. */
  readonly probes: ProbeFile;
}

/** The files with the questions about tools and modules, as if they were in the agent directory. */
export const TOOL_PROBES = "agent.mdx.probes.ts";
export const MODULE_PROBES = "agent.mdx.modules.ts";

/** The code of a directory, without tools whose code does not parse. */
export function checkedCode({ path, definition, diagnostics }: AgentDirectory): CheckedCode {
  const broken = diagnostics.filter(({ rule }) => rule === "tool-code-syntax");
  const parsed = definition.tools.filter((tool) => !broken.some((problem) => isIn(tool, problem)));
  const tools = parsed.map(checkedTool);
  const probes = probeFile(tools.map(({ probed }) => probed));
  return { agentDir: path, tools, modules: definition.modules, probes };
}

/** The files that the compiler reads instead of the author's. */
export const projectFiles = ({ tools, modules, probes }: CheckedCode): readonly ProjectFile[] => [
  ...tools.map(({ file }) => file),
  { path: TOOL_PROBES, text: probes.text },
  { path: MODULE_PROBES, text: moduleProbes(modules) },
];

function isIn({ code }: ToolDefinition, { file, line }: Diagnostic): boolean {
  const { file: source = "agent.mdx", text, position } = code;
  return file === source && line >= position.line && line < position.line + text.split("\n").length;
}

/** A check for each module that its default export can be a module; line n is about the n-th one. */
function moduleProbes(modules: readonly string[]): string {
  const hooks = [
    ...["describe", "initialize", "tools", "systemPrompt", "start", "stop"],
    ...["beforePrompt", "beforeTool", "afterTool", "afterPrompt"],
  ];
  const optional = hooks.slice(2).map((hook) => `${hook}?: Hook`);
  const required = hooks.slice(0, 2).map((hook) => `${hook}: Hook`);
  const lines = modules.map(
    (module, index) =>
      `import module${index} from ${JSON.stringify(`./${module}`)}; module${index} satisfies AgentModule;`,
  );
  const types = [
    "type Hook = (...args: never[]) => unknown;",
    `interface AgentModule { ${[...required, ...optional].join("; ")} }`,
  ];
  return `${[...lines, ...types].join("\n")}\n`;
}

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
function checkedTool(tool: ToolDefinition, index: number): CheckedTool {
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

/** The line ends of the compiler, which include two that nobody else counts. */
const COMPILER_LINE_END = /\r\n?|[\n\u2028\u2029]/g;
const LINE_END = /\r\n?|\n/g;

/** The offset of a compiler's position; the text is without a byte-order mark. */
export function offsetOf(text: string, { line, column }: SourcePoint): number {
  return (lineStarts(text, COMPILER_LINE_END)[line - 1] ?? text.length) + column - 1;
}

/** The position of an offset as people and editors count. */
export function pointAt(text: string, offset: number): SourcePoint {
  const starts = lineStarts(text, LINE_END);
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

const lineStarts = (text: string, end: RegExp): readonly number[] => [
  0,
  ...Array.from(text.matchAll(end), (match) => match.index + match[0].length),
];
