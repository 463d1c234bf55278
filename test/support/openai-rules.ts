/** A vendor that the test server can stand for. */
export type RuledVendor =
  | "openai"
  | "azure"
  | "gemini"
  | "mistral"
  | "openrouter"
  | "groq"
  | "deepseek"
  | "xai"
  | "ollama";

/** What servers of one vendor accept beyond, or short of, what OpenAI's own do. */
export interface VendorRules {
  /** Names of fields of a request. Where both token limits are among them, one at a time is accepted. */
  readonly fields: readonly string[];
  readonly callId: RegExp;
  /** Fields of assistant messages and of calls that OpenAI does not know. */
  readonly extras: readonly string[];
  /** Whether a message of the user may follow a tool's result. */
  readonly userAfterTool: boolean;
  /** Whether images may stand in a tool's result. */
  readonly toolImages: boolean;
  /** Whether an answer that calls tools must bring `reasoning_content`. */
  readonly demandsReasoning: boolean;
  /** Whether the first call of an answer must bring the signature that came with it. */
  readonly demandsSignature: boolean;
}

const every = ["model", "messages", "tools", "stream", "temperature"];

const openai: VendorRules = {
  fields: [...every, "stream_options", "max_tokens", "max_completion_tokens", "reasoning_effort"],
  callId: /^.{1,40}$/s,
  extras: [],
  userAfterTool: true,
  toolImages: false,
  demandsReasoning: false,
  demandsSignature: false,
};

/** Servers of others at the address of OpenAI's: thinking may come back in the field in which it went out. */
const compatible: VendorRules = { ...openai, extras: ["reasoning_content", "reasoning", "reasoning_text"] };

const max = [...every, "stream_options", "max_tokens"];

/** Rules by vendor; `azure` are those of its first version here. */
export const vendorRules: Readonly<Record<RuledVendor, VendorRules>> = {
  openai: compatible,
  azure: { ...openai, fields: [...every, "max_tokens"] },
  gemini: {
    ...openai,
    fields: [...max, "max_completion_tokens", "reasoning_effort", "extra_body"],
    extras: ["extra_content"],
    demandsSignature: true,
  },
  mistral: {
    ...openai,
    fields: [...every, "max_tokens", "reasoning_effort"],
    callId: /^[a-zA-Z0-9]{9}$/,
    userAfterTool: false,
    toolImages: true,
  },
  openrouter: { ...openai, fields: [...max, "reasoning"], extras: ["reasoning_details"] },
  groq: { ...openai, fields: [...max, "max_completion_tokens", "reasoning_effort"] },
  deepseek: {
    ...openai,
    fields: [...max, "reasoning_effort", "thinking"],
    extras: ["reasoning_content"],
    demandsReasoning: true,
  },
  xai: openai,
  ollama: { ...compatible, fields: [...max, "reasoning_effort"] },
};

/** Rules of Azure by the versions of its interface that the test server knows; a newer one knows more fields. */
export const azureVersions: Readonly<Record<string, VendorRules>> = {
  "2024-02-01": vendorRules.azure,
  "2024-10-21": { ...openai, fields: [...max, "max_completion_tokens"] },
  "2025-01-01": openai,
};
