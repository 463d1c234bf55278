import { quoted, type Report } from "../report.ts";
import type { PermittedTool } from "../settings/check-permissions.ts";
import { didYouMean } from "../suggestion.ts";

/** Reports what `permissions` says of tools that are not among those with the given names. */
export function reportPermittedTools(
  permitted: readonly PermittedTool[],
  names: readonly string[],
  report: Report,
): void {
  for (const { name, offset } of permitted) {
    if (names.includes(name)) continue;
    report({
      rule: "permission-tool",
      offset,
      message: `unexpected tool ${quoted(name)} in \`permissions\`, expected one of ${names.join(", ")}`,
      hint: didYouMean(name, names, "take it away: this agent has no such tool"),
    });
  }
}
