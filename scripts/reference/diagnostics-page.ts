import { shortened, visibleProse, visibleText } from "@mdx-ai/base";
import { rules, type TextEdit } from "@mdx-ai/parser";
import { tableOf } from "./markdown-table.ts";
import { type ShownDiagnostic, shownDiagnostics } from "./shown-diagnostics.ts";

/** Lines of an example before and after the one of the mistake. */
const BEFORE = 6;
const AFTER = 4;
const MAX_LINE = 120;

/** The content of that page: each rule with an example of the corpus, and the messages of its other cases. */
export async function diagnosticsPage(): Promise<string> {
  const shown = await shownDiagnostics();
  const sections = Object.entries(rules).map(([rule, severity]) => {
    return `## \`${rule}\`\n\n${sectionText(shown.get(rule) ?? [], severity)}`;
  });
  return `${HEAD}\n${sections.join("\n")}`;
}

const HEAD = `# Diagnostics

Every rule of \`mdx-ai check\` and of a run: its severity, an example, the message, and what to write instead.
A run stops at an error; a warning does not stop it. \`mdx-ai check --fix\` applies the fixes shown here.
The names of the rules are stable; the messages may change. \`mdx-ai check\` has [rules for types](../typescript.md), too.

This page is written by \`npm run reference\` from the rules and from the broken directories in \`test/corpus\`.
`;

function sectionText(shown: readonly ShownDiagnostic[], severity: string): string {
  const example = exampleOf(shown);
  if (example === undefined) return `Severity: ${severity}.\n`;
  const others = distinct(shown).filter((one) => cellsOf(one).join("\n") !== cellsOf(example).join("\n"));
  const parts = [
    `Severity: ${severity}. Example: ${example.comment}`,
    ...sourceText(example),
    messageText(example),
    ...(others.length === 0 ? [] : [tableOf(["other messages", "what to write"], others.map(cellsOf))]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The shortest, of those with the fewest other mistakes. */
function exampleOf(shown: readonly ShownDiagnostic[]): ShownDiagnostic | undefined {
  const size = ({ source }: ShownDiagnostic): number => source?.length ?? Number.MAX_SAFE_INTEGER;
  return shown.toSorted((one, other) => one.count - other.count || size(one) - size(other))[0];
}

/** One of each message, in their order. */
const distinct = (shown: readonly ShownDiagnostic[]): readonly ShownDiagnostic[] =>
  [...new Map(shown.toReversed().map((one) => [cellsOf(one).join("\n"), one])).values()].toReversed();

function sourceText({ source, diagnostic }: ShownDiagnostic): readonly string[] {
  if (source === undefined) return [];
  const lines = source.split("\n").slice(Math.max(0, diagnostic.line - 1 - BEFORE), diagnostic.line + AFTER);
  const text = lines.map((line) => shortened(visibleProse(line), MAX_LINE)).join("\n");
  const longestFence = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longestFence + 1);
  return [`${fence}${/\.(\w+)$/.exec(diagnostic.file)?.[1] ?? ""}\n${text.replace(/^\n+|\s+$/g, "")}\n${fence}`];
}

function messageText({ diagnostic, source }: ShownDiagnostic): string {
  const { file, line, column, message, hint, fix } = diagnostic;
  const fixed = fix === undefined || source === undefined ? "" : `\nFix: ${fixText(fix, source)}.`;
  return `\`${file}:${line}:${column}\` ${inline(message)}\\\nHint: ${inline(hint ?? "")}${fixed === "" ? "" : `\\${fixed}`}`;
}

function fixText({ start, end, text }: TextEdit, source: string): string {
  const before = source.slice(start, end);
  if (before === "") return `inserts ${quotedCode(text)}`;
  return text === "" ? `removes ${quotedCode(before)}` : `replaces ${quotedCode(before)} by ${quotedCode(text)}`;
}

/** Code in as many backticks as it needs. */
function quotedCode(text: string): string {
  const shown = visibleText(shortened(text, MAX_LINE));
  const fence = "`".repeat(Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length)) + 1);
  return fence === "`" ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

const cellsOf = ({ diagnostic: { message, hint } }: ShownDiagnostic): readonly string[] => [
  inline(message),
  inline(hint ?? ""),
];

/** Outside of code, what Markdown would act upon is escaped. */
const inline = (text: string): string =>
  visibleText(text)
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[<*_[\]]/g, "\\$&")))
    .join("");
