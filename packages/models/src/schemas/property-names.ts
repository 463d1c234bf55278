import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";

/** The names of the parameters at one place of a call's arguments, and below it. Definitions may lead back to themselves. */
export interface NamePlace {
  /** By the name that is sent, what the tool calls it; undefined for one that is not the tool's. */
  readonly renamed: Map<string, string | undefined>;
  /** By the tool's names. */
  readonly properties: Map<string, NamePlace>;
  /** Of an array. */
  readonly items: NamePlace[];
  /** Of other properties than the declared ones. */
  readonly others: NamePlace[];
  /** Places whose names may be found here, too. */
  readonly also: NamePlace[];
}

export const namePlace = (): NamePlace => ({
  renamed: new Map(),
  properties: new Map(),
  items: [],
  others: [],
  also: [],
});

/** The place of a property, made if it is not known yet. */
export function propertyPlace(place: NamePlace, name: string): NamePlace {
  const known = place.properties.get(name) ?? namePlace();
  place.properties.set(name, known);
  return known;
}

/** The place of what else an object or an array holds, made if it is not known yet. */
export function innerPath(places: NamePlace[]): NamePlace {
  const [known = namePlace()] = places;
  if (places.length === 0) places.push(known);
  return known;
}

/** Names that a vendor takes, for those that it refuses. One name has one other in all of a schema. */
export class SentNames {
  /** Whether every name of the schema is taken as it is. */
  readonly areFine: boolean;
  readonly #accepted: RegExp;
  /** All names of the schema: none of them is given to another. */
  readonly #taken: Set<string>;
  readonly #sent = new Map<string, string>();

  constructor(accepted: RegExp, taken: ReadonlySet<string>) {
    this.#accepted = accepted;
    this.#taken = new Set(taken);
    this.areFine = [...taken].every((name) => accepted.test(name));
  }

  sent(name: string): string {
    if (this.#accepted.test(name)) return name;
    const known = this.#sent.get(name);
    if (known !== undefined) return known;
    const sent = this.#free(plain(name));
    this.#taken.add(sent);
    this.#sent.set(name, sent);
    return sent;
  }

  /** A name that no property of the schema has. */
  unused(name: string): string {
    return this.#free(name);
  }

  #free(name: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(free); count++) free = `${name.slice(0, MAX_LENGTH - 8)}_${count}`;
    return free;
  }
}

/** Characters of a name that every vendor takes. */
const MAX_LENGTH = 64;

/** A name without marks that vendors refuse: `filter[name]` as `filter_name`, `$top` as `top`. */
function plain(name: string): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "");
  const marked = letters.replace(/[^a-zA-Z0-9_.-]+/g, "_").replace(/^_|_$/g, "");
  const started = /^[a-zA-Z_]/.test(marked) ? marked : `parameter${marked === "" ? "" : `_${marked}`}`;
  return started.slice(0, MAX_LENGTH);
}

/** Whether anything is renamed at a place or below it. */
export function renamesAny(place: NamePlace, seen: Set<NamePlace> = new Set()): boolean {
  if (seen.has(place)) return false;
  seen.add(place);
  const below = [...place.properties.values(), ...place.items, ...place.others, ...place.also];
  return place.renamed.size > 0 || below.some((inner) => renamesAny(inner, seen));
}

/** Arguments as the tool names them, of those that a model sent. */
export const restoredNames = (value: JsonObject, place: NamePlace): JsonObject =>
  walkObject(value, [place], "restored");

/** Arguments as they are sent, of those that a tool takes. */
export const sentNames = (value: JsonObject, place: NamePlace): JsonObject => walkObject(value, [place], "sent");

type Direction = "restored" | "sent";

function walk(value: JsonValue, places: readonly NamePlace[], direction: Direction): JsonValue {
  if (places.length === 0 || typeof value !== "object" || value === null) return value;
  if (isRecord(value)) return walkObject(value, places, direction);
  const inner = withAlso(places).flatMap(({ items }) => items);
  return Array.isArray(value) ? value.map((item) => walk(item, inner, direction)) : value;
}

function walkObject(value: JsonObject, starts: readonly NamePlace[], direction: Direction): JsonObject {
  const places = withAlso(starts);
  const renamed = new Map(places.flatMap((place) => [...place.renamed]));
  const sent = new Map([...renamed].map(([given, name]) => [name, given]));
  const walked = Object.entries(value).flatMap(([key, inner]): readonly [string, JsonValue][] => {
    const name =
      direction === "restored" && renamed.has(key) && !Object.hasOwn(value, renamed.get(key) ?? "")
        ? renamed.get(key)
        : key;
    if (name === undefined) return [];
    const below = places.flatMap((place) => place.properties.get(name) ?? []);
    const inside = below.length > 0 ? below : places.flatMap(({ others }) => others);
    const shown = direction === "sent" ? (sent.get(name) ?? name) : name;
    return [[shown, walk(inner, inside, direction)]];
  });
  return Object.fromEntries(walked);
}

/** With the places whose names may be found there, too. */
function withAlso(places: readonly NamePlace[]): readonly NamePlace[] {
  const all = new Set(places);
  for (const place of all) for (const other of place.also) all.add(other);
  return [...all];
}

/** All names of properties in a schema, at any depth. */
export function namesIn(schema: JsonValue, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) namesIn(item, names);
  if (!isRecord(schema)) return names;
  const { properties, required } = schema;
  if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name);
  if (Array.isArray(required)) for (const name of required) if (typeof name === "string") names.add(name);
  for (const inner of Object.values(schema)) namesIn(inner, names);
  return names;
}
