import { didYouMean, isRecord } from "@mdx-ai/base";
import type { Finding } from "@mdx-ai/base/schema";
import { isMcpToolName } from "../mcp-tool-name.ts";
import { permissionPattern } from "../permission-pattern.ts";
import { quoted, type Report } from "../report.ts";
import { offsetOf, type SettingsReading } from "./settings-reading.ts";

/** A tool that a pattern of `permissions` names. */
export interface PermittedTool {
  readonly name: string;
  /** Of the pattern in the document. */
  readonly offset: number;
}

/** The tools that accepted patterns name without a wildcard. */
export function permittedTools(reading: SettingsReading): readonly PermittedTool[] {
  const patterns = Object.keys(reading.accepted.permissions ?? {}).filter((key) => key !== "mode");
  return patterns.flatMap((pattern) => {
    const tool = permissionPattern(pattern)?.tool;
    const isNamed = tool !== undefined && !tool.includes("*");
    return isNamed ? [{ name: tool, offset: offsetOf(reading, ["permissions", pattern], "key") }] : [];
  });
}

/** Reports the tools in `permissions` that are not among the given names. */
export function reportPermittedTools(
  permitted: readonly PermittedTool[],
  names: readonly string[],
  report: Report,
): void {
  for (const { name, offset } of permitted) {
    // What a server lists is not known yet.
    if (names.includes(name) || isMcpToolName(name)) continue;
    report({
      rule: "permission-tool",
      offset,
      message: `unexpected tool ${quoted(name)} in \`permissions\`, expected one of ${names.join(", ")}`,
      hint: didYouMean(name, names, "remove it: this agent has no such tool"),
    });
  }
}

/** What is wrong with a command or a path in a list of patterns. */
export function checkSubject(subject: unknown, name: string): readonly Finding[] {
  if (permissionPattern(`x(${subject})`) !== undefined) return [];
  return [patternFinding(String(subject), ` in ${quoted(name)}`, "write a command or a path")];
}

/** What is wrong with a key of `permissions`. */
export function checkPatternKey(pattern: string, said: unknown): Finding | undefined {
  if (pattern === "mode") return undefined;
  const read = permissionPattern(pattern);
  if (read === undefined) {
    const hint = "write a tool's name, optionally followed by a command or path in parentheses";
    return patternFinding(pattern, "", hint);
  }
  if (/^\d+$/.test(pattern)) {
    const seen = " of digits only, which has no fixed position in the order";
    return patternFinding(pattern, seen, `write \`"${pattern}*"\``);
  }
  if (read.subject === undefined || !isRecord(said)) return undefined;
  const hint = `write \`${read.tool}\` before the map, or \`allow\`, \`ask\` or \`deny\` instead of the map`;
  return patternFinding(pattern, " before a map of patterns", hint);
}

const patternFinding = (pattern: string, seen: string, hint: string): Finding => ({
  rule: "permission-pattern",
  message: `unexpected pattern ${quoted(pattern)}${seen}, expected one such as \`bash\`, \`bash(git *)\` or \`mcp.*\``,
  hint,
});
