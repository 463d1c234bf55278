import { join, relative } from "node:path";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { CommandContext } from "../command-context.ts";
import type { Output } from "../output/output.ts";
import { createPaint } from "../output/paint.ts";
import { plainLine } from "../plain-text.ts";

export interface DiagnosticsView {
  readonly context: CommandContext;
  readonly output: Output;
  /** Without the hints of warnings. */
  readonly isShort?: boolean;
}

/** `path:line:column severity rule message`, the path as seen from the current folder, and the hint below. */
export function showDiagnostics(directory: AgentDirectory, { context, output, isShort }: DiagnosticsView): string {
  const paint = createPaint(output, context.environment);
  const show = ({ file, line, column, severity, rule, message, hint }: Diagnostic): string => {
    const place = `${shownPath(context, directory, file)}:${line}:${column}`;
    const mark = paint(severity === "error" ? "red" : "yellow", severity);
    const below =
      hint === undefined || (isShort && severity === "warning") ? "" : `\n  ${paint("dim", plainLine(hint))}`;
    return `${plainLine(place)} ${mark} ${rule} ${plainLine(message)}${below}\n`;
  };
  return directory.diagnostics.map(show).join("");
}

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticCounts {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** A file of the agent directory as seen from the current folder; absolute if it is outside. */
export function shownPath({ currentDirectory }: CommandContext, directory: AgentDirectory, file: string): string {
  const path = join(directory.path, file);
  return isWithin(currentDirectory, path) ? relative(currentDirectory, path) : path;
}
