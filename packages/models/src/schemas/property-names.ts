import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";

/** The parameter names at and below one position of a call's arguments. May be recursive. */
export interface NamePlace {
  /** The tool's name by sent name; undefined if the tool does not have it. */
  readonly renamed: Map<string, string | undefined>;
  /** By the tool's names. */
  readonly properties: Map<string, NamePlace>;
  /** Items of an array. */
  readonly items: NamePlace[];
  /** Undeclared properties. */
  readonly others: NamePlace[];
  /** Positions whose names may also appear here. */
  readonly also: NamePlace[];
}

export const namePlace = (): NamePlace => ({
  renamed: new Map(),
  properties: new Map(),
  items: [],
  others: [],
  also: [],
});

/** Returns or creates the position of a property. */
export function propertyPlace(place: NamePlace, name: string): NamePlace {
  const known = place.properties.get(name) ?? namePlace();
  place.properties.set(name, known);
  return known;
}

/** Returns or creates the position of items or undeclared properties. */
export function innerPath(places: NamePlace[]): NamePlace {
  const [known = namePlace()] = places;
  if (places.length === 0) places.push(known);
  return known;
}

/** Valid replacements for names that a vendor refuses. A name has the same replacement everywhere in the schema. */
export class SentNames {
  /** Whether no name needs a replacement. */
  readonly areFine: boolean;
  readonly #accepted: RegExp;
  /** All names of the schema; none is used as a replacement. */
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

/** Maximum characters of a name for all vendors. */
const MAX_LENGTH = 64;

/** A name without characters that vendors refuse: `filter[name]` becomes `filter_name`, `$top` becomes `top`. */
function plain(name: string): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "");
  const marked = letters.replace(/[^a-zA-Z0-9_.-]+/g, "_").replace(/^_|_$/g, "");
  const started = /^[a-zA-Z_]/.test(marked) ? marked : `parameter${marked === "" ? "" : `_${marked}`}`;
  return started.slice(0, MAX_LENGTH);
}

/** Whether any name at or below a position is replaced. */
export function renamesAny(place: NamePlace, seen: Set<NamePlace> = new Set()): boolean {
  if (seen.has(place)) return false;
  seen.add(place);
  const below = [...place.properties.values(), ...place.items, ...place.others, ...place.also];
  return place.renamed.size > 0 || below.some((inner) => renamesAny(inner, seen));
}

/** Converts a model's arguments to the tool's names. */
export const restoredNames = (value: JsonObject, place: NamePlace): JsonObject =>
  walkObject(value, [place], "restored");

/** Converts arguments to the sent names. */
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

/** Adds the positions whose names may also appear there. */
function withAlso(places: readonly NamePlace[]): readonly NamePlace[] {
  const all = new Set(places);
  for (const place of all) for (const other of place.also) all.add(other);
  return [...all];
}

/** All property names in a schema, at any depth. */
export function namesIn(schema: JsonValue, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) namesIn(item, names);
  if (!isRecord(schema)) return names;
  const { properties, required } = schema;
  if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name);
  if (Array.isArray(required)) for (const name of required) if (typeof name === "string") names.add(name);
  for (const inner of Object.values(schema)) namesIn(inner, names);
  return names;
}
