import { quoted, type Report } from "../report.ts";
import { didYouMean } from "../suggestion.ts";
import type { Verdict } from "../types/agent-settings.ts";
import type { Attribute } from "./attributes.ts";

const verdicts = ["allow", "ask", "deny"] as const satisfies readonly Verdict[];

/** Reads `permission`; any other value is reported and left out. */
export function readPermission(attribute: Attribute | undefined, report: Report): { readonly permission?: Verdict } {
  if (attribute === undefined) return {};
  const permission = verdicts.find((verdict) => verdict === attribute.value);
  if (permission !== undefined) return { permission };
  const written = String(attribute.value);
  report({
    rule: "tool-permission",
    offset: attribute.offset,
    message: `unexpected ${quoted(written)} as \`permission\`, expected ${verdicts.join(", ")}`,
    hint: didYouMean(written, verdicts, 'write `permission="ask"` to ask the user before each call'),
  });
  return {};
}
