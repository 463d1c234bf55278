import { visibleText } from "@mdx-ai/base";
import { lintRules } from "@mdx-ai/directory/linting";
import { type Diagnostic, rules } from "@mdx-ai/parser";
import { type ShownDiagnostic, shownDiagnostics } from "./shown-diagnostics.ts";

/** The content of that page: each rule with one message of the corpus and its hint. */
export async function diagnosticsPage(): Promise<string> {
  const shown = await shownDiagnostics();
  const sections = Object.entries(rules).map(([rule, severity]) => {
    return `## \`${rule}\`\n\n${sectionText(shown.get(rule) ?? [], severity)}`;
  });
  return `${HEAD}\n${sections.join("\n")}\n${lintSection()}`;
}

/** The rules for files of other programs. */
function lintSection(): string {
  const rows = Object.entries(lintRules).map(([rule, { severity, finds }]) => `- \`${rule}\` (${severity}): ${finds}`);
  return `${LINT_HEAD}\n${rows.join("\n")}\n`;
}

const LINT_HEAD = `## Files of other programs

[What a check finds in them](../linting.md), besides the rules above for skills, encodings and keys:
`;

const HEAD = `# Diagnostics

Every rule of \`mdx-ai check\` and of a run: its severity, one of its messages, and what to write instead. A run stops at an error,
not at a warning; a note appears with \`--strict\` only. \`check --fix\` applies the safe fixes. The names of the rules are stable;
the messages may change. \`check\` also has [rules for types](../typescript.md).
`;

function sectionText(shown: readonly ShownDiagnostic[], severity: string): string {
  const example = exampleOf(shown);
  if (example === undefined) return `${capitalized(severity)}.\n`;
  const { message, hint } = example;
  const fix = hint === undefined ? "" : ` → ${inline(hint)}`;
  return `${capitalized(severity)}: ${inline(withShortList(message))}${fix}\n`;
}

/** A message that lists more than five expected words, with the first three of them. */
const withShortList = (message: string): string =>
  message.replace(/(expected one of (?:[\w.]+, ){3})(?:[\w.]+, ){2,}[\w.]+$/, "$1…");

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The most characters of a text, if there is a shorter one. */
const LONG = 130;

/** The one of the shortest file, of those with the fewest other mistakes; a long text only if there is no other. */
function exampleOf(shown: readonly ShownDiagnostic[]): Diagnostic | undefined {
  const length = ({ diagnostic }: ShownDiagnostic): number => `${diagnostic.message} ${diagnostic.hint}`.length;
  const size = ({ source }: ShownDiagnostic): number => source?.length ?? Number.MAX_SAFE_INTEGER;
  const short = shown.filter((one) => length(one) < LONG);
  const [first] = (short.length === 0 ? shown : short).toSorted(
    (one, other) => one.count - other.count || size(one) - size(other),
  );
  return first?.diagnostic;
}

/** Outside of code, what Markdown would act upon is escaped. */
const inline = (text: string): string =>
  visibleText(text)
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[<*_[\]]/g, "\\$&")))
    .join("");
