/** What of JSON Schema the servers of one family take as the parameters of a tool. Everything else is weakened for them. */
export interface SchemaFamily {
  /** The keywords that are sent, or all. */
  readonly keywords: "all" | ReadonlySet<string>;
  /** Which names of parameters are taken, at any depth. */
  readonly names: RegExp;
  /** Whether references to the definitions of the same schema are taken; else what they refer to is inserted. */
  readonly refs: boolean;
  /** Whether a schema may be `true` or `false`; as `additionalProperties` it always may. */
  readonly booleans: boolean;
  /** Whether `anyOf` may have neighbours, such as `type`. */
  readonly unions: "beside" | "alone";
  /** Whether `type` may be a list. */
  readonly types: "list" | "single";
  /** How a value says that it may be null: as a type of its own, or by OpenAPI's keyword. */
  readonly nulls: "type" | "nullable";
  /** Whether every schema must have a type, or alternatives that have one. */
  readonly typed: boolean;
  /** Which lists of values are taken: of anything, of texts or numbers alone, or of texts that are not empty. */
  readonly enums: "any" | "alike" | "texts";
  /** Which formats are taken: all, or those of a type, such as "string date-time". */
  readonly formats: "any" | ReadonlySet<string>;
  /** Which patterns are taken: all, those that other engines of regular expressions know too, or whole ones without escapes. */
  readonly patterns: "any" | "common" | "simple";
  /** Whether an object must have `properties`, and an array `items`. */
  readonly complete: boolean;
  /** Whether an object without any declared property is taken. */
  readonly emptyObjects: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const NAMES = /^[a-zA-Z0-9_.-]{1,64}$/;

/** JSON Schema 2020-12, but for the root and for names. docs.claude.com/en/docs/agents-and-tools/tool-use */
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

/** Functions that are not strict. platform.openai.com/docs/guides/function-calling */
const openai: SchemaFamily = { ...anthropic, booleans: false, patterns: "common", complete: true };

const PORTABLE =
  "type description title properties required additionalProperties items anyOf enum default format pattern minimum maximum " +
  "exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems";

/**
 * What the validators and grammars of the many servers of OpenAI's protocol have in common (Groq, Mistral, DeepSeek,
 * llama.cpp, vLLM, Fireworks …); a gateway among them may ask any model.
 */
const portable: SchemaFamily = {
  ...openai,
  keywords: words(PORTABLE),
  refs: false,
  typed: true,
  patterns: "simple",
};

/** docs.x.ai/docs/guides/structured-outputs: no lengths of texts and lists. */
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

/** The object `Schema` of the Gemini interface, which follows OpenAPI 3.0. ai.google.dev/api/caching#Schema */
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

/** The packages of the AI SDK translate themselves, from JSON Schema. */
const geminiPackage: SchemaFamily = { ...gemini, nulls: "type" };

/** Who checks a schema. */
export interface SchemaReader {
  readonly vendor: string;
  readonly model: string;
  /** Empty if it is not known. */
  readonly host: string;
}

/** Gateways hand a schema on to whoever makes the model, so that its name counts before the vendor's. */
const owners: readonly (readonly [RegExp, SchemaFamily])[] = [
  [/\bai-sdk:\S*google|\bai-sdk:.*gemini/, geminiPackage],
  [/gemini|googleapis/, gemini],
  [/kimi|moonshot/, moonshot],
  [/claude|^anthropic /, anthropic],
  [/grok|^xai /, xai],
  [/^azure |api\.openai\.com|\bgpt-(?!oss)|\bcodex-|(?:^| |\/)o\d(?:$|-)/, openai],
];

/** What the server of a model takes. */
export function schemaFamily({ vendor, model, host }: SchemaReader): SchemaFamily {
  const text = `${vendor} ${host} ${model}`.toLowerCase();
  return owners.find(([names]) => names.test(text))?.[1] ?? portable;
}
