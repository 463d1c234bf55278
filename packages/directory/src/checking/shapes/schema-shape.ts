import { type JsonSchema, type JsonValue, referenced } from "@mdx-ai/parser";
import { isJsonList, isJsonObject } from "@mdx-ai/parser/record";
import { jsonText } from "../../text/json-text.ts";
import { choiceOf, type MemberShape, type ObjectShape, type TypeShape } from "./type-shape.ts";

/** How deep nested schemas and references are followed, so that circular references end. */
const DEEPEST = 12;

const UNKNOWN: TypeShape = { kind: "unknown" };

/** Keywords that may say more about an object than its members. */
const COMBINATIONS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/** The shape of arguments that a JSON Schema 2020-12 of an object accepts, with defaults filled in. */
export function schemaShape(schema: JsonSchema): ObjectShape {
  return objectShape(schema, { root: schema, depth: 0 });
}

interface Place {
  readonly root: JsonSchema;
  readonly depth: number;
}

function shapeOf(schema: unknown, { root, depth }: Place): TypeShape {
  if (!isJsonObject(schema) || depth > DEEPEST) return UNKNOWN;
  const place = { root, depth: depth + 1 };
  const { const: constant, enum: choices, type, properties, anyOf, oneOf, $ref } = schema;
  if (constant !== undefined) return literalShape(constant);
  if (isJsonList(choices)) return choiceOf(choices.map(literalShape));
  if (typeof type === "string") return typeShape(type, schema, place);
  if (isJsonList(type)) return choiceOf(type.map((one) => typeShape(String(one), schema, place)));
  if (isJsonObject(properties)) return UNKNOWN;
  if (typeof $ref === "string") return shapeOf(referenced(root, $ref), place);
  const combined = anyOf ?? oneOf;
  return isJsonList(combined) ? choiceOf(combined.map((one) => shapeOf(one, place))) : UNKNOWN;
}

function typeShape(type: string, schema: JsonSchema, place: Place): TypeShape {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { kind: "word", text: type };
    case "integer":
      return { kind: "word", text: "number" };
    case "array":
      return { kind: "array", items: schema["prefixItems"] === undefined ? shapeOf(schema["items"], place) : UNKNOWN };
    case "object":
      return objectShape(schema, place);
    default:
      return UNKNOWN;
  }
}

function objectShape(schema: JsonSchema, place: Place): ObjectShape {
  const { properties, required } = schema;
  const names: readonly JsonValue[] = isJsonList(required) ? required : [];
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]): MemberShape => {
    const isRequired = names.includes(name);
    return memberShape({ name, property, isRequired, place });
  });
  const rest = restShape(schema, place);
  return { kind: "object", members, ...(rest === undefined ? {} : { rest }) };
}

interface Member {
  readonly name: string;
  readonly property: JsonValue;
  readonly isRequired: boolean;
  readonly place: Place;
}

function memberShape({ name, property, isRequired, place }: Member): MemberShape {
  const { default: preset, description } = isJsonObject(property) ? property : {};
  const undefaulted = isRequired ? "required" : "optional";
  return {
    name,
    presence: preset === undefined ? undefaulted : "defaulted",
    shape: shapeOf(property, place),
    description: typeof description === "string" ? description : "",
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function restShape(schema: JsonSchema, place: Place): TypeShape | undefined {
  const { additionalProperties, unevaluatedProperties } = schema;
  if (COMBINATIONS.some((keyword) => schema[keyword] !== undefined)) return UNKNOWN;
  if (additionalProperties === false || unevaluatedProperties === false) return undefined;
  return isJsonObject(additionalProperties) ? shapeOf(additionalProperties, place) : UNKNOWN;
}

function literalShape(value: JsonValue): TypeShape {
  if (typeof value === "object" && value !== null) return UNKNOWN;
  return { kind: "word", text: jsonText(value) };
}
