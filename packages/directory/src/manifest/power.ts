import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { attempt, isText, lineText, visibleText } from "@mdx-ai/base";
import { type AgentDirectory, offeredBuiltins, type ToolDefinition } from "@mdx-ai/parser";
import { saysMuch, valueText } from "./difference.ts";
import { type Grant, type GrantKind, grantsOf, isOfAgent } from "./grants.ts";
import { type AgentContents, type Entry, type Manifest, powerEntries, powerHash } from "./manifest.ts";

/** What an agent may do on its user's machine. Plain JSON, found without running anything. */
export interface Power {
  /** `sha256:…` of everything that can execute, grants something, or decides what the agent costs. */
  readonly hash: string;
  readonly tools: readonly ToolPower[];
  /** Tools of this program that it has outside of a workspace. */
  readonly builtins: readonly string[];
  /** Hosts that tools, servers, the sandbox and the heartbeat reach. */
  readonly hosts: readonly string[];
  /** Variables of the environment, by name. */
  readonly env: readonly string[];
  /** Hosts for which it wishes to use a key of the user. */
  readonly credentials: readonly string[];
  /** Files beside the agent's own, as patterns or in words. */
  readonly files: readonly string[];
  readonly mcp: readonly ServerPower[];
  /** Commands of hooks and of the heartbeat. */
  readonly commands: readonly string[];
  /** When the agent wakes by itself. */
  readonly schedules: readonly string[];
  /** The models that it names. */
  readonly models: readonly string[];
  /** Of what it may use, such as `day usd 5`. */
  readonly limits: readonly string[];
  readonly packages: readonly string[];
  /** Code that runs in the program's own process. */
  readonly modules: readonly CodeSize[];
  /** Other files of code. */
  readonly code: readonly CodeSize[];
  /** Files that its code may read, without prose. */
  readonly data: readonly CodeSize[];
  readonly agents: readonly string[];
  /** What may run without a question. */
  readonly unasked: readonly string[];
  /** Everything else that is allowed, decided or restricted, each on one line. */
  readonly other: readonly string[];
}

interface ToolPower {
  readonly name: string;
  /** Of its code; absent for a tool of a skill. */
  readonly lines?: number;
  readonly bytes?: number;
  /** Absent: allow. */
  readonly permission?: string;
}

interface ServerPower {
  readonly name: string;
  /** Its command line or address. */
  readonly runs: string;
}

interface CodeSize {
  readonly file: string;
  readonly bytes: number;
}

/** The power of a directory as it was read. */
export function powerOf(directory: AgentDirectory, manifest: Manifest): Power {
  const entries = powerEntries(manifest);
  const all = entries.flatMap(grantsOf);
  const names = (kind: GrantKind): readonly string[] =>
    [...new Set(all.flatMap((grant) => (grant.kind === kind ? [textOf(grant.name)] : [])))].sort();
  const agents = [{ directory, manifest }, ...manifest.agents.values()];
  const sized = (kind: GrantKind): readonly CodeSize[] =>
    agents
      .flatMap((agent) => filesGiving(kind, agent).map((file) => relative(directory.realPath, join(agent.directory.realPath, file)))) // biome-ignore format: short
      .sort()
      .map((file) => ({ file: textOf(file), bytes: attempt(() => statSync(join(directory.realPath, file)).size) ?? 0 })); // biome-ignore format: short
  return {
    hash: powerHash(manifest),
    tools: toolPowers(directory, entries),
    builtins: [...new Set([directory, ...(directory.subagents?.values() ?? [])].flatMap(builtinsOf))],
    hosts: names("host"),
    env: names("env"),
    credentials: names("credential"),
    files: names("files"),
    mcp: serverPowers(entries),
    commands: names("command"),
    schedules: schedulesOf(entries),
    models: textsOf(entries, "model"),
    limits: textsOf(entries, "limit"),
    packages: names("package"),
    modules: sized("module"),
    code: sized("code"),
    data: sized("data"),
    agents: names("agent"),
    unasked: unaskedOf(directory, entries),
    other: entries.filter((entry) => grantsOf(entry).every(isOther)).map(entryText),
  };
}

