import { attempt } from "@mdx-ai/base";
import {
  type AgentDefinition,
  type AgentDirectory,
  codeTranspiler,
  type Diagnostic,
  type HeartbeatCode,
  type ToolDefinition,
} from "@mdx-ai/parser";
import { jsonText } from "../text.ts";
import { ASSERTION_FILE, assertionFile, type TypeAssertion } from "./assertions/assertion-file.ts";
import { executeAssertion, heartbeatAssertion, moduleAssertion } from "./assertions/code-assertions.ts";
import { type CheckedProse, checkedProse } from "./checked-prose.ts";
import type { ProjectFile } from "./lay-out-project.ts";

/** The code of a directory to check, and the assertions about it. */
export interface CheckedCode {
  /** Absolute. */
  readonly agentDir: string;
  /** The tools, and the gates and checks of heartbeat.md. */
  readonly blocks: readonly CheckedBlock[];
  /** Relative to the directory. */
  readonly modules: readonly string[];
  /** Absent if the prose of agent.mdx contains no code. */
  readonly prose?: CheckedProse;
  readonly assertions: readonly TypeAssertion[];
}

/** The code of a directory, without blocks that do not parse. */
export function checkedCode({ path, definition, diagnostics }: AgentDirectory): CheckedCode {
  const { modules } = definition;
  const broken = diagnostics.filter(({ rule }) => rule === "tool-code-syntax" || rule === "heartbeat-code");
  const isWhole = ({ code }: Pick<ToolDefinition, "code">): boolean => !broken.some((problem) => isIn(code, problem));
  const tools = definition.tools.filter(isWhole).map((tool, index) => ({ tool, ...checkedTool(tool, index) }));
  const beats = heartbeatCode(definition)
    .filter(isWhole)
    .map((one, index) => ({ ...one, ...checkedBeat(one, index) }));
  const assertions = [
    ...tools.map(({ tool, type }) => executeAssertion(tool, type)),
    ...beats.map(({ name, code, type }) => heartbeatAssertion(name, code, type)),
    ...modules.map((module, index) => moduleAssertion(path, module, index)),
  ];
  const prose = checkedProse(definition);
  const blocks = [...tools, ...beats];
  return { agentDir: path, blocks, modules, ...(prose === undefined ? {} : { prose }), assertions };
}

/** The files that the compiler reads instead of the author's. */
export const projectFiles = ({ blocks, prose, assertions }: CheckedCode): readonly ProjectFile[] => [
  ...blocks.map(({ file }) => file),
  ...(prose === undefined ? [] : [prose.file]),
  { path: ASSERTION_FILE, text: assertionFile(assertions) },
];

function isIn(
  { file: source = "agent.mdx", text, position }: ToolDefinition["code"],
  { file, line }: Diagnostic,
): boolean {
  return file === source && line >= position.line && line < position.line + text.split("\n").length;
}

/** A block of code for the compiler. */
export interface CheckedBlock {
  readonly code: ToolDefinition["code"];
  /** The compiler's input: the code, and a line that exports its function. */
  readonly file: ProjectFile;
  /** The type of the function, for the assertions. */
  readonly type: string;
  /** Of the compiler's messages about it. */
  readonly rule: string;
}

/** A gate or a check of heartbeat.md. */
interface HeartbeatBlock {
  readonly name: "gate" | "done";
  readonly code: ToolDefinition["code"];
}

/** The gates and checks of heartbeat.md that are blocks of code. */
export function heartbeatCode({ heartbeat }: AgentDefinition): readonly HeartbeatBlock[] {
  const all = [heartbeat?.directives, ...(heartbeat?.routines ?? []).map(({ directives }) => directives)];
  const block = (name: "gate" | "done", code: HeartbeatCode | undefined): readonly HeartbeatBlock[] =>
    code?.type === "block" ? [{ name, code: code.code }] : [];
  return all.flatMap((one) => [...block("gate", one?.gate), ...block("done", one?.done)]);
}

function checkedBeat({ name, code }: HeartbeatBlock, index: number): CheckedBlock {
  const path = `heartbeat.md.${name}${index}.ts`;
  const text = `${code.text}\nexport { ${name} as ${EXPORTED} };\n`;
  return { code, file: { path, text }, type: `typeof import("./${path}").${EXPORTED}`, rule: "heartbeat-types" };
}

/** The name under which `execute` is exported if the author does not export it. */
const EXPORTED = "mdxAiExecute";

/** The compiler's input for a tool; `index` is unique within the agent. */
function checkedTool({ code }: ToolDefinition, index: number): CheckedBlock {
  const { text, file: source } = code;
  const path = source ?? `agent.mdx.tool${index}.ts`;
  const exported = exportsExecute(text) ? "execute" : EXPORTED;
  const ending = exported === EXPORTED ? `\nexport { execute as ${EXPORTED} };\n` : "\n";
  const type = `typeof import(${jsonText(`./${path}`)}).${exported}`;
  return { code, file: { path, text: text + ending }, type, rule: "tool-types" };
}

/** Broken code, which is reported elsewhere, exports nothing. */
const exportsExecute = (text: string): boolean =>
  attempt(() => codeTranspiler("ts").scan(text).exports.includes("execute")) ?? false;
