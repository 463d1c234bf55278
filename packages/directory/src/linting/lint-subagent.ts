import {
  type FieldCheck,
  isAside,
  isCount,
  isFilled,
  isText,
  isTextOrList,
  isTruth,
  lintedMarkdown,
  lintFields,
  lintKeys,
  oneOf,
} from "./lint-markdown.ts";
import type { LintedFile } from "./linted-file.ts";
import { lintTools, listedTools } from "./tool-names.ts";

const KNOWN: readonly string[] = [
  ...["name", "description", "tools", "disallowedTools", "model", "permissionMode", "maxTurns", "skills"],
  ...["mcpServers", "hooks", "memory", "background", "effort", "isolation", "color", "initialPrompt"],
];

/** Keys of other programs that share such files, and of people's catalogues. */
const OTHERS: readonly string[] = [
  "mode",
  "temperature",
  "permission",
  "permissions",
  "version",
  "author",
  "tags",
  "category",
];

const CHECKS: readonly FieldCheck[] = [
  { key: "tools", fits: isTextOrList, expected: "names separated by commas, such as `Read, Grep`" },
  { key: "disallowedTools", fits: isTextOrList, expected: "names separated by commas, such as `Write, Edit`" },
  { key: "model", fits: isText, expected: "a model, such as `sonnet`, `opus`, `haiku` or `inherit`" },
  {
    key: "permissionMode",
    fits: oneOf("default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan", "manual", "delegate"),
    expected: "`default`, `acceptEdits`, `auto`, `dontAsk`, `bypassPermissions` or `plan`",
  },
  { key: "maxTurns", fits: isCount, expected: "a whole number above 0" },
  { key: "skills", fits: isTextOrList, expected: "a list of names of skills" },
  { key: "background", fits: isTruth, expected: "`true` or `false`" },
  { key: "memory", fits: oneOf("user", "project", "local"), expected: "`user`, `project` or `local`" },
];

/** Reports the mistakes of a subagent file of Claude Code; returns its name if it has one. */
export function lintSubagent(file: LintedFile): string | undefined {
  const source = lintedMarkdown(file);
  const { fields, body, hasFrontmatter, placeOf, report } = source;
  if (!hasFrontmatter) {
    if (!isAside(file.path)) reportPlain(file);
    return undefined;
  }
  const missing = ["name", "description"].filter((key) => !isFilled(fields[key]));
  if (missing.length > 1 && isAside(file.path)) return undefined;
  if (!isFilled(fields["name"])) {
    const hint = "write `name: …` in the frontmatter, in lowercase letters and hyphens";
    report("subagent-name", { at: placeOf("name"), message: "the subagent has no name, so it is ignored", hint });
  }
  if (!isFilled(fields["description"])) {
    const hint = "write `description: …`: what the subagent does, and when to call it";
    report("subagent-description", { at: placeOf("description"), message: "the subagent has no description", hint });
  }
  const name = isFilled(fields["name"]) ? String(fields["name"]) : undefined;
  if (name !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const message = `the name \`${name.slice(0, 60)}\` is not lowercase letters, digits and hyphens`;
    report("subagent-name-form", { at: placeOf("name"), message, hint: "other programs may refuse it" });
  }
  if (body === "") {
    const hint = "write the prompt below the frontmatter";
    report("subagent-prompt", { message: "the subagent has no prompt: nothing follows the frontmatter", hint });
  }
  lintKeys(source, { known: KNOWN, others: OTHERS });
  lintFields(source, "subagent-value", CHECKS);
  for (const key of ["tools", "disallowedTools"]) {
    lintTools(listedTools(fields[key]), { key, at: placeOf(key) }, report);
  }
  return name;
}

function reportPlain({ text, report }: LintedFile): void {
  if (text.trim() === "") {
    report("subagent-prompt", { message: "the file is empty", hint: "write the subagent, or remove the file" });
    return;
  }
  const isOpen = /^\s*---[ \t]*\n/.test(text);
  report("frontmatter-missing", {
    message: isOpen
      ? "the frontmatter has no end, so the file is no subagent for Claude Code"
      : "the file has no frontmatter, so it is no subagent for Claude Code",
    hint: isOpen
      ? "write a line `---` below the last key"
      : "begin the file with `---`, `name: …`, `description: …` and `---`, or move it out of the folder",
  });
}
