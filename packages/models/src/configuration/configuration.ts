import { modelSettings, type Schema, wordOf } from "@mdx-ai/base/schema";
import type { ModelTarget } from "../model-reference.ts";
import type { Thinking } from "../types/language-model.ts";
import type { Access, Api, Sourced } from "../vendors/access.ts";
import { vendorNamed, vendors } from "../vendors/vendors.ts";

/** All that a configuration may say, under the names of its fields. */
export interface ConfigurationValues {
  /** The vendor of `model`, and whose `api_key`, `base_url`, `api_version` and `api` these are. */
  readonly vendor: string;
  /** A model; in a list, each is the fallback of the one before it. */
  readonly model: string | readonly string[];
  readonly api_key: string;
  readonly base_url: string;
  /** Azure's version of its interface. */
  readonly api_version: string;
  /** Which of OpenAI's interfaces is asked. */
  readonly api: Api;
  readonly temperature: number;
  readonly max_tokens: number;
  /** Seconds of silence after which an answer counts as broken. */
  readonly timeout: number;
  readonly thinking: Thinking;
  readonly reasoning_effort: string;
  readonly stream: boolean;
  /** How often a failed model call is repeated, or the seconds before each repetition. */
  readonly retries: number | readonly number[];
  /** Whether the offline model answers if no model is configured. */
  readonly offline: boolean;
}

/** What one source says. */
export type Configuration = Partial<ConfigurationValues>;

/** What an agent's author may say; keys and addresses are the user's alone. */
export type AuthorConfiguration = Omit<Configuration, "vendor" | "api_key" | "base_url" | "api_version" | "api">;

const vendorNames = vendors.map(({ name }) => name);

/** What a configuration may say, whatever it is written in. */
export const configurationSchema: Schema<Configuration> = {
  title: "a map of fields",
  type: "object",
  additionalProperties: false,
  properties: {
    vendor: {
      title: `one of ${vendorNames.join(", ")}`,
      type: "string",
      examples: vendorNames,
      accepts: (value) => typeof value === "string" && vendorNamed(value) !== undefined,
      hintFor: (value) =>
        value === "langchain"
          ? "use a provider of the AI SDK instead: model ai-sdk:PACKAGE#NAME, without a vendor"
          : undefined,
    },
    model: {
      ...modelSettings.model,
      title: "a model such as `anthropic/claude-sonnet-5-5`, or a list of up to 10",
      // Paths of scripts may have blanks.
      pattern: "\\S",
      items: { title: "a model", type: "string", pattern: "\\S" },
      maxItems: 10,
    },
    api_key: { title: "a text", type: "string", pattern: "\\S", isSecret: true },
    base_url: {
      title: "an http or https URL",
      type: "string",
      isSecret: true,
      accepts: (value) => /^https?:$/.test(URL.parse(String(value))?.protocol ?? ""),
    },
    api_version: { title: "a version such as 2024-02-01", type: "string", pattern: "^\\S+$" },
    api: wordOf("Which of OpenAI's interfaces is asked.", ["chat", "responses"]),
    temperature: modelSettings.temperature,
    max_tokens: modelSettings.max_tokens,
    timeout: modelSettings.timeout,
    thinking: modelSettings.thinking,
    reasoning_effort: modelSettings.reasoning_effort,
    stream: modelSettings.stream,
    retries: modelSettings.retries,
    offline: modelSettings.offline,
  },
};

/** The models of a text such as `a, b`; undefined if one is empty or they are too many. Paths with commas can only come from other sources. */
export function modelList(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return names.includes("") || names.length > 10 ? undefined : names;
}

/** A model of a configuration. */
export interface ResolvedModel {
  /** As the user may write it, such as "openai/gpt-5.4". */
  readonly reference: Sourced<string>;
  /** The same, parsed, with how its vendor is reached. The key is secret: never to be shown. */
  readonly target: ModelTarget;
}

/** How a model's vendor is reached; absent if the model has no vendor. */
export const accessOf = ({ target }: ResolvedModel): Access | undefined =>
  target.provider === "vendor" ? target.access : undefined;

/** What all sources say together. Frozen. */
export interface ResolvedConfiguration {
  /** The model and its fallbacks; empty if none is configured and the offline model is forbidden. */
  readonly models: readonly ResolvedModel[];
  /** The keys of all sources and of the models, also of vendors that no model needs. Secret: never to be shown. */
  readonly keys: readonly string[];
  readonly temperature: Sourced<number> | undefined;
  readonly max_tokens: Sourced<number> | undefined;
  readonly thinking: Sourced<Thinking> | undefined;
  readonly reasoning_effort: Sourced<string> | undefined;
  readonly stream: Sourced<boolean>;
  readonly retries: Sourced<number | readonly number[]>;
  readonly timeout: Sourced<number>;
}
