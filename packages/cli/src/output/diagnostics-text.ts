import { join, relative } from "node:path";
import type { Surroundings } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { Output } from "./output.ts";
import { createPaint } from "./paint.ts";

export interface DiagnosticsView {
  readonly surroundings: Pick<Surroundings, "environment" | "currentDirectory">;
  readonly output: Output;
  /** Without the hints of warnings. */
  readonly isShort?: boolean;
}

/** `path:line:column severity rule message`, the path as seen from the current folder, and the hint below. */
export function showDiagnostics(directory: AgentDirectory, { surroundings, output, isShort }: DiagnosticsView): string {
  const paint = createPaint(output, surroundings.environment);
  const show = ({ file, line, column, severity, rule, message, hint }: Diagnostic): string => {
    const place = `${shownPath(surroundings, directory, file)}:${line}:${column}`;
    const mark = paint(severity === "error" ? "red" : "yellow", severity);
    const below =
      hint === undefined || (isShort && severity === "warning") ? "" : `\n  ${paint("dim", plainLine(hint))}`;
    return `${plainLine(place)} ${mark} ${rule} ${plainLine(message)}${below}\n`;
  };
  return directory.diagnostics.map(show).join("");
}

/** A file of the agent directory as seen from the current folder; absolute if it is outside. */
export function shownPath(
  { currentDirectory }: Pick<Surroundings, "currentDirectory">,
  directory: AgentDirectory,
  file: string,
): string {
  const path = join(directory.path, file);
  return isWithin(currentDirectory, path) ? relative(currentDirectory, path) : path;
}
