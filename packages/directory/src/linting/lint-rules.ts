import type { Severity } from "@mdx-ai/parser";

/** The name of a rule about files of other programs. */
export type LintRule =
  | "frontmatter-yaml"
  | "frontmatter-quotes"
  | "frontmatter-missing"
  | "key-misspelt"
  | "key-unknown"
  | "subagent-name"
  | "subagent-name-form"
  | "subagent-name-duplicate"
  | "subagent-description"
  | "subagent-prompt"
  | "subagent-value"
  | "tool-misspelt"
  | "tool-unknown"
  | "command-empty"
  | "command-value"
  | "agent-value"
  | "json-syntax"
  | "settings-value"
  | "permission-rule"
  | "permission-rule-scope"
  | "hook-shape"
  | "hook-event"
  | "hook-event-unknown"
  | "hook-file"
  | "hook-timeout"
  | "mcp-config"
  | "mcp-unpinned"
  | "plugin-manifest"
  | "plugin-path"
  | "plugin-place"
  | "marketplace"
  | "instructions-empty"
  | "instructions-import"
  | "instructions-length"
  | "hidden-text";

/** What a rule about files of other programs means. */
export interface LintRuleFacts {
  readonly severity: Severity;
  /** What it finds, as the end of "finds …". */
  readonly finds: string;
}

/** Every rule about files of other programs. The names are stable. */
export const lintRules: Readonly<Record<LintRule, LintRuleFacts>> = {
  "frontmatter-yaml": { severity: "warning", finds: "a frontmatter that no YAML reader can read" },
  "frontmatter-quotes": { severity: "note", finds: "a value that strict YAML readers refuse without quotes" },
  "frontmatter-missing": { severity: "warning", finds: "a file without the frontmatter that it needs" },
  "key-misspelt": { severity: "warning", finds: "a key that looks like a known one, and has no effect" },
  "key-unknown": { severity: "note", finds: "a key that is not documented" },
  "subagent-name": { severity: "error", finds: "a subagent without a name" },
  "subagent-name-form": { severity: "note", finds: "a name that is not lowercase letters, digits and hyphens" },
  "subagent-name-duplicate": { severity: "warning", finds: "two subagents with one name, of which one is ignored" },
  "subagent-description": { severity: "error", finds: "a subagent without a description, which is never called" },
  "subagent-prompt": { severity: "warning", finds: "a subagent without a prompt" },
  "subagent-value": { severity: "warning", finds: "a value of a subagent's frontmatter that is not understood" },
  "tool-misspelt": { severity: "warning", finds: "a tool whose name is written in another way" },
  "tool-unknown": { severity: "note", finds: "a tool that is not documented" },
  "command-empty": { severity: "warning", finds: "a command without a prompt" },
  "command-value": { severity: "warning", finds: "a value of a command's frontmatter that is not understood" },
  "agent-value": { severity: "warning", finds: "a value of an opencode agent that is not understood" },
  "json-syntax": { severity: "error", finds: "a file that is not JSON, which is ignored as a whole" },
  "settings-value": { severity: "error", finds: "a setting that is not understood" },
  "permission-rule": { severity: "error", finds: "a permission rule that is not understood and has no effect" },
  "permission-rule-scope": { severity: "warning", finds: "a permission rule of a form that its list does not have" },
  "hook-shape": { severity: "error", finds: "hooks that are not understood" },
  "hook-event": { severity: "warning", finds: "hooks of an event whose name is written in another way" },
  "hook-event-unknown": { severity: "note", finds: "hooks of an event that is not documented" },
  "hook-file": { severity: "warning", finds: "a hook whose program does not exist" },
  "hook-timeout": { severity: "warning", finds: "a time limit in milliseconds, which is read as seconds" },
  "mcp-config": { severity: "error", finds: "an MCP server that cannot be started or reached" },
  "mcp-unpinned": { severity: "note", finds: "a package that may be another one at every start" },
  "plugin-manifest": { severity: "error", finds: "a plugin manifest that is not understood" },
  "plugin-path": { severity: "warning", finds: "a path of a plugin manifest that leads nowhere" },
  "plugin-place": { severity: "warning", finds: "parts of a plugin where they are not looked for" },
  marketplace: { severity: "error", finds: "a list of plugins that is not understood" },
  "instructions-empty": { severity: "warning", finds: "instructions without a text" },
  "instructions-import": { severity: "warning", finds: "an `@` import of a file that does not exist" },
  "instructions-length": { severity: "note", finds: "instructions so long that they cost much of each prompt" },
  "hidden-text": { severity: "warning", finds: "characters that people do not see, and models read" },
};
