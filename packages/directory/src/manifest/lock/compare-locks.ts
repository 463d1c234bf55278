import { type JsonSchema, sha256, sortedJson } from "@mdx-ai/base";
import type { SandboxMode } from "@mdx-ai/parser";
import { type Entry, entryName, type Powers, powerEntries, present, toolSubject } from "../entries.ts";
import { fileKind } from "../manifest.ts";
import { compareLists, compareNames, compareSchemas } from "./compare-schemas.ts";
import { type Difference, type EntriesByName, type Grade, gradeOf } from "./difference.ts";
import { type LockDocument, serversOfLock } from "./lock-document.ts";

/** All differences of two states of an agent; none if the lock files are equal. An added or a removed tool is one difference. */
export function compareLocks(before: LockDocument, after: LockDocument): readonly Difference[] {
  const { added, removed, common } = compareNames(before.tools, after.tools);
  const isWhole = (lock: LockDocument): LockDocument => ({
    ...lock,
    tools: Object.fromEntries(Object.entries(lock.tools).filter(([name]) => common.includes(name))),
  });
  return [
    ...added.map((name) => ({ grade: "widened" as const, subject: toolSubject(name), text: "added" })),
    ...removed.map((name) => ({ grade: "narrowed" as const, subject: toolSubject(name), text: "removed" })),
    ...common.flatMap((name) => schemaDifferences(name, before.tools[name]?.schema, after.tools[name]?.schema)),
    ...compareSandboxes(before.sandbox, after.sandbox),
    ...compareEntries(entriesOf(isWhole(before)), entriesOf(isWhole(after))),
  ];
}

function schemaDifferences(name: string, before: JsonSchema = {}, after: JsonSchema = {}): readonly Difference[] {
  return compareSchemas(before, after).map((one) => ({ subject: toolSubject(name), ...one }));
}

function compareEntries(before: EntriesByName, after: EntriesByName): readonly Difference[] {
  const names = [...[...before.keys()].filter((name) => !after.has(name)), ...after.keys()];
  return names.flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    const one = to ?? from;
    if (one === undefined || from?.value === to?.value) return [];
    const grade = gradeOf({ from, to }, { before, after });
    return grade === undefined ? [] : [{ grade, subject: one.subject, text: textOf(one.aspect, from, to) }];
  });
}

function textOf(aspect: string, from: Entry | undefined, to: Entry | undefined): string {
  const type = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  const isShown = from?.shown !== undefined || to?.shown !== undefined;
  const change = isShown ? `${from?.shown ?? "(none)"} → ${to?.shown ?? "(none)"}` : type;
  return aspect === "" ? change : `${aspect} ${change}`;
}

/** The parts of a lock file that are compared: what grants power, then what does not. */
function entriesOf(lock: LockDocument): EntriesByName {
  return new Map([...powerEntries(powersOf(lock)), ...notes(lock)].map((one) => [entryName(one), one]));
}

function powersOf({
  tools,
  files,
  packages,
  permissions,
  heartbeat,
  settings,
  skillTools = [],
  ...lock
}: LockDocument): Powers {
  const { schedule, timezone, builtins, tools: offered, mode, workspace } = settings;
  const isWaking = heartbeat !== undefined || schedule !== undefined;
  const sources = Object.values(tools);
  return {
    ...lock,
    skillTools,
    tools: Object.entries(tools).map(([name, { env, ...tool }]) => ({ ...tool, name, environment: env })),
    files: Object.entries(files).map(([path, hash]) => ({ path, kind: fileKind(path, sources), hash })),
    packages: Object.entries(packages).map(([name, hash]) => ({ name, hash })),
    rules: permissions,
    restrictions: { builtins, tools: offered, mode },
    servers: serversOfLock(lock),
    workspace,
    ...(isWaking && { waking: sha256(sortedJson([heartbeat, schedule, timezone])) }),
  };
}

/** Settings that grant or restrict power. */
const OF_POWER: readonly string[] = ["builtins", "tools", "mode", "workspace"];

function notes({ name, prose, tools, skills, settings }: LockDocument): readonly Entry[] {
  const note = (subject: string, aspect: string, value: unknown, isShown = false): readonly Entry[] => {
    const text = value === undefined ? undefined : sortedJson(value);
    return present({ subject, aspect, kind: "note", value: text, shown: isShown ? text : undefined });
  };
  return [
    ...Object.entries(tools).flatMap(([tool, { description, timeout, source }]) => [
      ...note(toolSubject(tool), "description", description),
      ...note(toolSubject(tool), "timeout", timeout, true),
      ...note(toolSubject(tool), "src", source, true),
    ]),
    ...Object.entries(skills).flatMap(([skill, hash]) => note(`skill ${skill}`, "", hash)),
    ...Object.entries(settings)
      .filter(([setting]) => !OF_POWER.includes(setting))
      .flatMap(([setting, value]) => note(`setting ${setting}`, "", value, true)),
    ...note("name", "", name),
    ...note("prose", "", prose),
  ];
}

const RANK: Readonly<Record<SandboxMode, number>> = { required: 0, auto: 1, off: 2 };

/** The differences of `sandbox`. */
function compareSandboxes(before: LockDocument["sandbox"], after: LockDocument["sandbox"]): readonly Difference[] {
  return [...compareModes(modeOf(before), modeOf(after)), ...compareNetworks(networkOf(before), networkOf(after))];
}

const modeOf = (sandbox: LockDocument["sandbox"]): SandboxMode =>
  typeof sandbox === "string" ? sandbox : (sandbox?.mode ?? "auto");

type Network = "all" | readonly string[];

const networkOf = (sandbox: LockDocument["sandbox"]): Network =>
  typeof sandbox === "string" ? [] : (sandbox?.network ?? []);

function compareModes(before: SandboxMode, after: SandboxMode): readonly Difference[] {
  if (before === after) return [];
  return [difference(RANK[after] > RANK[before] ? "widened" : "narrowed", `mode ${before} → ${after}`)];
}

function compareNetworks(before: Network, after: Network): readonly Difference[] {
  if (before === "all" || after === "all") {
    if (before === after) return [];
    return [
      difference(after === "all" ? "widened" : "narrowed", `network ${networkText(before)} → ${networkText(after)}`),
    ];
  }
  const { added, removed } = compareLists(before, after);
  return [
    ...added.map((host) => difference("widened", `network + ${host}`)),
    ...removed.map((host) => difference("narrowed", `network - ${host}`)),
  ];
}

const networkText = (network: Network): string => (network === "all" ? "all" : network.join(", ") || "(none)");

const difference = (grade: Grade, text: string): Difference => ({ grade, subject: "sandbox", text });
