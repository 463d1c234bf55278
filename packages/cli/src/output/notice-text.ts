import type { Notice, SettingsProblem } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { type DiagnosticsView, showDiagnostics } from "./diagnostics-text.ts";

/** A notice as whole lines for standard error. */
export function noticeText(notice: Notice, view: DiagnosticsView): string {
  switch (notice.type) {
    case "note":
      return `mdx-ai: ${plainLine(notice.text)}\n`;
    case "warning":
      return `mdx-ai: warning: ${plainLine(notice.text)}\n`;
    case "trust_changed":
      return notice.changes.map((change) => `  ${change}\n`).join("");
    case "diagnostics_found":
      return showDiagnostics(notice.directory, view);
    case "settings_problem":
      return problemText(notice.path, notice.problem);
  }
}

function problemText(path: string, { line, column, severity, message, hint }: SettingsProblem): string {
  const below = hint === undefined ? "" : `\n  ${plainLine(hint)}`;
  return `${plainLine(`${path}:${line}:${column}`)} ${severity} ${plainLine(message)}${below}\n`;
}
