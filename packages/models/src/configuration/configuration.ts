import { modelSettings, type Schema, wordOf } from "@mdx-ai/base/schema";
import type { ModelTarget } from "../model-reference.ts";
import type { Thinking } from "../types/language-model.ts";
import type { Access, Api, Sourced } from "../vendors/access.ts";
import { vendorNamed, vendors } from "../vendors/vendors.ts";

/** All configuration fields, with their names. */
export interface ConfigurationValues {
  /** The vendor of `model`, `api_key`, `base_url`, `api_version` and `api`. */
  readonly vendor: string;
  /** A model, or a list in fallback order. */
  readonly model: string | readonly string[];
  readonly api_key: string;
  readonly base_url: string;
  /** Azure's API version. */
  readonly api_version: string;
  /** Which OpenAI interface to use. */
  readonly api: Api;
  readonly temperature: number;
  readonly max_tokens: number;
  /** Seconds of silence after which an answer counts as broken. */
  readonly timeout: number;
  readonly thinking: Thinking;
  readonly reasoning_effort: string;
  readonly stream: boolean;
  /** The number of retries of a model call, or the seconds before each. */
  readonly retries: number | readonly number[];
  /** Whether to use the offline model if no model is configured. */
  readonly offline: boolean;
}

/** The fields that one source sets. */
export type Configuration = Partial<ConfigurationValues>;

/** The fields that an agent's author may set; keys and addresses are reserved for the user. */
export type AuthorConfiguration = Omit<Configuration, "vendor" | "api_key" | "base_url" | "api_version" | "api">;

/** The schema of a configuration in any format. */
export function configurationSchema(): Schema<Configuration> {
  const vendorNames = vendors.map(({ name }) => name);
  const settings = modelSettings();
  return {
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
        ...settings.model,
        title: "a model such as `anthropic/claude-sonnet-5-5`, or a list of up to 10",
        // Script paths may contain blanks.
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
      api: wordOf("Which OpenAI interface to use.", ["chat", "responses"]),
      temperature: settings.temperature,
      max_tokens: settings.max_tokens,
      timeout: settings.timeout,
      thinking: settings.thinking,
      reasoning_effort: settings.reasoning_effort,
      stream: settings.stream,
      retries: settings.retries,
      offline: settings.offline,
    },
  };
}

/** Splits a text such as `a, b` into models; undefined if one is empty or there are too many. Use another source for paths with commas. */
export function modelList(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return names.includes("") || names.length > 10 ? undefined : names;
}

/** A model of a configuration. */
export interface ResolvedModel {
  /** As the user writes it, such as "openai/gpt-5.4". */
  readonly reference: Sourced<string>;
  /** The parsed reference with the connection to its vendor. Contains the key: never show it. */
  readonly target: ModelTarget;
}

/** The connection to a model's vendor; absent if the model has no vendor. */
export const accessOf = ({ target }: ResolvedModel): Access | undefined =>
  target.provider === "vendor" ? target.access : undefined;

/** The combined configuration of all sources. Frozen. */
export interface ResolvedConfiguration {
  /** The model and its fallbacks; empty if none is configured and the offline model is disabled. */
  readonly models: readonly ResolvedModel[];
  /** The keys of all sources, vendors and models. Never show them. */
  readonly keys: readonly string[];
  readonly temperature: Sourced<number> | undefined;
  readonly max_tokens: Sourced<number> | undefined;
  readonly thinking: Sourced<Thinking> | undefined;
  readonly reasoning_effort: Sourced<string> | undefined;
  readonly stream: Sourced<boolean>;
  readonly retries: Sourced<number | readonly number[]>;
  readonly timeout: Sourced<number>;
}
