import type { Environment } from "@mdx-ai/base";

/** A company or program that serves models. */
export interface Vendor {
  /** As in `name/MODEL`. */
  readonly name: string;
  /** Its wire protocol. */
  readonly protocol: "anthropic" | "openai" | "azure";
  /** Variables for the key, of which the first that is set counts; empty if the server needs none. */
  readonly keyVariables: readonly string[];
  /** The variable for another address. */
  readonly urlVariable: string;
  /** Empty if each user has a different address. */
  readonly url: string;
  /** The default model; empty if the vendor has none that all users can use. */
  readonly model: string;
  /** Prefixes of model names that imply this vendor. */
  readonly prefixes: readonly string[];
}

/** All vendors, in the order their keys are looked up. */
export const vendors: readonly Vendor[] = [
  {
    name: "anthropic",
    protocol: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    urlVariable: "ANTHROPIC_BASE_URL",
    url: "https://api.anthropic.com",
    model: "claude-sonnet-5-5",
    prefixes: ["claude-"],
  },
  {
    name: "openai",
    protocol: "openai",
    keyVariables: ["OPENAI_API_KEY"],
    urlVariable: "OPENAI_BASE_URL",
    url: "https://api.openai.com/v1",
    model: "gpt-5.4",
    prefixes: ["gpt-", "o1", "o3", "o4"],
  },
  {
    name: "gemini",
    protocol: "openai",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    urlVariable: "GEMINI_BASE_URL",
    url: "https://generativelanguage.googleapis.com/v1beta/openai",
    model: "gemini-3.8-flash",
    prefixes: ["gemini-"],
  },
  {
    name: "mistral",
    protocol: "openai",
    keyVariables: ["MISTRAL_API_KEY"],
    urlVariable: "MISTRAL_BASE_URL",
    url: "https://api.mistral.ai/v1",
    model: "mistral-large-latest",
    prefixes: ["mistral-", "codestral-", "devstral-", "ministral-", "magistral-"],
  },
  {
    name: "openrouter",
    protocol: "openai",
    keyVariables: ["OPENROUTER_API_KEY"],
    urlVariable: "OPENROUTER_BASE_URL",
    url: "https://openrouter.ai/api/v1",
    model: "openrouter/auto",
    prefixes: [],
  },
  {
    name: "groq",
    protocol: "openai",
    keyVariables: ["GROQ_API_KEY"],
    urlVariable: "GROQ_BASE_URL",
    url: "https://api.groq.com/openai/v1",
    model: "llama-3.3-70b-versatile",
    prefixes: [],
  },
  {
    name: "deepseek",
    protocol: "openai",
    keyVariables: ["DEEPSEEK_API_KEY"],
    urlVariable: "DEEPSEEK_BASE_URL",
    url: "https://api.deepseek.com",
    model: "deepseek-flash",
    prefixes: ["deepseek-"],
  },
  {
    name: "xai",
    protocol: "openai",
    keyVariables: ["XAI_API_KEY"],
    urlVariable: "XAI_BASE_URL",
    url: "https://api.x.ai/v1",
    model: "grok-4.7",
    prefixes: ["grok-"],
  },
  {
    name: "azure",
    protocol: "azure",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    urlVariable: "AZURE_OPENAI_ENDPOINT",
    url: "",
    model: "",
    prefixes: [],
  },
  {
    name: "ollama",
    protocol: "openai",
    keyVariables: [],
    urlVariable: "OLLAMA_BASE_URL",
    url: "http://localhost:11434/v1",
    model: "",
    prefixes: [],
  },
];

/** The vendor with a name. */
export const vendorNamed = (name: string): Vendor | undefined => vendors.find((vendor) => vendor.name === name);

/** The first of a vendor's key variables that is set. */
export const keyVariableOf = ({ keyVariables }: Vendor, environment: Environment): string | undefined =>
  keyVariables.find((variable) => environment[variable]?.trim());

/** The first vendor with a default model whose key is set. */
export const detectedVendor = (environment: Environment): Vendor | undefined =>
  vendors.find((vendor) => vendor.model !== "" && keyVariableOf(vendor, environment) !== undefined);
