import type { PermissionSettings, Verdict } from "@mdx-ai/parser";

/** One rule of `permissions`: a pattern such as `write_file(out/**)` and what becomes of the calls that it matches. */
export interface PermissionRule {
  readonly pattern: string;
  readonly verdict: Verdict;
}

/** The rules of `permissions`, in their order; what stands under one tool is written out. */
export function permissionRules(permissions: PermissionSettings): readonly PermissionRule[] {
  return Object.entries(permissions).flatMap(([pattern, value]) => {
    if (typeof value === "string") return [{ pattern, verdict: value }];
    const verdicts = (["allow", "ask", "deny"] as const).filter((verdict) => value[verdict] !== undefined);
    return verdicts.flatMap((verdict) =>
      (value[verdict] ?? []).map((touch) => ({ pattern: `${pattern}(${touch})`, verdict })),
    );
  });
}
