import { attempt } from "@mdx-ai/base";
import { parseModelReference } from "@mdx-ai/models";
import {
  basicTool,
  builtinCalled,
  builtinGroups,
  builtinsReplacing,
  builtinsThat,
  type CodingToolName,
  counterpartOf,
  type PermissionAction,
  withoutCompanions,
} from "@mdx-ai/parser";
import type { ImportedRule, NotesOn } from "./imported-agent.ts";

/** The builtin equivalents of other programs' tools. */
export const BUILTIN_TOOLS: readonly CodingToolName[] = builtinGroups.coding;

/** The tools that a denial of a basic tool covers: all that read, write or run commands. */
const COVERED = (["reads", "writes", "runs"] as const).map((effect) => ({
  tool: basicTool[effect],
  covered: builtinsThat(effect),
}));

/**
 * Deny rules for the tools that an agent does not declare, so that a settings file cannot re-enable one. A tool is not denied
 * if its rule would also deny a declared tool.
 */
export const undeclared = (builtins: readonly string[]): readonly ImportedRule[] =>
  COVERED.filter(({ covered }) => covered.every((tool) => !builtins.includes(tool))).map(({ tool }) => [tool, "deny"]);

/** Why a tool of another program has no counterpart. */
export function missingTool(name: string): string {
  if (name.startsWith("mcp__"))
    return "it is a tool of an MCP server; write the server under `mcp`, which gives the agent its tools";
  const others = builtinsReplacing(name);
  return others.length === 0 ? "there is no such tool" : `use ${others.join(" and ")} instead`;
}

/** The declared tools of an agent. */
export interface DeclaredTools {
  /** Absent: all tools. */
  readonly builtins?: readonly CodingToolName[];
  readonly rules: readonly ImportedRule[];
}

export interface ToolLists {
  /** Absent: every tool is allowed. */
  readonly tools: readonly string[] | undefined;
  readonly disallowed: readonly string[];
  readonly line: number;
}

/** The counterparts of the tools that a file declares. */
export function declaredTools({ tools, disallowed, line }: ToolLists, { translated, leftOut }: NotesOn): DeclaredTools {
  const isAll = tools === undefined || tools.some((name) => name === "*" || name.toLowerCase() === "all");
  if (isAll && disallowed.length === 0) return { rules: [] };
  const names = (isAll ? BUILTIN_TOOLS.map(counterpartOf) : tools).map(toolCall);
  for (const { name } of names) if (builtinCalled(name) === undefined) leftOut(`${name}: ${missingTool(name)}`, line);
  const forbidden = disallowed.map(toolCall);
  const gone = new Set(
    forbidden.flatMap(({ name, subject }) => (subject === undefined ? (builtinCalled(name) ?? []) : [])),
  );
  const declared = new Set(names.flatMap(({ name }) => builtinCalled(name) ?? []));
  const builtins = withoutCompanions(BUILTIN_TOOLS.filter((tool) => declared.has(tool) && !gone.has(tool)));
  translated(`tools → builtins: ${builtins.join(", ") || "none"}`, line);
  return { builtins, rules: [...partialRules(names, builtins), ...partialDenials(forbidden, { line, leftOut })] };
}

/** A tool's name and the pattern for its calls, as in `Bash(git *)`. */
interface ToolCall {
  readonly name: string;
  readonly subject?: string;
}

function toolCall(text: string): ToolCall {
  const [, name = text, subject] = /^([^()]+)\((.*)\)$/s.exec(text) ?? [];
  return { name: name.trim(), ...(subject !== undefined && { subject }) };
}

/** For `Bash(git:*)` among the tools: denies other commands and asks about matching ones, since a declaration grants nothing. */
function partialRules(calls: readonly ToolCall[], builtins: readonly CodingToolName[]): readonly ImportedRule[] {
  return builtins.flatMap((tool) => {
    const own = calls.filter(({ name }) => builtinCalled(name) === tool);
    if (own.some(({ subject }) => subject === undefined)) return [];
    const asked = own.map(({ subject = "" }): ImportedRule => [`${tool}(${withBlank(subject)})`, "ask"]);
    return [[tool, "deny" satisfies PermissionAction], ...asked];
  });
}

/** `git:*` means `git`, alone or followed by a blank and arguments. */
export const withBlank = (subject: string): string => subject.replace(/:\*$/, " *");

interface Denials {
  readonly line: number;
  readonly leftOut: NotesOn["leftOut"];
}

function partialDenials(calls: readonly ToolCall[], { line, leftOut }: Denials): readonly ImportedRule[] {
  return calls.flatMap(({ name, subject }): readonly ImportedRule[] => {
    const tool = builtinCalled(name);
    if (subject === undefined) return [];
    if (tool === basicTool.runs) return [[`${tool}(${subject.replace(/:\*$/, "*")})`, "deny"]];
    leftOut(`the denial of ${name}(${subject}): write it as a pattern under \`permissions\``, line);
    return [];
  });
}

interface ModelNote {
  readonly line: number;
  readonly on: NotesOn;
}

/** The local name of another program's model; undefined for the default model and for an unknown one. */
export function importModel(name: string | undefined, { line, on }: ModelNote): string | undefined {
  if (name === undefined || name === "inherit" || name === "default") return undefined;
  const found = [name, name.replace(/^google\//, "gemini/")].find(isModel);
  if (found === undefined) on.leftOut(`the model ${name}: name one with \`model: VENDOR/NAME\``, line);
  return found;
}

/** Only vendor models: other programs have no equivalent of scripted models and packages. */
const isModel = (name: string): boolean =>
  /^\S+$/.test(name) && attempt(() => parseModelReference(name))?.provider === "vendor";
