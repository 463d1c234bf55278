import type { Configuration, ConfigurationValues } from "./configuration.ts";

type FieldName = keyof ConfigurationValues;

/** What one source says, and how it is named for each of its fields. */
export interface Layer {
  readonly values: Configuration;
  origin(field: FieldName): string;
  /** Whose models are meant by names that do not tell it; the source itself says no vendor. */
  readonly guess: "none" | "detected" | "detected or openai";
}

/** Flags that are not called as their field is. */
const flags: Partial<Readonly<Record<FieldName, string>>> = {
  temperature: "--temp",
  max_tokens: "--max-tokens",
  reasoning_effort: "--effort",
  stream: "--no-stream",
  offline: "--no-offline",
};

/** The flag of the command line that sets a field. */
export const flagOf = (field: FieldName): string => flags[field] ?? `--${field}`;

const variables: Partial<Readonly<Record<FieldName, string>>> = { vendor: "LLM_VENDOR", model: "LLM_MODEL" };

export const flagLayer = (values: Configuration): Layer => ({
  values,
  origin: (field) => `flag ${flagOf(field)}`,
  guess: "none",
});

/** Of a file or a variable that holds a whole configuration. */
export const configurationLayer = (values: Configuration, name: string): Layer => ({
  values: hasConnectionAlone(values) ? { ...values, vendor: "openai" } : values,
  origin: () => name,
  guess: "detected or openai",
});

/** A key or an address without a word of whose it is: the usual vendor's, so that no other ever gets it. */
const hasConnectionAlone = ({ vendor, model, api_key: key, base_url: address }: Configuration): boolean =>
  vendor === undefined && model === undefined && (key !== undefined || address !== undefined);

export const environmentLayer = (values: Configuration): Layer => ({
  values,
  origin: (field) => `environment ${variables[field] ?? field}`,
  guess: "detected",
});

/** Of the frontmatter. Whatever else the values hold, keys and addresses are the user's alone. */
export const authorLayer = ({ vendor, api_key, base_url, api_version, ...values }: Configuration): Layer => ({
  values,
  origin: () => "agent.mdx",
  guess: "none",
});
