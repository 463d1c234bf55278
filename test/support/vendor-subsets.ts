/**
 * What vendors say that they take as the parameters of a function, each with its source, and a check against it. Written from
 * their pages and from the refusals of their servers, not from the program.
 */

import type { JsonObject } from "@mdx-ai/base";
import { adaptSchema } from "../../packages/models/src/schemas/adapt-schema.ts";
import { schemaFamily } from "../../packages/models/src/schemas/families.ts";

/** A part of a schema that a vendor does not take, as `properties.a: no type`. */
type Fault = string;

type Json = { readonly [key: string]: unknown };

type Rule = (schema: Json, isRoot: boolean) => string | undefined;

export interface VendorSubset {
  readonly vendor: string;
  /** A model of it, which decides how a schema is sent, and the vendor's name here. */
  readonly asked: { readonly vendor: string; readonly model: string; readonly host: string };
  /** Keywords that may be sent; all if absent. */
  readonly keywords?: readonly string[];
  readonly names: RegExp;
  readonly rules: readonly Rule[];
}

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const has = (schema: Json, keyword: string): boolean => Object.hasOwn(schema, keyword);

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

// Every vendor: an object without alternatives at the root. OpenAI: "schema must have type 'object' and not have 'oneOf'/
// 'anyOf'/'allOf'/'enum'/'not' at the top level". Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level".
const plainRoot: Rule = (schema, isRoot) => {
  if (!isRoot) return undefined;
  if (schema["type"] !== "object" || !isRecord(schema["properties"]))
    return "not an object with properties at the root";
  return ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"].find((keyword) => has(schema, keyword));
};

// "JSON schema is invalid. It must match JSON Schema draft 2020-12".
const valid2020: Rule = (schema) => {
  const { type, required, items, exclusiveMinimum, exclusiveMaximum } = schema;
  if (type !== undefined && ![type].flat().every((one) => types.includes(String(one)))) return "unknown type";
  const isNames = Array.isArray(required) && new Set(required).size === required.length;
  if (required !== undefined && !(isNames && required.every((name) => typeof name === "string"))) return "required";
  if (Array.isArray(items)) return "a list of items";
  if ([exclusiveMinimum, exclusiveMaximum].some((limit) => typeof limit === "boolean")) return "a limit of draft 4";
  const empty = ["anyOf", "oneOf", "allOf", "enum", "prefixItems"].find(
    (word) => has(schema, word) && list(schema[word]).length === 0,
  );
  return empty === undefined ? undefined : `${empty} without an item`;
};

// OpenAI: "array schema missing items", "object schema missing properties".
const whole: Rule = ({ type, items, properties }) => {
  if (type === "array" && items === undefined) return "array schema missing items";
  return type === "object" && !isRecord(properties) ? "object schema missing properties" : undefined;
};

