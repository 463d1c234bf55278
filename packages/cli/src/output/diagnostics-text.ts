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

/** One line per diagnostic, as for a run. Hints follow for errors only. */
export function showDiagnostics(directory: AgentDirectory, { frontEnd, output }: DiagnosticsView): string {
  const paint = createPaint(output, frontEnd.environment);
  const show = (diagnostic: Diagnostic): string => {
    const { file, severity, message, hint } = diagnostic;
    const line = `${diagnosticHead(diagnostic, shownPath(frontEnd, directory, file), paint)} ${plainLine(message)}`;
    return hint === undefined || severity !== "error" ? `${line}\n` : `${line}\n  ${paint("dim", plainLine(hint))}\n`;
  };
  return directory.diagnostics.map(show).join("");
}

/** `path:line:column severity rule`, the start of a diagnostic. */
export function diagnosticHead({ line, column, severity, rule }: Diagnostic, path: string, paint: Paint): string {
  return `${plainLine(`${path}:${line}:${column}`)} ${paint(SEVERITY_COLOURS[severity], severity)} ${rule}`;
}

/** The path of a file of the agent, relative to the current folder; absolute if outside. */
export function shownPath(
  { currentDirectory }: Pick<FrontEnd, "currentDirectory">,
  directory: AgentDirectory,
  file: string,
): string {
  const path = resolve(directory.path, file);
  return isWithin(currentDirectory, path) ? relative(currentDirectory, path) : path;
}
