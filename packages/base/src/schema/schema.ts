import type { Path } from "../located/located.ts";

type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** What a check finds in a value whose type is right. */
export interface Finding {
  /** From the checked value down to what is wrong; the value itself if absent. */
  readonly path?: Path;
  /** Whether the key or the value is wrong; the value if absent. */
  readonly of?: "key" | "value";
  readonly rule?: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * What a value must be: the part of JSON Schema 2020-12 that settings need, and checks that no schema can state. A `title` says
 * what is expected and follows "expected", a `description` says what it is for. A mistake within a map, whose only type is
 * "object", costs the member; within anything else it costs the whole.
 */
export interface Schema<T = unknown> {
  /** Never set: the type of the values that fit. */
  readonly of?: T;
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  /** Words that the author may have meant. */
  readonly examples?: readonly string[];
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  /** The whole schema again. */
  readonly $ref?: "#";
  /** False: known, and without effect in this version. */
  readonly "x-supported"?: false;
  /** Whether a mistake within, an unknown key too, costs the whole. */
  readonly isWhole?: true;
  /** Whether messages must not quote the value. */
  readonly isSecret?: true;
  /** What the keywords cannot state. */
  readonly accepts?: (value: unknown) => boolean;
  /** The rule that a value breaks that does not fit. */
  readonly rule?: string;
  /** The text of the value that a refused one must mean, in place of a guess from the types. */
  readonly fixFor?: (value: unknown) => string | undefined;
  /** What to write in place of a value, if that is clear. */
  readonly hintFor?: (value: unknown) => string | undefined;
  /** Checks a value without other mistakes; `name` is what messages call it, such as `sandbox.read`. */
  readonly check?: (value: unknown, name: string) => readonly Finding[];
  /** Checks a key of a map that takes any. */
  readonly checkKey?: (key: string, value: unknown) => Finding | undefined;
}
