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
} from "@mdx-ai/parser";
import type { ImportedRule, NotesOn } from "./imported-agent.ts";

/** The builtin tools that do what those of other programs do. */
export const BUILTIN_TOOLS: readonly CodingToolName[] = builtinGroups.coding;

/** The tools that a denial of a basic one covers: all that read, write or run commands. */
const COVERED = (["reads", "writes", "runs"] as const).map((effect) => ({
  tool: basicTool[effect],
  covered: builtinsThat(effect),
}));

/**
 * Denials of what an agent may do with none of its tools, so that no grant of a settings file gives it back. A tool is not denied
 * if that would deny another one, which the agent declares.
 */
export const undeclared = (builtins: readonly string[]): readonly ImportedRule[] =>
  COVERED.filter(({ covered }) => covered.every((tool) => !builtins.includes(tool))).map(({ tool }) => [tool, "deny"]);

/** Why a tool of another program has no counterpart. */
export function missingTool(name: string): string {
  if (name.startsWith("mcp__"))
    return "it is a tool of an MCP server; write the server under `mcp`, which gives the agent its tools";
  const others = builtinsReplacing(name);
  return others.length === 0 ? "there is no such tool" : `use ${others.join(" and ")} in its place`;
}

/** The tools that an agent declares. */
export interface DeclaredTools {
  /** Absent if it may use all. */
  readonly builtins?: readonly CodingToolName[];
  readonly rules: readonly ImportedRule[];
}

export interface ToolLists {
  /** Absent if every tool is allowed. */
  readonly tools: readonly string[] | undefined;
  readonly disallowed: readonly string[];
  readonly line: number;
}

/** The counterparts of the tools that a file declares; a tool that it does not declare is not among them. */
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
  const builtins = BUILTIN_TOOLS.filter((tool) => declared.has(tool) && !gone.has(tool));
  translated(`tools → builtins: ${builtins.join(", ") || "none"}`, line);
  return { builtins, rules: [...partialRules(names, builtins), ...partialDenials(forbidden, { line, leftOut })] };
}

/** A tool's name, and what its calls may access, as in `Bash(git *)`. */
interface ToolCall {
  readonly name: string;
  readonly subject?: string;
}

function toolCall(text: string): ToolCall {
  const [, name = text, subject] = /^([^()]+)\((.*)\)$/s.exec(text) ?? [];
  return { name: name.trim(), ...(subject !== undefined && { subject }) };
}

/** `Bash(git:*)` among the tools: other commands are denied, and these are asked about, since a declaration grants nothing. */
function partialRules(calls: readonly ToolCall[], builtins: readonly CodingToolName[]): readonly ImportedRule[] {
  return builtins.flatMap((tool) => {
    const own = calls.filter(({ name }) => builtinCalled(name) === tool);
    if (own.some(({ subject }) => subject === undefined)) return [];
    const asked = own.map(({ subject = "" }): ImportedRule => [`${tool}(${withBlank(subject)})`, "ask"]);
    return [[tool, "deny" satisfies PermissionAction], ...asked];
  });
}

/** `git:*` means `git` and what follows it after a blank. */
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

/** The name here of a model that another program names; undefined for the default model, and for one that is not known. */
export function importModel(name: string | undefined, { line, on }: ModelNote): string | undefined {
  if (name === undefined || name === "inherit" || name === "default") return undefined;
  const found = [name, name.replace(/^google\//, "gemini/")].find(isModel);
  if (found === undefined) on.leftOut(`the model ${name}: name one with \`model: VENDOR/NAME\``, line);
  return found;
}

/** Nothing but models of vendors: another program has no scripts and no packages of this one. */
const isModel = (name: string): boolean =>
  /^\S+$/.test(name) && attempt(() => parseModelReference(name))?.provider === "vendor";
