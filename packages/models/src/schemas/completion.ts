import { isRecord, type JsonObject } from "@mdx-ai/base";
import type { SchemaFamily } from "./families.ts";
import { innerPath, type NamePlace, type SentNames } from "./property-names.ts";
import { typeEntries } from "./value-keywords.ts";
import type { Type } from "./well-formed.ts";

/** Levels of lists in a value of any type, for vendors that need a type at each level. */
const LEVELS_OF_ANY = 2;
const LEVELS_OF_ITEM = 1;

/** A placeholder property, for vendors that refuse objects without properties. */
const ANY_KEY = "any_key";

/** Adds what a family requires and a schema omits: items of arrays, properties of objects, types. */
export class Completion {
  readonly #family: SchemaFamily;
  readonly #names: SentNames;

  /** `names`: of the whole schema. */
  constructor(family: SchemaFamily, names: SentNames) {
    this.#family = family;
    this.#names = names;
  }

  /** Adds what the family requires for these types. */
  completed(sent: JsonObject, types: readonly Type[] | undefined, names: NamePlace): JsonObject {
    const { typed, complete } = this.#family;
    const lacksType = typed && sent["type"] === undefined && types !== undefined;
    const whole = lacksType ? { ...Object.fromEntries(typeEntries(types, this.#family)), ...sent } : sent;
    if (!complete || types === undefined) return whole;
    const lacksItems = types.includes("array") && whole["items"] === undefined;
    return {
      ...whole,
      ...(types.includes("object") && this.#properties(whole, types, names)),
      ...(lacksItems && { items: this.anything(innerPath(names.items), LEVELS_OF_ITEM) }),
    };
  }

  #properties({ properties }: JsonObject, types: readonly Type[], names: NamePlace): JsonObject {
    const isEmpty = !isRecord(properties) || Object.keys(properties).length === 0;
    const isAlone = types.every((type) => type === "object" || type === "null");
    if (isEmpty && isAlone) return this.#anyProperties(names);
    return properties === undefined ? { properties: {} } : {};
  }

  /** A value of any type. */
  anything(names: NamePlace, levels: number = LEVELS_OF_ANY): JsonObject {
    const { typed, types, nulls } = this.#family;
    if (!typed) return {};
    if (types === "list") return { type: ["string", "number", "boolean", "object", "array", "null"] };
    const items = levels > 0 ? this.anything(innerPath(names.items), levels - 1) : { type: "string" };
    const text = { type: "string", ...(nulls === "nullable" && { nullable: true }) };
    const object = { type: "object", ...this.#anyProperties(names) };
    const all = [text, { type: "number" }, { type: "boolean" }, object, { type: "array", items }];
    return { anyOf: nulls === "type" ? [...all, { type: "null" }] : all };
  }

  /** The placeholder property of an object, if required; it is removed from calls. */
  #anyProperties(names: NamePlace): JsonObject {
    if (this.#family.emptyObjects) return { properties: {} };
    const key = this.#names.unused(ANY_KEY);
    names.renamed.set(key, undefined);
    return { properties: { [key]: { type: "string", description: "Leave it out." } } };
  }
}
