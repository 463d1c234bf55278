import { basename } from "node:path";
import { isRecord, isText, type JsonValue, sha256 } from "@mdx-ai/base";
import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";

/** The effect of an entry on what the agent may do. */
export type Effect =
  /** It makes something run or be allowed. */
  | "allows"
  /** It forbids something. */
  | "restricts"
  /** It is the action for matching calls, or the mode of the sandbox: the value decides what it allows. */
  | "decides"
  /** It is the order of the rules. */
  | "orders"
  /** It decides what the agent costs or works with, but not what it may do: a model, a file of data. */
  | "chooses"
  /** It is the most of something that the agent may use; its value is a number. */
  | "limits"
  /** It grants nothing: a text, a time limit of a tool. */
  | "notes";

/** One capability or property of an agent. A manifest, a lock file and the trust list consist of entries. */
export interface Entry {
  /** Such as "tool" or "module file". */
  readonly kind: string;
  /** The item, such as "greet" or "modules/clock.ts"; absent if the kind has only one. */
  readonly item?: string;
  /** The aspect of the item, such as "code"; absent for the whole item. */
  readonly aspect?: string;
  readonly effect: Effect;
  /** A hash, or the author's text. Equal states have equal values. */
  readonly value: JsonValue;
  /** The name of an entry that includes this one. */
  readonly within?: string;
  /** The value that applies without this entry. */
  readonly otherwise?: string;
}

/** The value of an entry whose presence is enough. */
export const PRESENT = "yes";

/** The fields of an entry that allows something by its presence. */
export const ALLOWED: Pick<Entry, "effect" | "value"> = { effect: "allows", value: PRESENT };

/** Kinds with arbitrary item names. The names are quoted, so that no item can imitate another entry. */
const QUOTED: readonly string[] = ["agent", "tool", "skill tool", "MCP server"];

/** The name of an entry, such as `tool "greet": code`. It is the same in each state of an agent. */
export function entryName({ kind, item, aspect }: Pick<Entry, "kind" | "item" | "aspect">): string {
  const isQuoted = QUOTED.includes(kind.split(SEPARATOR).at(-1) ?? kind);
  const subject = item === undefined ? kind : `${kind} ${isQuoted ? JSON.stringify(item) : item}`;
  return aspect === undefined ? subject : `${subject}: ${aspect}`;
}

export type EntriesByName = ReadonlyMap<string, Entry>;

/** The entries by name. Repeated names get a number from the second on. */
export function entriesByName(entries: readonly Entry[]): EntriesByName {
  const named = new Map<string, Entry>();
  for (const entry of entries) {
    const name = entryName(entry);
    let free = name;
    for (let number = 2; named.has(free); number++) free = `${name} (${number})`;
    named.set(free, entry);
  }
  return named;
}

/** The entries as text, one per line, sorted by name. Equal states give equal texts. */
export const entriesText = (entries: readonly Entry[]): string =>
  [...entriesByName(entries)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { kind, item, aspect, effect, value, within, otherwise }]) =>
      JSON.stringify({ kind, item, aspect, effect, value, within, otherwise }),
    )
    .join(",\n");

/** One SHA-256 of entries; equal for equal states. */
export const entriesHash = (entries: readonly Entry[]): string => sha256(entriesText(entries));

/** What trust does not cover. */
const NOT_AGREED: readonly Effect[] = ["notes", "chooses", "limits"];

/** The entries that a user trusts: everything that can execute or grants capabilities. */
export const agreedEntries = ({ entries }: Pick<Manifest, "entries">): readonly Entry[] =>
  entries.filter(({ effect }) => !NOT_AGREED.includes(effect));

/** One SHA-256, in hexadecimal digits, of everything that can execute or grants capabilities. */
export const agreedHash = (manifest: Pick<Manifest, "entries">): string => entriesHash(agreedEntries(manifest));

/** The entries that a user agrees to before another author's agent is added, including its cost and its data. */
export const powerEntries = ({ entries }: Pick<Manifest, "entries">): readonly Entry[] =>
  entries.filter(({ effect }) => effect !== "notes");

/** `sha256:…` of these entries. */
export const powerHash = (manifest: Pick<Manifest, "entries">): string =>
  `sha256:${entriesHash(powerEntries(manifest))}`;

const EFFECTS: readonly unknown[] = ["allows", "restricts", "decides", "orders", "chooses", "limits", "notes"];

/** The entries of a lock file or of the trust list; undefined if invalid. */
export const readEntries = (value: unknown): readonly Entry[] | undefined =>
  Array.isArray(value) && value.every(isEntry) ? value : undefined;

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { kind, item = "", aspect = "", effect, within = "", otherwise = "" } = value;
  return (
    [kind, item, aspect, within, otherwise].every(isText) && EFFECTS.includes(effect) && value["value"] !== undefined
  );
}

