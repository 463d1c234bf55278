import { isRecord, isText, type JsonValue } from "@mdx-ai/base";

/** What the presence of an entry means for what the agent may do. */
export type Effect =
  /** Something runs, or is allowed, that is not without it. */
  | "allows"
  /** Something is forbidden that is allowed without it. */
  | "restricts"
  /** The action for matching calls, or the mode of the sandbox: whether that is more depends on the value. */
  | "decides"
  /** The order of what decides. */
  | "orders"
  /** Grants nothing: a text, a model, a time limit. */
  | "notes";

/** One capability or property of an agent: a manifest, a lock file and the user's trust are lists of these. */
export interface Entry {
  /** Such as "tool" or "module file". */
  readonly kind: string;
  /** Which of this kind, such as "greet" or "modules/clock.ts"; absent if there can be only one. */
  readonly item?: string;
  /** The aspect of the item, such as "code"; absent for all of it. */
  readonly aspect?: string;
  readonly effect: Effect;
  /** A hash or what the author wrote; equal in equal states. */
  readonly value: JsonValue;
  /** The name of the entry that allows this and more. */
  readonly within?: string;
  /** The value that counts without this entry. */
  readonly otherwise?: string;
}

/** The value of an entry whose presence says all. */
export const PRESENT = "yes";

/** Of an entry whose presence allows something. */
export const ALLOWED: Pick<Entry, "effect" | "value"> = { effect: "allows", value: PRESENT };

/** Kinds whose items can contain anything. They are quoted, so that no item can imitate another entry. */
const QUOTED: readonly string[] = ["tool", "skill tool", "MCP server"];

/** Such as `tool "greet": code`: the same in each state of an agent. */
export function entryName({ kind, item, aspect }: Pick<Entry, "kind" | "item" | "aspect">): string {
  const subject = item === undefined ? kind : `${kind} ${QUOTED.includes(kind) ? JSON.stringify(item) : item}`;
  return aspect === undefined ? subject : `${subject}: ${aspect}`;
}

export type EntriesByName = ReadonlyMap<string, Entry>;

/** The entries by their names. Of several with one name, all but the first have a number behind it. */
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

/** The entries as text, one a line, sorted by name: equal states give equal texts. */
export const entriesText = (entries: readonly Entry[]): string =>
  [...entriesByName(entries)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { kind, item, aspect, effect, value, within, otherwise }]) =>
      JSON.stringify({ kind, item, aspect, effect, value, within, otherwise }),
    )
    .join(",\n");

const EFFECTS: readonly unknown[] = ["allows", "restricts", "decides", "orders", "notes"];

/** The entries of a lock file or of the list of trusted directories; undefined for anything else. */
export const readEntries = (value: unknown): readonly Entry[] | undefined =>
  Array.isArray(value) && value.every(isEntry) ? value : undefined;

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { kind, item = "", aspect = "", effect, within = "", otherwise = "" } = value;
  return (
    [kind, item, aspect, within, otherwise].every(isText) && EFFECTS.includes(effect) && value["value"] !== undefined
  );
}
