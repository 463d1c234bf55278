import {
  type FieldCheck,
  isAside,
  isText,
  isTextOrList,
  isTruth,
  lintedMarkdown,
  lintFields,
  lintKeys,
} from "./lint-markdown.ts";
import type { LintedFile } from "./linted-file.ts";
import { lintTools, listedTools } from "./tool-names.ts";

const KNOWN: readonly string[] = [
  ...["description", "argument-hint", "allowed-tools", "disallowed-tools", "model", "disable-model-invocation"],
  ...["user-invocable", "name", "context", "agent", "hooks", "effort", "arguments", "when_to_use", "paths", "shell"],
];

/** Keys of people's catalogues. */
const OTHERS: readonly string[] = [
  "version",
  "author",
  "tags",
  "category",
  "allowed_tools",
  "color",
  "skills",
  "license",
];

const CHECKS: readonly FieldCheck[] = [
  { key: "description", fits: isText, expected: "a text" },
  { key: "allowed-tools", fits: isTextOrList, expected: "names of tools, such as `Read, Bash(git *)`" },
  { key: "model", fits: isText, expected: "a model" },
  { key: "disable-model-invocation", fits: isTruth, expected: "`true` or `false`" },
  { key: "user-invocable", fits: isTruth, expected: "`true` or `false`" },
];

/** Reports the mistakes of a slash command of Claude Code. */
export function lintCommand(file: LintedFile): void {
  const source = lintedMarkdown(file);
  const { fields, body, hasFrontmatter, placeOf, report } = source;
  if (isAside(file.path)) return;
  if (body === "") {
    const hint = "write what the command does, or remove the file";
    report("command-empty", { message: "the command has no prompt", hint });
  }
  if (!hasFrontmatter) return;
  lintKeys(source, { known: KNOWN, others: OTHERS });
  lintFields(source, "command-value", CHECKS);
  const key = "allowed-tools";
  lintTools(spaced(listedTools(fields[key])), { key, at: placeOf(key) }, report);
}

/** Here blanks separate names, too. */
const spaced = (tools: readonly string[]): readonly string[] =>
  tools.flatMap((tool) => tool.match(/(?:\([^)]*\)|[^\s(])+/g) ?? []);
