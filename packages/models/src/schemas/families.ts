/** The parts of JSON Schema that a family of servers accepts for tool parameters. Other parts are weakened. */
export interface SchemaFamily {
  /** The supported keywords. */
  readonly keywords: "all" | ReadonlySet<string>;
  /** Valid parameter names, at any depth. */
  readonly names: RegExp;
  /** Whether references within the schema are supported; otherwise their target is inserted. */
  readonly refs: boolean;
  /** Whether a schema may be `true` or `false`; always allowed as `additionalProperties`. */
  readonly booleans: boolean;
  /** Whether `anyOf` may have neighbours, such as `type`. */
  readonly unions: "beside" | "alone";
  /** Whether `type` may be a list. */
  readonly types: "list" | "single";
  /** How a nullable value is declared: with a null type, or OpenAPI's keyword. */
  readonly nulls: "type" | "nullable";
  /** Whether every schema needs a type, or alternatives with types. */
  readonly typed: boolean;
  /** Allowed enums: any values, only strings or only numbers, or only non-empty strings. */
  readonly enums: "any" | "alike" | "texts";
  /** Allowed formats: all, or those of a type, such as "string date-time". */
  readonly formats: "any" | ReadonlySet<string>;
  /** Allowed patterns: all, those that other regular expression engines support, or anchored ones without escapes. */
  readonly patterns: "any" | "common" | "simple";
  /** Whether objects need `properties` and arrays need `items`. */
  readonly complete: boolean;
  /** Whether an object without declared properties is allowed. */
  readonly emptyObjects: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const NAMES = /^[a-zA-Z0-9_.-]{1,64}$/;

/** JSON Schema 2020-12, except for the root and names. docs.claude.com/en/docs/agents-and-tools/tool-use */
const anthropic: SchemaFamily = {
  keywords: "all",
  names: NAMES,
  refs: true,
  booleans: true,
  unions: "beside",
  types: "list",
  nulls: "type",
  typed: false,
  enums: "any",
  formats: "any",
  patterns: "any",
  complete: false,
  emptyObjects: true,
};

/** Non-strict functions. platform.openai.com/docs/guides/function-calling */
const openai: SchemaFamily = { ...anthropic, booleans: false, patterns: "common", complete: true };

const PORTABLE =
  "type description title properties required additionalProperties items anyOf enum default format pattern minimum maximum " +
  "exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems";

/** The common subset of the many OpenAI-compatible servers (Groq, Mistral, DeepSeek, llama.cpp, vLLM, Fireworks …) and gateways. */
const portable: SchemaFamily = {
  ...openai,
  keywords: words(PORTABLE),
  refs: false,
  typed: true,
  patterns: "simple",
};

/** docs.x.ai/docs/guides/structured-outputs: no lengths of strings and lists. */
const xai: SchemaFamily = {
  ...portable,
  keywords: words(PORTABLE.replace(/ (?:min|max)(?:Length|Items)/g, "")),
};

/** Moonshot Flavored JSON Schema. github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md */
const moonshot: SchemaFamily = {
  ...portable,
  keywords: words("type description properties required additionalProperties items anyOf enum default"),
  unions: "alone",
  types: "single",
  enums: "alike",
};

/** The `Schema` object of the Gemini API, based on OpenAPI 3.0. ai.google.dev/api/caching#Schema */
const gemini: SchemaFamily = {
  ...moonshot,
  keywords: words(
    "type description nullable properties required items anyOf enum format pattern minimum maximum " +
      "minLength maxLength minItems maxItems minProperties maxProperties",
  ),
  names: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  nulls: "nullable",
  enums: "texts",
  formats: new Set([
    "string date-time",
    "string enum",
    "number float",
    "number double",
    "integer int32",
    "integer int64",
  ]),
  patterns: "common",
  emptyObjects: false,
};

/** AI SDK packages translate from JSON Schema themselves. */
const geminiPackage: SchemaFamily = { ...gemini, nulls: "type" };

/** The server that validates a schema. */
export interface SchemaReader {
  readonly vendor: string;
  readonly model: string;
  /** Empty if unknown. */
  readonly host: string;
}

/** Gateways pass schemas on to the model's maker, so the model's name counts before the vendor's. */
const owners: readonly (readonly [RegExp, SchemaFamily])[] = [
  [/\bai-sdk:\S*google|\bai-sdk:.*gemini/, geminiPackage],
  [/gemini|googleapis/, gemini],
  [/kimi|moonshot/, moonshot],
  [/claude|^anthropic /, anthropic],
  [/grok|^xai /, xai],
  [/^azure |api\.openai\.com|\bgpt-(?!oss)|\bcodex-|(?:^| |\/)o\d(?:$|-)/, openai],
];

/** The family of a model's server. */
export function schemaFamily({ vendor, model, host }: SchemaReader): SchemaFamily {
  const text = `${vendor} ${host} ${model}`.toLowerCase();
  return owners.find(([names]) => names.test(text))?.[1] ?? portable;
}
