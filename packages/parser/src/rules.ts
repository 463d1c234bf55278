import type { Severity } from "./types/diagnostic.ts";

const severities = {
  "directory-missing": "error",
  "file-missing": "error",
  "file-unreadable": "error",
  "file-encoding": "error",
  "file-too-large": "error",
  "skills-missing": "warning",
  "skill-file-missing": "warning",

  "mdx-tag": "error",
  "mdx-closing-tag": "error",
  "mdx-comment": "error",
  "mdx-link": "error",
  "mdx-expression": "error",
  "mdx-esm": "error",
  "mdx-syntax": "error",
  "mdx-unknown-component": "error",
  "mdx-unknown-name": "error",
  "code-fence-unclosed": "warning",

  "frontmatter-syntax": "error",
  "frontmatter-place": "error",
  "setting-type": "error",
  "setting-unknown": "warning",
  "setting-not-supported": "warning",

  "name-missing": "warning",
  "purpose-missing": "error",
  "section-duplicate": "warning",

  "tool-name": "error",
  "tool-name-duplicate": "error",
  "tool-wire-name": "warning",
  "tool-description": "error",
  "tool-code": "error",
  "tool-code-duplicate": "error",
  "tool-code-syntax": "error",
  "tool-execute": "error",
  "tool-environment": "error",
  "tool-timeout": "error",
  "tool-nested": "error",
  "tool-content": "warning",
  "param-name": "error",
  "param-name-form": "warning",
  "param-name-duplicate": "error",
  "param-type": "error",
  "param-required": "error",
  "param-description": "error",
  "param-place": "error",
  "example-name": "error",
  "example-name-duplicate": "warning",
  "example-few-shot": "error",
  "example-content": "warning",
  "example-code": "error",
  "example-code-duplicate": "error",
  "example-json": "error",
  "example-shape": "error",
  "example-arguments": "error",
  "attribute-unknown": "warning",
  "attribute-duplicate": "error",
  "attribute-value": "error",

  "heartbeat-schedule": "error",
  "heartbeat-routine": "error",
  "heartbeat-section": "warning",
  "heartbeat-empty": "warning",

  "skill-frontmatter": "warning",
  "skill-description": "error",
  "skill-description-length": "warning",
  "skill-name": "warning",
  "skill-name-duplicate": "warning",
  "skill-field": "warning",
  "skill-length": "warning",
} as const;

/** The name of a rule. */
export type Rule = keyof typeof severities;

/** Every rule that a Diagnostic may name, with its usual severity. The names are stable. */
export const rules: Readonly<Record<Rule, Severity>> = severities;
