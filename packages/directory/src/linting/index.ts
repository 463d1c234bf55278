export { type LintOptions, lintPaths, type PathsLint } from "./lint-paths.ts";
export { type LintRuleFacts, lintRules } from "./lint-rules.ts";
