import type { Path } from "../located/located.ts";

type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** A mistake that a check finds in a value of the right type. */
export interface Finding {
  /** The path from the checked value to the mistake; the value itself if absent. */
  readonly path?: Path;
  /** Whether the key or the value is wrong; default: the value. */
  readonly of?: "key" | "value";
  readonly rule?: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * What a value must be: the part of JSON Schema 2020-12 that settings need, and checks that no schema can express. A `title`
 * completes "expected …"; a `description` explains the purpose. In a map whose only type is "object", a mistake drops the member;
 * anywhere else it drops the whole value.
 */
export interface Schema<T = unknown> {
  /** Never set; carries the type of valid values. */
  readonly of?: T;
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  /** Alternative words that authors use. */
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
  /** Refers to the whole schema. */
  readonly $ref?: "#";
  /** False for a known setting without effect in this version. */
  readonly "x-supported"?: false;
  /** Whether a mistake within, including an unknown key, drops the whole value. */
  readonly isWhole?: true;
  /** Whether a mistake in an item of a list drops that item alone. */
  readonly isLenient?: true;
  /** Whether messages must not quote the value. */
  readonly isSecret?: true;
  /** A check that keywords cannot express. */
  readonly accepts?: (value: unknown) => boolean;
  /** The rule id for a value that does not match. */
  readonly rule?: string;
  /** The suggested text for an invalid value, instead of a guess from the types. */
  readonly fixFor?: (value: unknown) => string | undefined;
  /** The replacement for a value, if it is clear. */
  readonly hintFor?: (value: unknown) => string | undefined;
  /** Checks a value without other mistakes; `name` is its name in messages, such as `sandbox.read`. */
  readonly check?: (value: unknown, name: string) => readonly Finding[];
  /** Checks a key of a map with free keys. */
  readonly checkKey?: (key: string, value: unknown) => Finding | undefined;
}
