import { type PermissionSettings, patternText, permissionRules, type Verdict } from "@mdx-ai/parser";

/** One rule of `permissions`: a pattern such as `write_file(out/**)` and the verdict for matching calls. */
export interface ShownRule {
  readonly pattern: string;
  readonly verdict: Verdict;
}

/** The rules of `permissions` in their order; lists under one tool are written out. */
export const shownRules = (permissions: PermissionSettings): readonly ShownRule[] =>
  permissionRules(permissions).map((rule) => ({ pattern: patternText(rule), verdict: rule.verdict }));
