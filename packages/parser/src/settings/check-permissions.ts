import { didYouMean, isRecord } from "@mdx-ai/base";
import { isMcpToolName } from "../mcp-tool-name.ts";
import { permissionPattern } from "../permission-pattern.ts";
import { quoted, type Report } from "../report.ts";
import { type Path, pathName, rangeOf, type SettingsReading } from "./setting-paths.ts";

/** A tool that a pattern of `permissions` names. */
export interface PermittedTool {
  readonly name: string;
  /** Of the pattern in the document. */
  readonly offset: number;
}

/** Reports patterns of `permissions` that cannot be read, and returns their paths. */
export function refusedPatterns(reading: SettingsReading): readonly Path[] {
  return patternsOf(reading).filter((path) => {
    const found = problemOf(path, reading);
    if (found === undefined) return false;
    reading.report({
      rule: "permission-pattern",
      offset: rangeOf(reading, path, path.length === 2 ? "key" : "value").start,
      message: `unexpected pattern ${quoted(found.pattern)}${found.seen}, expected one such as \`bash\`, \`bash(git *)\` or \`mcp.*\``,
      hint: found.hint,
    });
    return true;
  });
}

/** The tools that patterns name without a wildcard, except refused ones. */
export function permittedTools(reading: SettingsReading, isRefused: (path: Path) => boolean): readonly PermittedTool[] {
  return patternsOf(reading).flatMap((path) => {
    const tool = path.length === 2 && !isRefused(path) ? permissionPattern(path[1] ?? "")?.tool : undefined;
    return tool === undefined || tool.includes("*")
      ? []
      : [{ name: tool, offset: rangeOf(reading, path, "key").start }];
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

/** The keys of `permissions` that are patterns, and the paths of the patterns in their lists. */
function patternsOf({ yaml }: SettingsReading): readonly Path[] {
  const { permissions } = yaml.values;
  if (!isRecord(permissions)) return [];
  const patterns = Object.entries(permissions).filter(([key]) => key !== "mode");
  return patterns.flatMap(([key, said]) => [["permissions", key], ...listedIn(key, said)]);
}

function listedIn(key: string, said: unknown): readonly Path[] {
  if (!isRecord(said)) return [];
  return Object.entries(said).flatMap(([action, list]) =>
    Array.isArray(list) ? list.map((_, index) => ["permissions", key, action, String(index)]) : [],
  );
}

interface PatternProblem {
  readonly pattern: string;
  readonly seen: string;
  readonly hint: string;
}

function problemOf(path: Path, { yaml, schema }: SettingsReading): PatternProblem | undefined {
  const [, pattern = "", action, index] = path;
  const { permissions } = yaml.values;
  const said = isRecord(permissions) && Object.hasOwn(permissions, pattern) ? permissions[pattern] : undefined;
  if (action === undefined) return keyProblem(pattern, said);
  const list = isRecord(said) ? said[action] : undefined;
  const subject: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  if (typeof subject !== "string" || permissionPattern(`x(${subject})`) !== undefined) return undefined;
  return {
    pattern: subject,
    seen: ` in ${quoted(pathName(schema, path))}`,
    hint: "write a command or a path",
  };
}

function keyProblem(pattern: string, said: unknown): PatternProblem | undefined {
  const read = permissionPattern(pattern);
  if (read === undefined) {
    return { pattern, seen: "", hint: "write a tool's name, optionally followed by a command or path in parentheses" };
  }
  if (/^\d+$/.test(pattern)) {
    return {
      pattern,
      seen: " of digits only, which has no fixed position in the order",
      hint: `write \`"${pattern}*"\``,
    };
  }
  if (read.subject === undefined || !isRecord(said)) return undefined;
  return {
    pattern,
    seen: " before a map of patterns",
    hint: `write \`${read.tool}\` before the map, or \`allow\`, \`ask\` or \`deny\` instead of the map`,
  };
}
