import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { Completion } from "./completion.ts";
import { Expansion, isImpossible, takes } from "./expand-schema.ts";
import type { SchemaFamily } from "./families.ts";
import { described } from "./lost-words.ts";
import {
  innerPath,
  type NamePlace,
  namePlace,
  namesIn,
  propertyPlace,
  renamesAny,
  restoredNames,
  SentNames,
  sentNames,
} from "./property-names.ts";
import { definitionOf } from "./references.ts";
import { isSame } from "./same-json.ts";
import { inferredTypes, speaksOf } from "./type-keywords.ts";
import { branchesOf, type Place, Unions } from "./unions.ts";
import { type Entries, typeEntries, valueEntries } from "./value-keywords.ts";
import { type Type, typesOf, wellFormed } from "./well-formed.ts";

/** A tool's parameters for a family of vendors. */
export interface AdaptedSchema {
  /** The same object if nothing changed. */
  readonly schema: JsonObject;
  /** Converts renamed parameters; undefined if none are renamed. */
  readonly names?: ArgumentNames;
}

/** Converts the names of a call's arguments. */
export interface ArgumentNames {
  /** Converts a model's arguments to the tool's names. */
  restored(args: JsonObject): JsonObject;
  /** Converts arguments to the names that are sent. */
  sent(args: JsonObject): JsonObject;
}

/**
 * Rewrites a tool's schema for a family of vendors. Unsupported keywords are weakened: the rewritten schema accepts everything that the
 * original accepts, under the sent names. If the root has alternatives, a property keeps its declarations from them; a required but missing
 * type is inferred from other keywords. Deterministic.
 */
export function adaptSchema(schema: JsonObject, family: SchemaFamily): AdaptedSchema {
  const names = namePlace();
  const adapted = new Adaptation(schema, family).root(names);
  const sent = isSame(adapted, schema) ? schema : adapted;
  if (!renamesAny(names)) return { schema: sent };
  return {
    schema: sent,
    names: { restored: (args) => restoredNames(args, names), sent: (args) => sentNames(args, names) },
  };
}

/** Limits on the schemas that references add, and on levels. Anything beyond is sent as a value of any type. */
const MAX_SCHEMAS = 500;
const MAX_LEVELS = 64;

/** Minimum characters of a schema as JSON with its name. */
const MIN_LENGTH = 6;

/** Keywords sent unchanged or not at all: weakening a schema inside them would make the whole stricter. */
const WHOLE: ReadonlySet<string> = new Set(
  "not if then else contains minContains maxContains propertyNames dependentSchemas dependentRequired dependencies".split(
    " ",
  ),
);

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);
const recordOf = (value: JsonValue | undefined): JsonObject => (isRecord(value) ? value : {});

class Adaptation {
  readonly #family: SchemaFamily;
  readonly #expansion: Expansion;
  readonly #root: JsonObject;
  readonly #names: SentNames;
  readonly #completion: Completion;
  readonly #unions: Unions;
  readonly #definitions = new Map<string, NamePlace>();
  #left: number;

