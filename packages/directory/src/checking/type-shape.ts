import { isJsonList, isJsonObject, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import { referenced } from "@mdx-ai/parser";
import { jsonText } from "../text.ts";

/** The part of a JSON Schema that a TypeScript type can express. */
export type TypeShape =
  /** Anything, or more than a type can express. */
  | { readonly kind: "unknown" }
  /** A type in one word, such as `string`, `null` or `"celsius"`. */
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "choice"; readonly shapes: readonly TypeShape[] }
  | { readonly kind: "array"; readonly items: TypeShape }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: "object";
  readonly members: readonly MemberShape[];
  /** The type of further members; absent if there can be none. */
  readonly rest?: TypeShape;
}

/** Whether a member is required, optional, or has a default. */
type Presence = "required" | "optional" | "defaulted";

export interface MemberShape {
  readonly name: string;
  readonly presence: Presence;
  readonly shape: TypeShape;
  /** May be empty. */
  readonly description: string;
  readonly default?: JsonValue;
}

/** A union of the shapes. */
function choiceOf(shapes: readonly TypeShape[]): TypeShape {
  const flat = shapes.flatMap((shape) => (shape.kind === "choice" ? shape.shapes : [shape]));
  const [first] = flat;
  if (first === undefined || flat.some(({ kind }) => kind === "unknown")) return { kind: "unknown" };
  return flat.length === 1 ? first : { kind: "choice", shapes: flat };
}

/** A shape as TypeScript writes it, on one line: `{ city: string; month?: number }`. `anything` is the type of what may be anything. */
export function typeText(shape: TypeShape, anything: "unknown" | "any" = "unknown"): string {
  switch (shape.kind) {
    case "unknown":
      return anything;
    case "word":
      return shape.text;
    case "choice":
      return [...new Set(shape.shapes.map((one) => typeText(one, anything)))].join(" | ");
    case "array": {
      const items = typeText(shape.items, anything);
      return shape.items.kind === "choice" ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return objectText(shape, anything);
    default:
      return shape satisfies never;
  }
}

/** One member: `month?: number`. */
export const memberText = ({ name, presence, shape }: MemberShape, anything?: "unknown" | "any"): string =>
  `${memberName(name)}${presence === "optional" ? "?" : ""}: ${typeText(shape, anything)}`;

/** The index signature for the further members of an object, if there can be any. */
export function restText({ members, rest }: ObjectShape, anything: "unknown" | "any" = "unknown"): string | undefined {
  if (rest === undefined) return undefined;
  // An index signature must also accept the named members.
  return `[key: string]: ${members.length === 0 ? typeText(rest, anything) : anything}`;
}

function objectText(shape: ObjectShape, anything: "unknown" | "any"): string {
  const rest = restText(shape, anything);
  const inner = [...shape.members.map((member) => memberText(member, anything)), ...(rest === undefined ? [] : [rest])];
  return inner.length === 0 ? "Record<string, never>" : `{ ${inner.join("; ")} }`;
}

const memberName = (name: string): string =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : jsonText(name);

/** The maximum depth of nested schemas and references, so that circular references end. */
const DEEPEST = 12;

const UNKNOWN: TypeShape = { kind: "unknown" };

/** Keywords that may restrict an object beyond its members. */
const COMBINATIONS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/** The shape of arguments that a JSON Schema 2020-12 of an object accepts, with defaults filled in. */
export function schemaShape(schema: JsonSchema): ObjectShape {
  return objectShape(schema, { root: schema, depth: 0 });
}

interface SchemaContext {
  readonly root: JsonSchema;
  readonly depth: number;
}

function shapeOf(schema: unknown, { root, depth }: SchemaContext): TypeShape {
  if (!isJsonObject(schema) || depth > DEEPEST) return UNKNOWN;
  const context = { root, depth: depth + 1 };
  const { const: constant, enum: choices, type, properties, anyOf, oneOf, $ref } = schema;
  if (constant !== undefined) return literalShape(constant);
  if (isJsonList(choices)) return choiceOf(choices.map(literalShape));
  if (typeof type === "string") return typeShape(type, schema, context);
  if (isJsonList(type)) return choiceOf(type.map((one) => typeShape(String(one), schema, context)));
  if (isJsonObject(properties)) return UNKNOWN;
  if (typeof $ref === "string") return shapeOf(referenced(root, $ref), context);
  const combined = anyOf ?? oneOf;
  return isJsonList(combined) ? choiceOf(combined.map((one) => shapeOf(one, context))) : UNKNOWN;
}

function typeShape(type: string, schema: JsonSchema, context: SchemaContext): TypeShape {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { kind: "word", text: type };
    case "integer":
      return { kind: "word", text: "number" };
    case "array":
      return {
        kind: "array",
        items: schema["prefixItems"] === undefined ? shapeOf(schema["items"], context) : UNKNOWN,
      };
    case "object":
      return objectShape(schema, context);
    default:
      return UNKNOWN;
  }
}

function objectShape(schema: JsonSchema, context: SchemaContext): ObjectShape {
  const { properties, required } = schema;
  const names: readonly JsonValue[] = isJsonList(required) ? required : [];
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]): MemberShape => {
    const isRequired = names.includes(name);
    return memberShape({ name, property, isRequired, context });
  });
  const rest = restShape(schema, context);
  return { kind: "object", members, ...(rest === undefined ? {} : { rest }) };
}

interface Member {
  readonly name: string;
  readonly property: JsonValue;
  readonly isRequired: boolean;
  readonly context: SchemaContext;
}

function memberShape({ name, property, isRequired, context }: Member): MemberShape {
  const { default: preset, description } = isJsonObject(property) ? property : {};
  const undefaulted = isRequired ? "required" : "optional";
  return {
    name,
    presence: preset === undefined ? undefaulted : "defaulted",
    shape: shapeOf(property, context),
    description: typeof description === "string" ? description : "",
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function restShape(schema: JsonSchema, context: SchemaContext): TypeShape | undefined {
  const { additionalProperties, unevaluatedProperties } = schema;
  if (COMBINATIONS.some((keyword) => schema[keyword] !== undefined)) return UNKNOWN;
  if (additionalProperties === false || unevaluatedProperties === false) return undefined;
  return isJsonObject(additionalProperties) ? shapeOf(additionalProperties, context) : UNKNOWN;
}

function literalShape(value: JsonValue): TypeShape {
  if (typeof value === "object" && value !== null) return UNKNOWN;
  return { kind: "word", text: jsonText(value) };
}
