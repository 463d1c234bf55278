import { closest, isJsonObject, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { ParameterHabits } from "@mdx-ai/loop";
import { foldedName } from "./argument-values.ts";
import { itemViews, memberViews, namesIn, requiredIn, type Views, viewsOf } from "./schema-views.ts";

/** An object within the arguments: its schema, and the names that models often use for its members. */
interface Place {
  readonly views: Views;
  readonly habits: ParameterHabits | undefined;
  /** Its path: empty for the arguments themselves, `edits[].` for the items of `edits`. */
  readonly prefix: string;
}

const placeOf = (schema: JsonObject, habits: ParameterHabits | undefined): Place => ({
  views: viewsOf([schema], schema),
  habits,
  prefix: "",
});

/**
 * The arguments with the schema's names in place of names that models know from other programs or write in another case. Members
 * of the only missing list or object are moved into it. Ambiguous names stay.
 */
export const understoodNames = (args: JsonObject, schema: JsonObject, habits?: ParameterHabits): JsonObject =>
  renamed(args, placeOf(schema, habits));

function renamed(given: JsonObject, place: Place): JsonObject {
  const names = namesIn(place.views);
  const own = names === undefined ? given : gathered(withNames(given, names, place), names, place);
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, renamedWithin(value, memberPlace(place, name))]),
  );
}

function renamedWithin(value: JsonValue, place: Place): JsonValue {
  if (place.views.schemas.length === 0) return value;
  if (isList(value)) {
    const items = { ...place, views: itemViews(place.views), prefix: place.prefix.replace(/\.$/, "[].") };
    return value.map((item) => renamedWithin(item, items));
  }
  return isJsonObject(value) ? renamed(value, place) : value;
}

const memberPlace = ({ views, habits, prefix }: Place, name: string): Place => ({
  views: memberViews(views, name),
  habits,
  prefix: `${prefix}${name}.`,
});

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** An object with each unknown name replaced by the known name that it means. */
function withNames(given: JsonObject, names: readonly string[], place: Place): JsonObject {
  const taken = new Map(Object.entries(given).filter(([name]) => names.includes(name)));
  const entries = Object.entries(given).flatMap(([name, value]): [string, JsonValue][] => {
    if (names.includes(name)) return [[name, value]];
    if (value === null || isIgnored(name, value, place)) return [];
    const meant = nameMeant(name, names, place);
    if (meant === undefined) return [[name, value]];
    const other = taken.get(meant);
    if (other === undefined || other === null) {
      taken.set(meant, value);
      return [[meant, value]];
    }
    // Two values of one parameter: the check rejects that.
    return JSON.stringify(other) === JSON.stringify(value) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries.filter(([name, value]) => value !== null || taken.get(name) === null));
}

function isIgnored(name: string, value: JsonValue, { habits, prefix }: Place): boolean {
  const key = `${prefix}${name}`;
  const ignored = Object.hasOwn(habits?.ignored ?? {}, key) ? habits?.ignored?.[key] : undefined;
  return ignored === "any" || ignored?.includes(value) === true;
}

/** The known name that another one means; undefined if there is none or several. */
function nameMeant(name: string, names: readonly string[], { habits, prefix }: Place): string | undefined {
  const folded = foldedName(name);
  const isMeant = (known: string): boolean =>
    habits?.names?.[`${prefix}${known}`]?.some((other) => isSame(other, name)) === true ||
    (folded !== "" && foldedName(known) === folded);
  const meant = names.filter(isMeant);
  return meant.length === 1 ? meant[0] : undefined;
}

/** Whether two names have the same words. Names without words, such as `-i`, are case-sensitive. */
const isSame = (one: string, other: string): boolean =>
  one === other || (one.length > 2 && foldedName(one) === foldedName(other));

/** An object with its unknown names moved into the only missing object, or list of objects, if that knows them all. */
function gathered(given: JsonObject, names: readonly string[], place: Place): JsonObject {
  const unknown = Object.entries(given).filter(([name]) => !names.includes(name));
  if (unknown.length === 0) return given;
  const missing = requiredIn(place.views).filter((name) => !Object.hasOwn(given, name));
  const homes = missing.flatMap((name) => {
    const member = memberPlace(place, name);
    const items = itemViews(member.views);
    const isListed = items.schemas.length > 0;
    const inner = isListed ? { ...member, views: items, prefix: `${place.prefix}${name}[].` } : member;
    const known = namesIn(inner.views);
    const isHome = unknown.every(
      ([other, value]) =>
        known !== undefined &&
        (known.includes(other) || isIgnored(other, value, inner) || nameMeant(other, known, inner) !== undefined),
    );
    return isHome ? [{ name, isListed }] : [];
  });
  const [home, ...others] = homes;
  if (home === undefined || others.length > 0) return given;
  const inner = Object.fromEntries(unknown);
  const rest = Object.entries(given).filter(([name]) => names.includes(name));
  return Object.fromEntries([...rest, [home.name, home.isListed ? [inner] : inner]]);
}

/** A name that is not in a schema. */
export interface UnknownName {
  /** The keys from the arguments to it. */
  readonly path: readonly string[];
  /** The similar known name; undefined if there is none. */
  readonly suggestion: string | undefined;
  /** Whether that name is given, too, with another value. */
  readonly isDouble: boolean;
  readonly known: readonly string[];
}

/** Finds the names in arguments that are in no part of the schema; none where the schema allows any name. */
export function unknownNames(
  schema: JsonObject,
  habits?: ParameterHabits,
): (args: JsonObject) => readonly UnknownName[] {
  const place = placeOf(schema, habits);
  return (args) => unknownIn(args, place, []);
}

function unknownIn(value: JsonValue, place: Place, path: readonly string[]): readonly UnknownName[] {
  if (place.views.schemas.length === 0) return [];
  if (isList(value)) {
    const items = { ...place, views: itemViews(place.views), prefix: place.prefix.replace(/\.$/, "[].") };
    return value.flatMap((item, index) => unknownIn(item, items, [...path, String(index)]));
  }
  if (!isJsonObject(value)) return [];
  const known = namesIn(place.views);
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...path, name];
    if (known?.includes(name) === false) return [unknownName(value, { path: inner, name, known, place })];
    return typeof member === "object" ? unknownIn(member, memberPlace(place, name), inner) : [];
  });
}

function unknownName(
  value: JsonObject,
  { path, name, known, place }: Pick<UnknownName, "path" | "known"> & { readonly name: string; readonly place: Place },
): UnknownName {
  const { habits, prefix } = place;
  const meant = nameMeant(name, known, place);
  const others = new Map(
    known.flatMap((one) => [one, ...(habits?.names?.[`${prefix}${one}`] ?? [])].map((other) => [other, one])),
  );
  const near = closest(name, others.keys());
  const suggestion = meant ?? (near === undefined ? undefined : others.get(near));
  return { path, suggestion, isDouble: meant !== undefined && Object.hasOwn(value, meant), known };
}
