import { ModelError } from "./errors.ts";
import type { FinishReason } from "./message-builder.ts";

/** How an answer ended according to its server; "failed" if the server or model failed, so that a retry may succeed. */
export type Finish = FinishReason | "failed";

/**
 * Stop reasons of all protocols in lower case, since servers of one protocol pass on those of the model behind them. Sources: OpenAI's and
 * Anthropic's references; Mistral (`model_length`, `error`), DeepSeek (`insufficient_system_resource`), z.ai (`sensitive`,
 * `network_error`), Google's `FinishReason`, Cohere (`complete`, `error_toxic`), Bedrock (`guardrail_intervened`, `content_filtered`),
 * text-generation-inference (`eos_token`), the AI SDK (`tool-calls`), and values seen from gateways and local servers.
 */
const words: Readonly<Record<Finish, string>> = {
  stop: "stop end_turn stop_sequence eos eos_token end_of_text end_of_turn end complete completed finish finished done success",
  toolUse: "tool_calls tool_call tool_use function_call function_calls tool-calls tooluse",
  length:
    "length max_tokens model_length max_length max_output_tokens max_completion_tokens max_new_tokens token_limit token_limit_reached output_limit limit incomplete truncated",
  pause: "pause_turn",
  refusal:
    "refusal refused content_filter content-filter content_filtered content_filter_error safety recitation blocklist prohibited_content spii language image_safety image_prohibited_content image_recitation image_other model_armor guardrail_intervened guardrails sensitive error_toxic moderation blocked",
  contextExceeded: "model_context_window_exceeded context_length_exceeded context_window_exceeded",
  failed:
    "error network_error server_error insufficient_system_resource malformed_function_call malformed_tool_call malformed_model_output unexpected_tool_call too_many_tool_calls missing_thought_signature no_image image_error error_limit overloaded timeout failed interrupted",
};

/** The end for a stop reason; undefined if the reason is unknown. */
export function finishOf(word: string): Finish | undefined {
  const name = word
    .trim()
    .toLowerCase()
    .replace(/^finish_?reason[_.]/, "");
  const isNamed = (finish: Finish): boolean => words[finish].split(" ").includes(name);
  return finishes.find(isNamed) ?? PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1];
}

const finishes: readonly Finish[] = ["stop", "toolUse", "length", "pause", "refusal", "contextExceeded", "failed"];

/** Stop reasons that continue with details, such as Gemini's `content_filter: SAFETY`. */
const PREFIXES: readonly (readonly [string, Finish])[] = [
  ["content_filter", "refusal"],
  ["function_call_filter", "failed"],
  ["malformed_", "failed"],
  ["image_", "refusal"],
];

/** Values that servers send as reason while an answer continues. */
export function saidReason(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const said = value.trim();
  return NO_REASON.has(said.toLowerCase()) ? undefined : said;
}

const NO_REASON: ReadonlySet<string> = new Set(["", "null", "none", "undefined", "finish_reason_unspecified"]);

/** A server's stop reason: how the answer ended, or an unknown word. */
export type SaidEnd = { readonly finish: FinishReason } | { readonly unknown: string };

/** Reads a stop reason; undefined if the value is none. Throws `ModelError` if it reports a failure of the server or model. */
export function readReason(value: unknown, vendor: string): SaidEnd | undefined {
  const said = saidReason(value);
  if (said === undefined) return undefined;
  const finish = finishOf(said);
  if (finish === "failed") throw new ModelError(`${vendor} stopped with ${said}`, { kind: said, isTransient: true });
  return finish === undefined ? { unknown: said } : { finish };
}

/** The warning for an unknown stop reason. */
export const unknownReason = (vendor: string, reason: string): string =>
  `${vendor} stopped for an unknown reason (${reason.slice(0, MAX_SHOWN)}); its answer is used as it is`;

const MAX_SHOWN = 80;

/** The more serious of two ends: a repeated reason does not make a truncated answer complete. */
export function graverFinish(before: FinishReason | undefined, next: FinishReason): FinishReason {
  return before === undefined || before === "stop" || before === "toolUse" ? next : before;
}