// OpenAI: "'(?!a)' is not a 'regex'": those of Python.
const commonPatterns: Rule = ({ pattern }) =>
  typeof pattern === "string" && /\(\?[=!<]|\\[pPuk]/.test(pattern) ? "pattern" : undefined;

// llama.cpp: "Pattern must start with '^' and end with '$'", "unknown escape at \d".
const anchored: Rule = ({ pattern }) =>
  typeof pattern === "string" && !(/^\^.*\$$/.test(pattern) && !/\\|\(\?/.test(pattern)) ? "pattern" : undefined;

// llama.cpp: "Unrecognized schema: {"description": …}"; Moonshot: "type is not defined"; Vertex: "schema didn't specify the schema type field".
const typed: Rule = ({ type, anyOf }) => (type === undefined && anyOf === undefined ? "no type" : undefined);

// Groq: "'required' present but 'properties' is missing"; Gemini: "required[0]: property is not defined".
const knownRequired: Rule = ({ required, properties }) =>
  list(required).every((name) => isRecord(properties) && has(properties, String(name))) ? undefined : "required";

const oneType: Rule = ({ type }) => (Array.isArray(type) ? "Proto field is not repeating" : undefined);

// Moonshot: "when using anyOf, type should be defined in anyOf items"; Vertex: "When using any_of, it must be the only field set".
const aloneAnyOf: Rule = (schema) =>
  has(schema, "anyOf") && Object.keys(schema).length > 1 ? "other fields alongside anyOf" : undefined;

// Moonshot: numbers or strings, all of one type.
const alikeEnum: Rule = ({ enum: values }) =>
  new Set(list(values).map((value) => typeof value)).size > 1 ||
  list(values).some((value) => !/string|number/.test(typeof value))
    ? "enum"
    : undefined;

// Gemini: "enum: only allowed for STRING type", "enum[0]: cannot be empty".
const textEnum: Rule = ({ enum: values, type }) =>
  values !== undefined &&
  !(type === "string" && list(values).every((value) => typeof value === "string" && value !== ""))
    ? "enum"
    : undefined;

// Gemini: "properties: should be non-empty for OBJECT type", "properties: only allowed for OBJECT type", "items: missing field".
const geminiObjects: Rule = ({ type, properties, required, items }) => {
  if (type === "object")
    return Object.keys(isRecord(properties) ? properties : {}).length === 0 ? "no properties" : undefined;
  if (properties !== undefined || required !== undefined) return "properties: only allowed for OBJECT type";
  return items !== undefined && type !== "array" ? "items: only allowed for ARRAY type" : undefined;
};

// Gemini: "only 'enum' and 'date-time' are supported for STRING type".
const geminiFormats: Rule = ({ format, type }) => {
  const known: Readonly<Record<string, readonly string[]>> = {
    string: ["enum", "date-time"],
    number: ["float", "double"],
    integer: ["int32", "int64"],
  };
  return format === undefined || known[String(type)]?.includes(String(format)) ? undefined : "format";
};

const geminiNull: Rule = ({ type }) => (type === "null" ? "type null" : undefined);

const dotted = /^[a-zA-Z0-9_.-]{1,64}$/;

const strictKeywords = [
  "type",
  "description",
  "title",
  "default",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
];
const limits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const lengths = ["minLength", "maxLength", "minItems", "maxItems"];

const common = [plainRoot, valid2020, whole, knownRequired];

const at = (vendor: string, model: string, host = "") => ({ vendor, model, host });

export const vendorSubsets: readonly VendorSubset[] = [
  // docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use; also on Bedrock and Vertex
  { vendor: "anthropic", asked: at("anthropic", "claude-sonnet-5-5"), names: dotted, rules: [plainRoot, valid2020] },
  {
    vendor: "claude on bedrock",
    asked: at("openai", "anthropic.claude-v5", "gateway"),
    names: dotted,
    rules: [plainRoot, valid2020],
  },
  // platform.openai.com/docs/guides/function-calling, not strict
  {
    vendor: "openai",
    asked: at("openai", "gpt-5.4", "api.openai.com"),
    names: /^/,
    rules: [plainRoot, valid2020, whole, commonPatterns],
  },
  {
    vendor: "azure",
    asked: at("azure", "deployment"),
    names: /^/,
    rules: [plainRoot, valid2020, whole, commonPatterns],
  },
  // ai.google.dev/api/caching#Schema and the refusals of its server
  {
    vendor: "gemini",
    asked: at("gemini", "gemini-3.8-flash"),
    keywords: [
      ..."type format description nullable enum maxItems minItems properties required minProperties maxProperties".split(
        " ",
      ),
      ..."minLength maxLength pattern anyOf items minimum maximum".split(" "),
    ],
    names: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    rules: [...common, typed, oneType, aloneAnyOf, textEnum, geminiObjects, geminiFormats, geminiNull],
  },
  // github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md
  {
    vendor: "moonshot",
    asked: at("openai", "kimi-k3", "api.moonshot.ai"),
    keywords: "type description default properties required additionalProperties items anyOf enum $defs $ref".split(
      " ",
    ),
    names: /^/,
    rules: [...common, typed, oneType, aloneAnyOf, alikeEnum],
  },
  // docs.x.ai/docs/guides/structured-outputs#supported-schemas
  {
    vendor: "xai",
    asked: at("xai", "grok-4.7"),
    keywords: [...strictKeywords, ...limits, "format", "pattern", "uniqueItems"],
    names: /^/,
    rules: [...common, typed, anchored],
  },
  // github.com/ggml-org/llama.cpp/blob/master/grammars/README.md#json-schemas--gbnf
  {
    vendor: "llama.cpp",
    asked: at("openai", "qwen3", "127.0.0.1:8080"),
    keywords: [
      ...strictKeywords,
      ...limits,
      ...lengths,
      "format",
      "pattern",
      "uniqueItems",
      "const",
      "$ref",
      "$defs",
      "allOf",
      "oneOf",
    ],
    names: /^/,
    rules: [...common, typed, anchored],
  },
  // console.groq.com/docs/tool-use, docs.mistral.ai/capabilities/function_calling, api-docs.deepseek.com/guides/function_calling
  ...["groq", "mistral", "deepseek", "ollama", "openrouter"].map((vendor) => ({
    vendor,
    asked: at(vendor, "some-model"),
    keywords: [...strictKeywords, ...limits, ...lengths, "format", "pattern", "uniqueItems"],
    names: /^/,
    rules: [...common, typed],
  })),
];

/** What of a schema a vendor does not take. */
export function faultsOf(schema: unknown, subset: VendorSubset, path = "", isRoot = true): readonly Fault[] {
  if (!isRecord(schema))
    return subset.keywords === undefined && typeof schema === "boolean" ? [] : [`${path}: no schema`];
  const unknown = Object.keys(schema).filter((keyword) => subset.keywords?.includes(keyword) === false);
  const broken = subset.rules.flatMap((rule) => rule(schema, isRoot) ?? []);
  return [
    ...[...unknown, ...broken].map((fault) => `${path || "root"}: ${fault}`),
    ...innerSchemas(schema).flatMap(([key, inner]) => faultsOf(inner, subset, `${path}.${key}`, false)),
    ...propertyNames(schema)
      .filter((name) => !subset.names.test(name))
      .map((name) => `${path}: name ${name}`),
  ];
}

const propertyNames = ({ properties }: Json): readonly string[] => Object.keys(isRecord(properties) ? properties : {});

function innerSchemas(schema: Json): readonly (readonly [string, unknown])[] {
  const maps = ["properties", "patternProperties", "$defs", "definitions"].flatMap((keyword) =>
    Object.entries(isRecord(schema[keyword]) ? schema[keyword] : {}),
  );
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    list(schema[keyword]).map((inner, index) => [`${keyword}[${index}]`, inner] as const),
  );
  const { items, additionalProperties: others } = schema;
  const single = [
    ...(items === undefined ? [] : [["items", items] as const]),
    ...(isRecord(others) ? [["*", others] as const] : []),
  ];
  return [...maps, ...lists, ...single];
}

/** What a vendor does not take of named schemas, after they were adapted to it. */
export function adaptedFaults(
  named: readonly (readonly [string, JsonObject])[],
  subset: VendorSubset,
): readonly string[] {
  const family = schemaFamily(subset.asked);
  return named.flatMap(([name, schema]) =>
    faultsOf(adaptSchema(schema, family).schema, subset).map((fault) => `${name}: ${fault}`),
  );
}