  constructor(root: JsonObject, family: SchemaFamily) {
    this.#root = root;
    this.#family = family;
    this.#left = MAX_SCHEMAS + JSON.stringify(root).length / MIN_LENGTH;
    this.#expansion = new Expansion(root, family);
    this.#names = new SentNames(family.names, namesIn(root));
    this.#completion = new Completion(family, this.#names);
    this.#unions = new Unions(family, this.#expansion, {
      adapted: (branch, place) => this.#adapted(branch, place),
      anything: (place) => this.#completion.anything(place.names),
    });
  }

  /** An object without alternatives at its root. */
  root(names: NamePlace): JsonObject {
    const isSplit = ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => this.#root[keyword] !== undefined);
    const whole = isSplit ? this.#expansion.flat(this.#root) : wellFormed(this.#root);
    const { enum: _enum, const: _const, not: _not, ...schema } = whole;
    const { type, properties, ...rest } = schema;
    const isObject = type === "object" && properties !== undefined;
    const object = Object.entries(rest).filter(([keyword]) => speaksOf(keyword, ["object"]));
    const root = isObject
      ? schema
      : { type: "object", properties: recordOf(properties), ...Object.fromEntries(object) };
    const sent = this.#fields(root, { names, followed: new Set(), depth: 0 });
    const needs = isSplit ? this.#needs() : "";
    return needs === "" ? sent : this.#withWords(sent, needs);
  }

  /** Describes what alternatives at the root require: `Needs route, or file.` */
  #needs(): string {
    const branches = ["anyOf", "oneOf"].flatMap((keyword) => listOf(this.#root[keyword]));
    const lists = branches.map((branch) => listOf(this.#expansion.flat(branch)["required"]));
    const words = lists.map((names) => names.map((name) => this.#names.sent(String(name))).join(" and "));
    return words.length > 1 && words.every((one) => one !== "") ? `Needs ${[...new Set(words)].join(", or ")}.` : "";
  }

  #adapted(value: JsonValue | undefined, { names, followed, depth }: Place): JsonObject {
    this.#left--;
    if (this.#left < 0 || depth > MAX_LEVELS) return this.#completion.anything(names);
    const { schema, followed: reached } = this.#expansion.expanded(value, followed);
    const place = { names, followed: reached, depth: depth + 1 };
    const { description, default: _default, ...rest } = schema;
    const branches = branchesOf(rest, this.#family);
    if (branches === undefined) return this.#fields(schema, place);
    const union = this.#unions.union(branches, place);
    const text = described(description, schema, { ...rest, enum: null, const: null, ...union });
    return text === "" ? union : explained(union, text);
  }

  /** As `#adapted`, where the family also accepts `true` and `false`. */
  #inner(value: JsonValue, place: Place): JsonValue {
    return typeof value === "boolean" && this.#family.booleans ? value : this.#adapted(value, place);
  }

  /** One schema without alternatives, or with alternatives that the family accepts beside other keywords. */
  #fields(schema: JsonObject, place: Place): JsonObject {
    const types = this.#typesOf(schema);
    const isUnion = schema["anyOf"] !== undefined || schema["$ref"] !== undefined;
    if (this.#family.typed && types === undefined && !isUnion)
      return this.#described(schema, this.#completion.anything(place.names));
    const entries = Object.entries(schema).flatMap(([keyword, value]) =>
      this.#entries(keyword, value, { schema, types, place }),
    );
    const sent = this.#completion.completed(this.#unwrapped(Object.fromEntries(entries)), types, place.names);
    return this.#described(schema, this.#withUnevaluated(schema, sent));
  }

  /** Unwraps a single alternative. */
  #unwrapped(sent: JsonObject): JsonObject {
    const { anyOf, ...rest } = sent;
    const [only, ...others] = listOf(anyOf).filter((one) => isRecord(one));
    if (only === undefined || others.length > 0 || this.#family.keywords === "all") return sent;
    return Object.keys(only).some((keyword) => rest[keyword] !== undefined) ? sent : { ...only, ...rest };
  }

  /** A schema's types, including inferred ones if the family needs them. */
  #typesOf(schema: JsonObject): readonly Type[] | undefined {
    return typesOf(schema) ?? (this.#family.typed && schema["anyOf"] === undefined ? inferredTypes(schema) : undefined);
  }

  /** The entries sent for one keyword. */
  #entries(keyword: string, value: JsonValue, { schema, types, place }: Field): Entries {
    if (keyword === "type" || keyword === "unevaluatedProperties" || keyword === "unevaluatedItems")
      return keyword === "type" && types !== undefined ? typeEntries(types, this.#family) : [];
    if (WHOLE.has(keyword))
      return this.#family.keywords === "all" && this.#isWhole(schema, place) ? [[keyword, value]] : [];
    if (!takes(this.#family, keyword)) return [];
    const isTold = types === undefined || this.#family.keywords === "all" || speaksOf(keyword, types);
    return isTold
      ? (this.#schemas(keyword, value, { schema, types, place }) ?? valueEntries([keyword, value], types, this.#family))
      : [];
  }

  /** The entries for a keyword with schemas or property names; undefined for other keywords. */
  #schemas(keyword: string, value: JsonValue, { schema, place }: Field): Entries | undefined {
    switch (keyword) {
      case "properties":
        return [[keyword, this.#properties(recordOf(value), place)]];
      case "required":
        return [[keyword, this.#required(listOf(value), schema, place)]];
      case "additionalProperties":
        return this.#others(value, schema, place);
      case "patternProperties":
        return this.#names.areFine
          ? [[keyword, this.#each(recordOf(value), within(place, innerPath(place.names.others)))]]
          : [];
      case "items":
        return [[keyword, this.#inner(value, within(place, innerPath(place.names.items)))]];
      case "prefixItems":
        return [[keyword, listOf(value).map((item) => this.#inner(item, within(place, innerPath(place.names.items))))]];
      case "anyOf":
        return [
          [
            keyword,
            this.#family.keywords === "all"
              ? listOf(value).map((branch) => this.#inner(branch, place))
              : this.#unions.alternatives(listOf(value), place),
          ],
        ];
      case "oneOf":
        return this.#oneOf(listOf(value), schema, place);
      case "allOf":
        return [[keyword, listOf(value).map((part) => this.#inner(part, place))]];
      case "$ref":
        place.names.also.push(this.#definition(definitionOf(String(value)) ?? ""));
        return [[keyword, value]];
      case "$defs":
      case "definitions":
        return place.depth === 0 && this.#family.refs ? [[keyword, this.#defined(recordOf(value))]] : [];
      default:
        return undefined;
    }
  }

  #properties(properties: JsonObject, { names, ...place }: Place): JsonObject {
    const sent = Object.entries(properties).flatMap(([name, schema]): Entries => {
      if (isImpossible(schema) && !this.#family.booleans) return [];
      const key = this.#names.sent(name);
      const adapted = this.#inner(schema, { ...place, names: propertyPlace(names, name) });
      if (key === name) return [[name, adapted]];
      names.renamed.set(key, name);
      return [[key, isRecord(adapted) ? this.#withWords(adapted, `Name: ${name}.`) : adapted]];
    });
    return Object.fromEntries(sent);
  }

  /** Required names; for some families only those of declared properties. */
  #required(names: readonly JsonValue[], { properties }: JsonObject, place: Place): readonly string[] {
    const isKnown = (name: string): boolean => {
      const property = Object.hasOwn(recordOf(properties), name) ? recordOf(properties)[name] : undefined;
      return property !== undefined && !(isImpossible(property) && !this.#family.booleans);
    };
    const texts = names.filter((name) => typeof name === "string");
    return texts
      .filter((name) => this.#family.keywords === "all" || isKnown(name))
      .map((name) => this.#sentName(name, place));
  }

  #sentName(name: string, { names }: Place): string {
    const sent = this.#names.sent(name);
    if (sent !== name) names.renamed.set(sent, name);
    return sent;
  }

  /** `additionalProperties`, dropped if it would include properties matched by a pattern. */
  #others(value: JsonValue, { patternProperties }: JsonObject, place: Place): Entries {
    const isPatterned = Object.keys(recordOf(patternProperties)).length > 0;
    if (isPatterned && !(takes(this.#family, "patternProperties") && this.#names.areFine)) return [];
    if (typeof value === "boolean") return [["additionalProperties", value]];
    const adapted = this.#adapted(value, within(place, innerPath(place.names.others)));
    return [["additionalProperties", Object.keys(recordOf(value)).length === 0 && this.#family.typed ? true : adapted]];
  }

  #each(schemas: JsonObject, place: Place): JsonObject {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.#inner(schema, place)]));
  }

  /** More than one weakened schema may match. */
  #oneOf(branches: readonly JsonValue[], { anyOf }: JsonObject, place: Place): Entries {
    const adapted = branches.map((branch) => this.#inner(branch, place));
    if (isSame(adapted, branches)) return [["oneOf", branches]];
    return anyOf === undefined ? [["anyOf", adapted]] : [];
  }

  #defined(definitions: JsonObject): JsonObject {
    const place = { followed: new Set<string>(), depth: 1 };
    const each = Object.entries(definitions).map(([name, schema]): [string, JsonValue] => [
      name,
      this.#inner(schema, { ...place, names: this.#definition(name) }),
    ]);
    return Object.fromEntries(each);
  }

  #definition(name: string): NamePlace {
    const known = this.#definitions.get(name) ?? namePlace();
    this.#definitions.set(name, known);
    return known;
  }

  /** Whether keywords that are sent unchanged keep their meaning. */
  #isWhole(schema: JsonObject, place: Place): boolean {
    const inner = ["not", "if", "then", "else", "contains", "propertyNames"].flatMap(
      (keyword) => schema[keyword] ?? [],
    );
    const all = [...inner, ...Object.values(recordOf(schema["dependentSchemas"]))];
    const apart = { ...place, names: namePlace() };
    return this.#names.areFine && all.every((one) => isSame(this.#inner(one, apart), one));
  }

  /** `unevaluatedProperties` needs all evaluated properties to be known. */
  #withUnevaluated(
    { unevaluatedProperties: properties, unevaluatedItems: items, ...schema }: JsonObject,
    sent: JsonObject,
  ): JsonObject {
    if (this.#family.keywords !== "all" || !isSame(schema, sent)) return sent;
    return {
      ...sent,
      ...(properties !== undefined && { unevaluatedProperties: properties }),
      ...(items !== undefined && { unevaluatedItems: items }),
    };
  }

  #withWords(schema: JsonObject, words: string): JsonObject {
    const { anyOf, description } = schema;
    if (isList(anyOf) && this.#family.unions === "alone") return explained(schema, words);
    return { ...schema, description: typeof description === "string" ? `${description} ${words}` : words };
  }

  #described(schema: JsonObject, sent: JsonObject): JsonObject {
    const text = described(schema["description"], schema, sent);
    if (text === "" || text === sent["description"]) return sent;
    return isList(sent["anyOf"]) && this.#family.unions === "alone"
      ? explained(sent, text)
      : { ...sent, description: text };
  }
}

/** A keyword's schema. */
interface Field {
  readonly schema: JsonObject;
  readonly types: readonly Type[] | undefined;
  readonly place: Place;
}

const within = (place: Place, names: NamePlace): Place => ({ ...place, names });

/** Adds a description; alternatives without neighbours get it in the first one. */
function explained(schema: JsonObject, text: string): JsonObject {
  const { anyOf, description } = schema;
  const [first, ...others] = listOf(anyOf);
  if (isRecord(first)) return { anyOf: [explained(first, text), ...others] };
  return { ...schema, description: typeof description === "string" ? `${text} ${description}` : text };
}
