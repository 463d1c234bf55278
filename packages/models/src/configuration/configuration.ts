import type { ModelTarget } from "../open-model.ts";
import type { Api } from "../prices/model-api.ts";
import type { Thinking } from "../types/language-model.ts";
import type { Sourced } from "../types/settings.ts";
import type { Access } from "../vendors/access.ts";

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

/** A model of a configuration. */
export interface ResolvedModel {
  /** As the user may write it, such as "openai/gpt-5.4". */
  readonly reference: Sourced<string>;
  /** The same, understood, with the way to its vendor. Its key is secret: never to be shown. */
  readonly target: ModelTarget;
}

/** The way to a model's vendor; absent if it is no vendor's. */
export const accessOf = ({ target }: ResolvedModel): Access | undefined =>
  target.provider === "vendor" ? target.access : undefined;

/** What all sources say together. Frozen. */
export interface ResolvedConfiguration {
  /** The model and its fallbacks; empty if none is configured and the offline model is forbidden. */
  readonly models: readonly ResolvedModel[];
  /** The keys that sources hold, those of other vendors included. Secret: never to be shown. */
  readonly keys: readonly string[];
  readonly temperature: Sourced<number> | undefined;
  readonly max_tokens: Sourced<number> | undefined;
  readonly thinking: Sourced<Thinking> | undefined;
  readonly reasoning_effort: Sourced<string> | undefined;
  readonly stream: Sourced<boolean>;
  readonly retries: Sourced<number | readonly number[]>;
  readonly timeout: Sourced<number>;
}
