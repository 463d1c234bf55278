import { plainLine } from "@mdx-ai/directory/text";
import type { Diagnostic, Severity } from "@mdx-ai/parser";
import type { PathWords } from "./repository-path.ts";

/** The commands of GitHub Actions that annotate a line. */
const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

/** One command of a GitHub Actions workflow for each diagnostic, which shows it beside the line. */
export const githubText = (diagnostics: readonly Diagnostic[], pathOf: PathWords): string =>
  diagnostics.map((diagnostic) => `${annotation(diagnostic, pathOf)}\n`).join("");

function annotation({ file, line, column, severity, rule, message, hint }: Diagnostic, pathOf: PathWords): string {
  const properties = { file: pathOf(file), line, col: column, title: rule };
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${COMMANDS[severity]} ${words.join(",")}::${data([message, ...(hint === undefined ? [] : [hint])].map(plainLine).join("\n"))}`;
}

/** What a runner reads as the end of a command, or as the next property, is escaped as it expects it. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
