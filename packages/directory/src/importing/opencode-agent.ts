import { dirname } from "node:path";
import { defined, isRecord } from "@mdx-ai/base";
import { basicTool, builtinCalled, builtinsThat, type CodingToolName, type PermissionAction } from "@mdx-ai/parser";
import { BUILTIN_TOOLS, importModel, missingTool } from "./counterparts.ts";
import { type ImportedAgent, type ImportedRule, type NotesOn, notesOn } from "./imported-agent.ts";
import {
  agentOf,
  type NumberRange,
  noteOthers,
  numberField,
  readSource,
  type SourceFile,
  TURNS,
  textField,
} from "./source-file.ts";

/** The keys of an agent file that are translated or reported individually. */
const KNOWN: readonly string[] = [
  ...["name", "description", "mode", "model", "temperature", "steps", "maxSteps", "tools", "permission"],
];

/** An agent file of opencode. */
export function readOpencodeAgent(path: string): ImportedAgent {
  const source = readSource(path);
  const on = notesOn(path);
  const model = importModel(textField(source, "model"), { line: source.lineOf("model"), on });
  const turns = numberField(source, "steps" in source.fields ? "steps" : "maxSteps", { range: TURNS, on });
  if ("steps" in source.fields && "maxSteps" in source.fields)
    on.leftOut("the key maxSteps", source.lineOf("maxSteps"));
  const temperature = numberField(source, "temperature", { range: TEMPERATURES, on });
  noteMode(source, on);
  const builtins = builtinsOf(source, on);
  const rules = rulesOf(source, on);
  noteOthers(source, { known: KNOWN, on });
  const settings = { model, temperature, turns };
  const agent = agentOf(source, { format: "opencode-agent", settings, builtins, rules, notes: on.notes });
  return { ...agent, ...defined({ whyUncalled: whyUncalled(source) }) };
}

function whyUncalled({ fields }: SourceFile): string | undefined {
  if (fields["disable"] === true) return "it is switched off there";
  return fields["mode"] === "primary" ? "it is an agent to start, not to call" : undefined;
}

const TEMPERATURES: NumberRange = { from: 0, to: 2 };

/** Who starts an agent of a mode. */
const MODES: ReadonlyMap<unknown, string> = new Map([
  ["primary", "an agent that its user starts"],
  ["subagent", "an agent that another one can call"],
  ["all", "an agent that its user starts or another one calls"],
]);

function noteMode(source: SourceFile, { translated, leftOut }: NotesOn): void {
  if (!("mode" in source.fields)) return;
  const { mode } = source.fields;
  const known = MODES.get(mode);
  const line = source.lineOf("mode");
  if (known === undefined) leftOut(`mode ${String(mode)}: expected ${[...MODES.keys()].join(", ")}`, line);
  else translated(`mode ${String(mode)} → ${known}`, line);
}

/** All tools that are not switched off; undefined if none is switched off. */
function builtinsOf(
  { fields, lineOf }: SourceFile,
  { translated, leftOut }: NotesOn,
): readonly CodingToolName[] | undefined {
  const { tools } = fields;
  if (tools === undefined) return undefined;
  const line = lineOf("tools");
  const switches = switchesOf(tools);
  if (switches === undefined) {
    leftOut("tools, which is not a map of switches: the agent gets no builtin tool", line);
    return [];
  }
  for (const [name, isOn] of switches) {
    if (name !== "*" && isOn && builtinCalled(name) === undefined) leftOut(`${name}: ${missingTool(name)}`, line);
  }
  const names = (tool: CodingToolName, name: string): boolean => name === "*" || builtinCalled(name) === tool;
  const isOn = (tool: CodingToolName): boolean => switches.findLast(([name]) => names(tool, name))?.[1] ?? true;
  const builtins = BUILTIN_TOOLS.filter(isOn);
  if (builtins.length === BUILTIN_TOOLS.length) return undefined;
  translated(`tools → builtins: ${builtins.join(", ") || "none"}`, line);
  return builtins;
}

