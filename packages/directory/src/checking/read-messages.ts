import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Diagnostic, SourcePoint } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import { ASSERTION_FILE, failedAssertions } from "./assertions/assertion-file.ts";
import type { CheckedCode, CheckedTool } from "./checked-code.ts";
import { proseDiagnostic } from "./checked-prose.ts";
import type { CompilerMessage, CompilerOutput } from "./compiler.ts";
import { offsetOf, pointAt, positionInSource } from "./source-positions.ts";

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
  const { code, project } = context;
  const texts = new AuthorTexts(code.agentDir);
  const isAssertion = ({ file }: CompilerMessage): boolean => resolve(project, file) === join(project, ASSERTION_FILE);
  const found = [
    ...failedAssertions(code.assertions, messages.filter(isAssertion)),
    ...messages.flatMap((message) => diagnosticOf(message, context, texts) ?? []),
  ];
  // The text of a module is shown, too, if an assertion about it failed.
  for (const { file, rule } of found) if (rule === "module-types") texts.text(file);
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
  const tool = code.tools.find(({ file }) => path === join(project, file.path));
  if (tool !== undefined) return toolDiagnostic(message, tool);
  const { prose } = code;
  if (prose !== undefined && path === join(project, prose.file.path)) return proseDiagnostic(message, prose);
  return isAuthors(path, context) ? fileDiagnostic(message, relative(code.agentDir, path), texts) : undefined;
}

function toolDiagnostic(message: CompilerMessage, { tool: { code }, file }: CheckedTool): Diagnostic | undefined {
  const offset = offsetOf(file.text, message);
  if (offset > code.text.length) return undefined;
  return typeDiagnostic(message, {
    file: code.file ?? "agent.mdx",
    rule: "tool-types",
    ...positionInSource(code, offset),
  });
}

function fileDiagnostic(message: CompilerMessage, path: string, texts: AuthorTexts): Diagnostic {
  const file = path.split(sep).join("/");
  const rule = file.startsWith("modules/") ? "module-types" : "tool-types";
  return typeDiagnostic(message, { file, rule, ...positionInFile(texts.text(file), message) });
}

/** The compiler's position, if the file is gone. */
function positionInFile(text: string | undefined, point: SourcePoint): SourcePoint {
  return text === undefined ? { line: point.line, column: point.column } : pointAt(text, offsetOf(text, point));
}

interface RuledPosition extends SourcePoint {
  readonly file: string;
  readonly rule: string;
}

function typeDiagnostic({ text, code, details }: CompilerMessage, where: RuledPosition): Diagnostic {
  const hint = details.at(-1);
  return {
    ...where,
    severity: "error",
    message: `${text} (TS${code})`,
    ...(hint === undefined ? {} : { hint }),
  };
}
