import type { PermissionSettings, TouchPermissions, Verdict } from "../types/agent-settings.ts";
import { MalformedPermissionError, type PermissionPattern, permissionPattern } from "./permission-pattern.ts";

/** What becomes of the calls that a pattern matches. */
export interface PermissionRule extends PermissionPattern {
  readonly verdict: Verdict;
}

const verdicts = ["allow", "ask", "deny"] as const satisfies readonly Verdict[];

/**
 * The rules of a map of permissions, in its order: of those that match a call, the last one decides. Throws a
 * `MalformedPermissionError` where a pattern has no form that `permissionPattern` reads.
 */
export function permissionRules(settings: PermissionSettings): readonly PermissionRule[] {
  return Object.entries(settings).flatMap(([pattern, said]) =>
    typeof said === "string" ? [{ ...read(pattern), verdict: said }] : rulesOf(pattern, said),
  );
}

/** `write_file: {allow: ["out/**"]}` says what `write_file(out/**): allow` does. */
function rulesOf(tool: string, touches: TouchPermissions): readonly PermissionRule[] {
  if (read(tool).subject !== undefined) throw new MalformedPermissionError(tool);
  return Object.keys(touches).flatMap((word) => {
    const verdict = verdicts.find((known) => known === word);
    const subjects = verdict === undefined ? undefined : touches[verdict];
    if (verdict === undefined || subjects === undefined) return [];
    return subjects.map((subject) => ({ ...read(`${tool}(${subject})`), verdict }));
  });
}

function read(text: string): PermissionPattern {
  const pattern = permissionPattern(text);
  if (pattern === undefined) throw new MalformedPermissionError(text);
  return pattern;
}
