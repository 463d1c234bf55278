import { type PermissionSettings, patternText, permissionRules, type Verdict } from "@mdx-ai/parser";

/** One rule of `permissions`: a pattern such as `write_file(out/**)` and what becomes of the calls that it matches. */
export interface ShownRule {
  readonly pattern: string;
  readonly verdict: Verdict;
}

/** The rules of `permissions`, in their order; what stands under one tool is written out. */
export const shownRules = (permissions: PermissionSettings): readonly ShownRule[] =>
  permissionRules(permissions).map((rule) => ({ pattern: patternText(rule), verdict: rule.verdict }));
