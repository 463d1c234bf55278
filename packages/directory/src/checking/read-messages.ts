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
  readonly texts: ReadonlyMap<string, string>;
}

/** The author's files by path relative to the agent directory, each read once and without its byte-order mark. */
class AuthorTexts {
  readonly #agentDir: string;
  readonly all = new Map<string, string>();

  constructor(agentDir: string) {
    this.#agentDir = agentDir;
  }

  /** Undefined if the file is gone. */
  text(file: string): string | undefined {
    if (!this.all.has(file)) this.#read(file);
    return this.all.get(file);
  }

  #read(file: string): void {
    try {
      this.all.set(file, readFileSync(resolve(this.#agentDir, file), "utf8").replace(/^\uFEFF/, ""));
    } catch {}
  }
}

/** Turns the compiler's messages into diagnostics of the author's files, each once. */
export function readMessages({ messages, files }: CompilerOutput, context: MessageContext): Found {
  const texts = new AuthorTexts(context.code.agentDir);
  const found = messages.flatMap((message) => diagnosticOf(message, context, texts) ?? []);
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  return {
    diagnostics: [...unique.values()],
    files: files.filter((file) => isAuthors(file, context)),
    texts: texts.all,
  };
}

/** Installed packages are not checked; the directory may itself be a package. */
function isAuthors(file: string, { code, folder }: MessageContext): boolean {
  return !isWithin(folder, file) && !relative(code.agentDir, file).split(sep).includes("node_modules");
}

function diagnosticOf(message: CompilerMessage, context: MessageContext, texts: AuthorTexts): Diagnostic | undefined {
  const { code, project } = context;
  const path = resolve(project, message.file);
  if (path === join(project, TOOL_PROBES)) return driftDiagnostic(message, code);
  if (path === join(project, MODULE_PROBES)) return moduleDiagnostic(message, code, texts);
  const tool = code.tools.find(({ file }) => path === join(project, file.path));
  if (tool !== undefined) return toolDiagnostic(message, tool);
  return isAuthors(path, context) ? fileDiagnostic(message, relative(code.agentDir, path), texts) : undefined;
}

function toolDiagnostic(message: CompilerMessage, checked: CheckedTool): Diagnostic | undefined {
  const offset = offsetOf(checked.file.text, message);
  if (offset > checked.tool.code.text.length) return undefined;
  return typeDiagnostic(message, { file: checked.source, rule: "tool-types", ...placeInSource(checked, offset) });
}

function fileDiagnostic(message: CompilerMessage, path: string, texts: AuthorTexts): Diagnostic {
  const file = path.split(sep).join("/");
  const rule = file.startsWith("modules/") ? "module-types" : "tool-types";
  return typeDiagnostic(message, { file, rule, ...placeInFile(texts.text(file), message) });
}

/** The compiler's position, if the file is gone. */
function placeInFile(text: string | undefined, point: SourcePoint): SourcePoint {
  return text === undefined ? { line: point.line, column: point.column } : pointAt(text, offsetOf(text, point));
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

function moduleDiagnostic(
  message: CompilerMessage,
  { modules }: CheckedCode,
  texts: AuthorTexts,
): Diagnostic | undefined {
  const file = modules[message.line - 1];
  if (file === undefined) return undefined;
  const text = "the default export is no `AgentModule`";
  const { code, details, text: reason } = message;
  const place = { file, rule: "module-types", ...exportPlace(texts.text(file) ?? "") };
  return typeDiagnostic({ code, details: [details.at(-1) ?? reason], text }, place);
}

const exportPlace = (text: string): SourcePoint => pointAt(text, Math.max(0, text.search(/^export default\b/m)));
