import { relative } from "node:path";
import { isWithin } from "@mdx-ai/base";
import type { PathsLint } from "@mdx-ai/directory/linting";
import { countDiagnostics, type DiagnosticCounts } from "@mdx-ai/directory/reading";
import { counted } from "@mdx-ai/directory/views/figures";
import type { Diagnostic } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { explainedDiagnostics } from "./check-text.ts";
import type { PathWords } from "./repository-path.ts";

/** The output of `--json` for files of other programs. */
interface LintReport extends DiagnosticCounts {
  /** How many files of other programs were read. */
  readonly files: number;
  /** The agent directories that were checked, too. */
  readonly agents: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export const lintReport = ({ files, agents, diagnostics }: PathsLint, pathOf: PathWords): LintReport => ({
  files,
  agents: agents.map((agent) => pathOf(agent) || "."),
  ...countDiagnostics(diagnostics),
  diagnostics: diagnostics.map((one) => ({ ...one, file: pathOf(one.file) })),
});

/** The diagnostics of files of other programs and their counts, for people. */
export function lintText({ files, agents, diagnostics, texts }: PathsLint, context: CommandContext): string {
  const { currentDirectory } = context;
  const pathOf: PathWords = (path) => (isWithin(currentDirectory, path) ? relative(currentDirectory, path) : path);
  const shown = explainedDiagnostics({ diagnostics, texts, pathOf }, context);
  const read = [
    ...(files > 0 || agents.length === 0 ? [counted(files, "file")] : []),
    ...(agents.length > 0 ? [counted(agents.length, "agent")] : []),
  ].join(" and ");
  return [...shown.map((text) => `${text}\n`), `${summary(diagnostics)} in ${read}\n`].join("\n");
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const { errors, warnings, notes } = countDiagnostics(diagnostics);
  if (errors + warnings + notes === 0) return "No mistakes found";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}${notes === 0 ? "" : `, ${counted(notes, "note")}`}`;
}
