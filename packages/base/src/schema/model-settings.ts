import type { Schema } from "./schema.ts";
import { positive, truthOf, whole } from "./schema-parts.ts";

const modelReference: Schema = { type: "string", minLength: 1, pattern: "^\\S+$" };

type ModelSetting =
  | "model"
  | "temperature"
  | "max_tokens"
  | "thinking"
  | "reasoning_effort"
  | "stream"
  | "retries"
  | "timeout"
  | "offline";

/** The settings of the model, in an agent's frontmatter and in a model configuration. Few starts need them. */
export const modelSettings = (): Readonly<Record<ModelSetting, Schema>> => ({
  model: {
    title: "a model such as `anthropic/claude-sonnet-5-5`, or a list of models",
    description: "Vendor and model, separated by a slash; in a list, each is the fallback of the one before it.",
    ...modelReference,
    type: ["string", "array"],
    items: { title: "a model such as `anthropic/claude-sonnet-5-5`", ...modelReference },
    minItems: 1,
  },
  temperature: {
    title: "a number from 0 to 2",
    description: "The sampling temperature; sent only if set.",
    type: "number",
    minimum: 0,
    maximum: 2,
  },
  max_tokens: whole("The longest answer of the model, in tokens."),
  thinking: {
    title: "`adaptive`, `off` or `{budget: TOKENS}`",
    description: "How the model thinks before it answers; default: the model's default.",
    type: ["string", "object"],
    pattern: "^(adaptive|off)$",
    additionalProperties: false,
    properties: { budget: whole("Tokens that the model may think for.") },
    required: ["budget"],
    examples: ["adaptive", "off"],
  },
  reasoning_effort: {
    title: "a word such as `low`, `medium` or `high`",
    description: "How much effort to spend on reasoning, in the vendor's words.",
    type: "string",
    pattern: "^\\S+$",
    examples: ["low", "medium", "high"],
  },
  stream: truthOf("Whether to stream answers; default true."),
  retries: {
    title: "a whole number from 0 to 10, or a list of up to 10 numbers of seconds such as `[5, 15, 45]`",
    description: "How often a failed model call is repeated, or the waits before each repetition; default 2.",
    type: ["integer", "array"],
    minimum: 0,
    maximum: 10,
    items: { title: "a number of seconds from 0 to 3600", type: "number", minimum: 0, maximum: 3600 },
    minItems: 1,
    maxItems: 10,
  },
  timeout: positive(
    "a number of seconds above 0, up to 86400",
    "How long a model may be silent before its answer counts as broken; default: 120 seconds, or 600 without `stream`.",
    86_400,
  ),
  offline: truthOf("Whether the offline model answers if no model is configured; default true."),
});