/** Everything in an agent directory that can execute, and its capabilities. Plain data, made without running any code. */
export interface Manifest {
  /** Everything that executes or grants capabilities, with rules in order. No prose: no persona, descriptions or texts of skills. */
  readonly entries: readonly Entry[];
  /** The names of its skills. */
  readonly skills: readonly string[];
  /** The names of the inline tools whose code imports anything outside Bun. */
  readonly importingTools: readonly string[];
  /** Hashes of all files that execute or decide what executes, including packages, by absolute real path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Paths in the directory that lead to executed files through symbolic links. */
  readonly links: readonly string[];
  /** Paths in the directory where a new file would be imported in place of an existing one. */
  readonly shadows: readonly string[];
  /** Paths outside the directory that its code imports and that do not exist. Relative to it. */
  readonly outside: readonly string[];
  /** The names of packages that code of the directory imports and that are not installed. */
  readonly missing: readonly string[];
  /** Folders in the directory whose programs MCP servers may run: a new file there changes the agent. */
  readonly folders: readonly string[];
  /** The agents that work for it, and for those, by the real paths of their directories or files. Their entries are among `entries`. */
  readonly agents: ReadonlyMap<string, AgentContents>;
}

/** An agent that works for another one, as it was read, and everything in it that can execute. */
export interface AgentContents {
  readonly directory: AgentDirectory;
  readonly manifest: Manifest;
}

/** The kind of the entries of an agent that works for another one: its kind there, behind the agent's name. */
const SEPARATOR = " › ";

/** An entry of an agent, among those of the agent that it works for. */
export const entryOfAgent = (agent: string, { kind, within, ...entry }: Entry): Entry => ({
  kind: `agent ${JSON.stringify(agent)}${SEPARATOR}${kind}`,
  ...entry,
  ...(within !== undefined && { within: `agent ${JSON.stringify(agent)}${SEPARATOR}${within}` }),
});

/** Whether a path that is relative to the directory and separated by "/" lies within it. */
export const isInside = (path: string): boolean => path !== ".." && !path.startsWith("../") && !path.startsWith("/");

/** The package that connects to a model, such as `@ai-sdk/google` of `ai-sdk:@ai-sdk/google#gemini`. */
const packageOfModel = (reference: string): string | undefined => /^\s*ai-sdk:([^#]+)#/.exec(reference)?.[1];

/** The packages of the frontmatter's models. Their code runs in this process. */
export const modelPackages = ({ model = [] }: Pick<AgentSettings, "model">): readonly string[] =>
  [model]
    .flat()
    .flatMap((models) => models.split(","))
    .flatMap((reference) => packageOfModel(reference) ?? []);

/** Files of the directory that decide how imports resolve. */
export const CONFIGURATION: readonly string[] = [
  ...["package.json", "tsconfig.json", "jsconfig.json"],
  ...["bun.lock", "bun.lockb", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"],
];

/** Why a file is in a manifest: the kinds of entries whose items are files. */
export type FileKind =
  /** In `modules/`. */
  | "module file"
  /** In `tools/`, or the file of a tool's `src`. */
  | "tool file"
  /** Imported by code of the directory, directly or not. */
  | "imported file"
  /** A script of a skill, which a model may run. */
  | "script"
  /** The SKILL.md of a skill outside `skills/`: the model follows it, although it may be outside the directory. */
  | "skill file"
  /** A file such as package.json, at the top level or beside code, that decides how imports resolve. */
  | "file";

const FILE_KINDS: readonly string[] = ["module file", "tool file", "imported file", "script", "skill file", "file"];

/** The files of a manifest except packages, relative to the real directory; paths outside begin with "../". */
export const filesOf = ({ entries }: Pick<Manifest, "entries">): readonly (Entry & { readonly item: string })[] =>
  entries.flatMap((entry) =>
    FILE_KINDS.includes(entry.kind) && entry.item !== undefined ? [{ ...entry, item: entry.item }] : [],
  );

/** The items of a kind. */
export const itemsOf = ({ entries }: Pick<Manifest, "entries">, kind: string): readonly string[] =>
  entries.flatMap((entry) => (entry.kind === kind ? (entry.item ?? []) : []));

/** The kind of a manifest file. Depends on its path alone, not on its importers. */
export function fileKind(path: string, sources: readonly string[]): FileKind {
  if (sources.includes(path)) return "tool file";
  const folder = path.slice(0, path.indexOf("/") + 1);
  const name = basename(path);
  if (name.toLowerCase() === "skill.md") return FOLDERS.get(folder) ?? "skill file";
  return FOLDERS.get(folder) ?? (CONFIGURATION.includes(name) ? "file" : "imported file");
}

const FOLDERS: ReadonlyMap<string, FileKind> = new Map([
  ["modules/", "module file"],
  ["tools/", "tool file"],
  ["skills/", "script"],
]);
