import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Diagnostic, SourcePoint } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import {
  type CheckedCode,
  type CheckedTool,
  MODULE_PROBES,
  offsetOf,
  placeInSource,
  pointAt,
  TOOL_PROBES,
} from "./checked-code.ts";
import type { CompilerMessage, CompilerOutput } from "./compiler/run-compiler.ts";
import { driftText } from "./drift/drift-message.ts";
import { parameterPositions } from "./drift/parameter-positions.ts";
import { answeredType } from "./drift/probe-file.ts";

export interface MessageContext {
  readonly code: CheckedCode;
  /** The folder that represents the agent directory. */
  readonly project: string;
  /** The folder of all files written for the compiler. */
  readonly folder: string;
}

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly string[];
}

/** Turns the compiler's messages into diagnostics of the author's files, each once. */
export function readMessages({ messages, files }: CompilerOutput, context: MessageContext): Found {
  const found = messages.flatMap((message) => diagnosticOf(message, context) ?? []);
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  return { diagnostics: [...unique.values()], files: files.filter((file) => isAuthors(file, context)) };
}

/** Installed packages are not checked; the directory may itself be a package. */
function isAuthors(file: string, { code, folder }: MessageContext): boolean {
  return !isWithin(folder, file) && !relative(code.agentDir, file).split(sep).includes("node_modules");
}

function diagnosticOf(message: CompilerMessage, context: MessageContext): Diagnostic | undefined {
  const { code, project } = context;
  const path = resolve(project, message.file);
  if (path === join(project, TOOL_PROBES)) return driftDiagnostic(message, code);
  if (path === join(project, MODULE_PROBES)) return moduleDiagnostic(message, code);
  const tool = code.tools.find(({ file }) => path === join(project, file.path));
  if (tool !== undefined) return toolDiagnostic(message, tool);
  return isAuthors(path, context) ? fileDiagnostic(message, path, code) : undefined;
}

function toolDiagnostic(message: CompilerMessage, checked: CheckedTool): Diagnostic | undefined {
  const offset = offsetOf(checked.file.text, message);
  if (offset > checked.tool.code.text.length) return undefined;
  return typeDiagnostic(message, { file: checked.source, rule: "tool-types", ...placeInSource(checked, offset) });
}

function fileDiagnostic(message: CompilerMessage, path: string, { agentDir }: CheckedCode): Diagnostic {
  const file = relative(agentDir, path).split(sep).join("/");
  const rule = file.startsWith("modules/") ? "module-types" : "tool-types";
  return typeDiagnostic(message, { file, rule, ...placeInFile(path, message) });
}

/** The compiler's position, if the file is gone. */
function placeInFile(path: string, point: SourcePoint): SourcePoint {
  try {
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    return pointAt(text, offsetOf(text, point));
  } catch {
    return { line: point.line, column: point.column };
  }
}

type Said = Pick<CompilerMessage, "text" | "code" | "details">;

interface RuledPlace extends SourcePoint {
  readonly file: string;
  readonly rule: string;
}

function typeDiagnostic({ text, code, details }: Said, place: RuledPlace): Diagnostic {
  const { file, line, column, rule } = place;
  const message = `${withoutFolders(text).replace(/\.$/, "")} (TS${code})`;
  const hint = details.at(-1);
  return {
    file,
    line,
    column,
    severity: "error",
    rule,
    message,
    ...(hint === undefined ? {} : { hint: withoutFolders(hint) }),
  };
}

/** The compiler prints an imported type with the path of its file, which means nothing to people. */
const withoutFolders = (text: string): string =>
  text
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\s+/g, " ")
    .trim();

function driftDiagnostic(message: CompilerMessage, { probes, tools }: CheckedCode): Diagnostic | undefined {
  const asked = probes.questions.get(message.line);
  const checked = tools[asked?.index ?? -1];
  const answer = answeredType(message.text);
  if (asked === undefined || checked === undefined || answer === undefined) return undefined;
  const { name, parameters } = parameterPositions(checked.tool.code.text);
  const [first, second] = parameters;
  const offsets = { callable: name, context: second };
  const offset =
    asked.question.kind === "callable" || asked.question.kind === "context" ? offsets[asked.question.kind] : first;
  const place = placeInSource(checked, offset ?? name);
  const text = driftText(asked.question, withoutFolders(answer), checked.tool.schema !== undefined);
  return { file: checked.source, ...place, severity: "error", ...text };
}

function moduleDiagnostic(message: CompilerMessage, { agentDir, modules }: CheckedCode): Diagnostic | undefined {
  const file = modules[message.line - 1];
  if (file === undefined) return undefined;
  const text = "the default export is no `AgentModule`";
  const { code, details, text: reason } = message;
  const place = { file, rule: "module-types", ...exportPlace(join(agentDir, file)) };
  return typeDiagnostic({ code, details: [details.at(-1) ?? reason], text }, place);
}

function exportPlace(path: string): SourcePoint {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  return pointAt(text, Math.max(0, text.search(/^export default\b/m)));
}
