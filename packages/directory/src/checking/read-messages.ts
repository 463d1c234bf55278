import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { type Diagnostic, type SourcePoint, unclosedBracket } from "@mdx-ai/parser";
import { ASSERTION_FILE, failedAssertions } from "./assertions/assertion-file.ts";
import type { CheckedBlock, CheckedCode } from "./checked-code.ts";
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

export interface TypeCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** The files of the author that were read, absolute. */
  readonly files: readonly string[];
  /** The texts of files with diagnostics that are not tools, by the diagnostics' `file`. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The author's files by path relative to the agent directory. */
type AuthorTexts = Map<string, string>;

/** The text of an author's file, without its byte-order mark; undefined if the file is gone. */
function authorText(file: string, { agentDir }: CheckedCode, texts: AuthorTexts): string | undefined {
  const text = texts.get(file) ?? attempt(() => readFileSync(resolve(agentDir, file), "utf8").replace(/^\uFEFF/, ""));
  if (text !== undefined) texts.set(file, text);
  return text;
}

/** Turns the compiler's messages into diagnostics of the author's files, each once. */
export function readMessages({ messages, files }: CompilerOutput, context: MessageContext): TypeCheck {
  const { code, project } = context;
  const texts: AuthorTexts = new Map();
  const isAssertion = ({ file }: CompilerMessage): boolean => resolve(project, file) === join(project, ASSERTION_FILE);
  const found = [
    ...failedAssertions(code.assertions, messages.filter(isAssertion)),
    ...messages.flatMap((message) => diagnosticOf(message, context, texts) ?? []),
  ];
  // A module's text is also needed if an assertion about it failed.
  for (const { file, rule } of found) if (rule === "module-types") authorText(file, code, texts);
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  return {
    diagnostics: [...unique.values()],
    files: files.filter((file) => isAuthors(file, context)),
    texts,
  };
}

/** Installed packages are not checked; the directory may itself be a package. */
function isAuthors(file: string, { code, folder }: MessageContext): boolean {
  return !isWithin(folder, file) && !relative(code.agentDir, file).split(sep).includes("node_modules");
}

function diagnosticOf(message: CompilerMessage, context: MessageContext, texts: AuthorTexts): Diagnostic | undefined {
  const { code, project } = context;
  const path = resolve(project, message.file);
  const block = code.blocks.find(({ file }) => path === join(project, file.path));
  if (block !== undefined) return blockDiagnostic(message, block);
  const { prose } = code;
  if (prose !== undefined && path === join(project, prose.file.path)) return proseDiagnostic(message, prose);
  if (!isAuthors(path, context)) return undefined;
  const file = relative(code.agentDir, path).split(sep).join("/");
  return fileDiagnostic(message, file, authorText(file, code, texts));
}

function blockDiagnostic(message: CompilerMessage, { code, file, rule }: CheckedBlock): Diagnostic | undefined {
  const offset = offsetOf(file.text, message);
  if (offset > code.text.length) return undefined;
  return typeDiagnostic(message, {
    ...{ file: code.file ?? "agent.mdx", rule },
    ...positionInSource(code, offset),
  });
}

/** Codes of mistakes in the syntax; one bracket that is not closed gives several of them, at later places. */
const isSyntax = ({ code }: CompilerMessage): boolean => code >= 1_000 && code < 2_000;

function fileDiagnostic(message: CompilerMessage, file: string, text: string | undefined): Diagnostic {
  const rule = file.startsWith("modules/") ? "module-types" : "tool-types";
  const open = text === undefined || !isSyntax(message) ? undefined : unclosedBracket(text);
  if (text !== undefined && open !== undefined) {
    const { offset, bracket, expected } = open;
    return {
      ...{ file, ...pointAt(text, offset), severity: "error", rule },
      message: `the \`${bracket}\` is not closed, expected \`${expected}\``,
      hint: `write \`${expected}\` where the block that begins here should end`,
    };
  }
  // If the file is gone, use the compiler's position.
  const { line, column } = text === undefined ? message : pointAt(text, offsetOf(text, message));
  return typeDiagnostic(message, { file, rule, line, column });
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