/** The files of one agent, without those of the agents that work for it. Relative to it. */
const filesGiving = (kind: GrantKind, { manifest }: AgentContents): readonly string[] => [
  ...new Set(
    powerEntries(manifest)
      .filter((entry) => !isOfAgent(entry))
      .flatMap(grantsOf)
      .flatMap((grant) => (grant.kind === kind ? [grant.name] : [])),
  ),
];

const builtinsOf = ({ definition: { settings } }: AgentDirectory): readonly string[] =>
  offeredBuiltins(settings, settings.workspace === "cwd");

const textOf = (text: string): string => lineText(visibleText(text));

/** Items with their values. */
const textsOf = (entries: readonly Entry[], kind: string): readonly string[] =>
  entries.flatMap((entry) =>
    entry.kind === kind || entry.kind.endsWith(`› ${kind}`)
      ? [textOf([entry.kind.slice(0, -kind.length), entry.item ?? "", valueText(entry.value)].filter((part) => part !== "").join(" "))]
      : [],
  ); // biome-ignore format: short

const OTHER: readonly GrantKind[] = ["permission", "sandbox", "setting", "other"];

const isOther = ({ kind }: Grant): boolean => OTHER.includes(kind);

function entryText(entry: Entry): string {
  const { kind, item = "", aspect = "", value } = entry;
  const name = [kind, item, aspect].filter((part) => part !== "").join(" ");
  return textOf(saysMuch(entry) || isText(value) ? `${name}: ${valueText(value)}` : name);
}

function toolPowers({ definition, subagents }: AgentDirectory, entries: readonly Entry[]): readonly ToolPower[] {
  const own = [definition, ...[...(subagents?.values() ?? [])].map((agent) => agent.definition)].flatMap(({ tools }) => tools); // biome-ignore format: short
  const ofSkills = entries.flatMap(({ kind, item = "", aspect }) => (/(?:^|› )skill tool$/.test(kind) && aspect === "entrypoint" ? [{ name: textOf(item) }] : [])); // biome-ignore format: short
  return [...own.map(toolPower), ...ofSkills];
}

const toolPower = ({ name, code: { text }, permission }: ToolDefinition): ToolPower => ({
  name: textOf(name),
  lines: text.trim().split("\n").length,
  bytes: Buffer.byteLength(text),
  ...(permission !== undefined && { permission }),
});

function serverPowers(entries: readonly Entry[]): readonly ServerPower[] {
  return entries.flatMap(({ kind, item = "", aspect, value }) =>
    /(?:^|› )MCP server$/.test(kind) && (aspect === "program" || aspect === "address")
      ? [{ name: textOf(item), runs: textOf(valueText(value)) }]
      : [],
  );
}

const schedulesOf = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ kind, aspect, value }) =>
    /(?:^|› )heartbeat$/.test(kind) && aspect === "times" ? [textOf(valueText(value))] : [],
  );

function unaskedOf({ definition, subagents }: AgentDirectory, entries: readonly Entry[]): readonly string[] {
  const definitions = [definition, ...[...(subagents?.values() ?? [])].map((agent) => agent.definition)];
  const tools = definitions.flatMap((one) => one.tools).flatMap(({ name, permission = "allow" }) => (permission === "allow" ? [`tool ${name}`] : [])); // biome-ignore format: short
  const ofKind = (pattern: RegExp): readonly Entry[] => entries.filter(({ kind }) => pattern.test(kind));
  const rules = ofKind(/(?:^|› )permission$/).flatMap(({ item = "", value }) => (value === "allow" ? [`calls of ${item}`] : [])); // biome-ignore format: short
  const servers = serverPowers(entries).map(({ name }) => `MCP server ${name}`);
  const modules = ofKind(/(?:^|› )module file$/).map(({ item = "" }) => `module ${item}`);
  const wakes = schedulesOf(entries).length > 0 ? ["the schedule"] : [];
  const heartbeat = ofKind(/(?:^|› )heartbeat$/).flatMap(({ aspect = "" }) => (/^(?:command|code) /.test(aspect) ? [aspect] : [])); // biome-ignore format: short
  const hooks = ofKind(/(?:^|› )hook$/).map(({ item = "" }) => `hook ${item}`);
  const prose = definitions.every((one) => one.program === undefined) ? [] : ["code in the prose of agent.mdx"];
  return [...new Set([...tools, ...rules, ...modules, ...servers, ...hooks, ...prose, ...wakes, ...heartbeat])].map(
    textOf,
  );
}
