import { isRecord } from "@mdx-ai/base";
import {
  type FieldCheck,
  isAside,
  isCount,
  isFilled,
  isText,
  lintedMarkdown,
  lintFields,
  lintKeys,
  oneOf,
} from "./lint-markdown.ts";
import type { LintedFile } from "./linted-file.ts";

const KNOWN: readonly string[] = [
  ...["name", "description", "mode", "model", "variant", "temperature", "top_p", "prompt", "tools", "permission"],
  ...["steps", "maxSteps", "disable", "hidden", "color", "options", "reasoningEffort", "textVerbosity", "thinking"],
];

const CHECKS: readonly FieldCheck[] = [
  { key: "mode", fits: oneOf("primary", "subagent", "all"), expected: "`primary`, `subagent` or `all`" },
  { key: "model", fits: isText, expected: "a model, such as `anthropic/claude-sonnet-4-5`" },
  { key: "temperature", fits: (value) => Number(value) >= 0 && Number(value) <= 2, expected: "a number from 0 to 2" },
  { key: "steps", fits: isCount, expected: "a whole number above 0" },
  { key: "maxSteps", fits: isCount, expected: "a whole number above 0" },
  {
    key: "permission",
    fits: (value) => isRecord(value) || oneOf("allow", "ask", "deny")(value),
    expected: "`allow`, `ask`, `deny` or a map of tools",
  },
];

/** Reports the mistakes of an agent file of opencode. */
export function lintOpencodeAgent(file: LintedFile): void {
  const source = lintedMarkdown(file);
  const { fields, body, hasFrontmatter, report, placeOf } = source;
  if (isAside(file.path)) return;
  if (body === "" && !isFilled(fields["prompt"])) {
    const hint = "write the prompt below the frontmatter";
    report("subagent-prompt", { message: "the agent has no prompt: nothing follows the frontmatter", hint });
  }
  if (!hasFrontmatter) return;
  lintFields(source, "agent-value", CHECKS);
  lintPermissions(fields["permission"], (message, hint) =>
    report("agent-value", { at: placeOf("permission"), message, hint }),
  );
  lintKeys(source, { known: KNOWN, others: ["version", "author", "tags", "category", "license", "metadata"] });
}

function lintPermissions(value: unknown, report: (message: string, hint: string) => void): void {
  if (!isRecord(value)) return;
  for (const [tool, action] of Object.entries(value ?? {})) {
    const actions: readonly unknown[] = isRecord(action) ? Object.values(action ?? {}) : [action];
    const wrong = actions.find((word) => !oneOf("allow", "ask", "deny")(word));
    if (wrong === undefined) continue;
    report(`unexpected \`${String(wrong)}\` as the permission of \`${tool}\``, "write `allow`, `ask` or `deny`");
  }
}

/** Reports the mistakes of a command of opencode. */
export function lintOpencodeCommand(file: LintedFile): void {
  const { fields, body, report } = lintedMarkdown(file);
  if (body !== "" || isFilled(fields["template"]) || isAside(file.path)) return;
  report("command-empty", {
    message: "the command has no prompt",
    hint: "write what the command does, or remove the file",
  });
}
