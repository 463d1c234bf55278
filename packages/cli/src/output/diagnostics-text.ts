import { relative, resolve } from "node:path";
import { isWithin } from "@mdx-ai/base";
import type { FrontEnd } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentDirectory, Diagnostic, Severity } from "@mdx-ai/parser";
import { type Colour, createPaint, type Output, type Paint } from "./output.ts";

export interface DiagnosticsView {
  readonly frontEnd: Pick<FrontEnd, "environment" | "currentDirectory">;
  readonly output: Output;
}

export const SEVERITY_COLOURS: Readonly<Record<Severity, Colour>> = { error: "red", warning: "yellow", note: "dim" };

/** One line each, as for a run: with the hints of errors below, without those of warnings. */
export function showDiagnostics(directory: AgentDirectory, { frontEnd, output }: DiagnosticsView): string {
  const paint = createPaint(output, frontEnd.environment);
  const show = (diagnostic: Diagnostic): string => {
    const { file, severity, message, hint } = diagnostic;
    const line = `${diagnosticHead(diagnostic, shownPath(frontEnd, directory, file), paint)} ${plainLine(message)}`;
    return hint === undefined || severity !== "error" ? `${line}\n` : `${line}\n  ${paint("dim", plainLine(hint))}\n`;
  };
  return directory.diagnostics.map(show).join("");
}

/** `path:line:column severity rule`, what a diagnostic begins with. */
export function diagnosticHead({ line, column, severity, rule }: Diagnostic, path: string, paint: Paint): string {
  return `${plainLine(`${path}:${line}:${column}`)} ${paint(SEVERITY_COLOURS[severity], severity)} ${rule}`;
}

/** A file of the agent directory as seen from the current folder; absolute if it is outside. */
export function shownPath(
  { currentDirectory }: Pick<FrontEnd, "currentDirectory">,
  directory: AgentDirectory,
  file: string,
): string {
  const path = resolve(directory.path, file);
  return isWithin(currentDirectory, path) ? relative(currentDirectory, path) : path;
}