function switchesOf(tools: unknown): readonly (readonly [name: string, isOn: boolean])[] | undefined {
  if (Array.isArray(tools)) {
    return [["*", false], ...tools.map((name) => [String(name), true] as const)];
  }
  if (!isRecord(tools)) return undefined;
  return Object.entries(tools).map(([name, value]) => [name, value === true || value === "true"] as const);
}

/** The folder around `.opencode`; without one, the file's folder. */
function projectOf(path: string): string {
  const index = path.lastIndexOf("/.opencode/");
  return index > 0 ? path.slice(0, index) : dirname(path);
}

/** The tool of a rule; `edit` covers all tools that write files. */
function ruledTool(name: string): CodingToolName | undefined {
  const tool = builtinCalled(name);
  if (tool === undefined || name !== name.toLowerCase()) return undefined;
  return builtinsThat("writes").includes(tool) ? basicTool.writes : tool;
}

/** Tools whose patterns mean the same in both programs: a denial of some calls of another one becomes a denial of all. */
const BY_PATTERN: readonly string[] = ["*", basicTool.reads, basicTool.runs, ...builtinsThat("writes")];

/** In both programs the last matching pattern decides, so the order stays. */
function rulesOf({ path, fields, lineOf }: SourceFile, on: NotesOn): readonly ImportedRule[] {
  const { permission } = fields;
  if (permission === undefined) return [];
  const line = lineOf("permission");
  const whole = actionOf(permission);
  if (whole !== undefined && whole !== "allow") return [["*", whole]];
  if (!isRecord(permission)) {
    on.leftOut(`permission ${String(permission)}: it would allow every tool`, line);
    return [];
  }
  return Object.entries(permission).flatMap(([name, value]) =>
    rulesOfTool(name, value, { root: projectOf(path), on, line }),
  );
}

/** A `*` there crosses folders. Denials apply in the project and from the agent directory. */
function pathSubjects(pattern: string, root: string): readonly string[] {
  const wide = pattern
    .split("/")
    .map((part) => (part === "*" ? "**" : part.includes("*") && part !== "**" ? `**/${part}` : part))
    .join("/");
  if (/^[/~]/.test(wide)) return [wide];
  return [`${root.replace(/[*?\\]/g, "\\$&")}/${wide}`, wide];
}

interface RuleNote {
  /** The base of relative paths. Absolute. */
  readonly root: string;
  readonly on: NotesOn;
  readonly line: number;
}

function rulesOfTool(name: string, value: unknown, { root, on, line }: RuleNote): readonly ImportedRule[] {
  const tool = name === "*" ? "*" : ruledTool(name);
  const patterns = isRecord(value) ? Object.entries(value) : [["*", value] as const];
  return patterns.flatMap(([pattern, word]): readonly ImportedRule[] => {
    const action = actionOf(word);
    const said = `permission ${name}${isRecord(value) ? `(${pattern})` : ""} ${String(word)}`;
    const why = whyNot({ tool, pattern, action });
    if (why !== undefined || tool === undefined || action === undefined) {
      on.leftOut(`${said}: ${why ?? "there is no such tool"}`, line);
      return [];
    }
    const subjects = tool === basicTool.runs || tool === "*" ? [pattern] : pathSubjects(pattern, root);
    const names =
      pattern === "*" || !BY_PATTERN.includes(tool) ? [tool] : subjects.map((subject) => `${tool}(${subject})`);
    on.translated(`${said} → ${names.join(", ")}`, line);
    return names.map((one) => [one, action]);
  });
}

interface OwnRule {
  readonly tool: string | undefined;
  readonly pattern: string;
  readonly action: PermissionAction | undefined;
}

/** Why a rule cannot be translated; undefined if it can. */
function whyNot({ tool, pattern, action }: OwnRule): string | undefined {
  if (tool === undefined) return "there is no such tool";
  if (action === undefined) return "expected allow, ask or deny";
  if (action !== "allow") return undefined;
  if (tool === "*") return "it would allow every tool";
  return tool === basicTool.runs
    ? undefined
    : `${pattern === "*" ? "all calls" : "paths"} are not allowed by an import`;
}

const actionOf = (value: unknown): PermissionAction | undefined =>
  value === "allow" || value === "ask" || value === "deny" ? value : undefined;
