import { recordOf, type UnknownRecord } from "@mdx-ai/base";
import type { MessageBuilder } from "./message-builder.ts";
import type { ModelRequest } from "./types/language-model.ts";
import type { AssistantContent, ImageContent, TextContent, Usage } from "./types/message.ts";

/** A number of tokens as a provider sends it; undefined for anything else. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The counts of an answer; unknown ones may be undefined. */
export type TokenCounts = { readonly [Name in keyof Usage]?: number | undefined };

/** The counts that are known, for a message builder, which keeps what it knew of the others. */
export function knownCounts(counts: TokenCounts): Partial<Usage> {
  const { input, output, cacheRead, cacheWrite, thinking } = counts;
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(thinking !== undefined && { thinking }),
  };
}

/** All input tokens of a usage, cached ones included. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/**
 * Counts of an answer, as vendors of OpenAI's protocols send them: prompts include what was cached, answers include thinking. If they do
 * not (xAI, Gemini), the total shows it.
 */
export function readOpenAiUsage(usage: UnknownRecord): Partial<Usage> {
  const prompt = tokenCount(usage["prompt_tokens"]);
  const completion = tokenCount(usage["completion_tokens"]);
  if (prompt === undefined && completion === undefined) return {};
  const { cached_tokens, cache_write_tokens } = recordOf(usage["prompt_tokens_details"]);
  const cached = [cached_tokens, usage["prompt_cache_hit_tokens"], usage["cached_tokens"], usage["num_cached_tokens"]];
  const cacheRead = firstCount(cached);
  const cacheWrite = firstCount([cache_write_tokens]);
  const beyond = Math.max(0, firstCount([usage["total_tokens"]]) - (prompt ?? 0) - (completion ?? 0));
  const thinking = tokenCount(recordOf(usage["completion_tokens_details"])["reasoning_tokens"]) ?? beyond;
  const output = (completion ?? 0) + beyond;
  return {
    input: Math.max(0, (prompt ?? 0) - cacheRead - cacheWrite),
    output,
    cacheRead,
    cacheWrite,
    thinking: Math.min(thinking, output),
  };
}

/** Counts of an answer as the responses interface sends them, under other names. */
export const readResponseUsage = (usage: UnknownRecord): Partial<Usage> =>
  readOpenAiUsage({
    prompt_tokens: usage["input_tokens"],
    completion_tokens: usage["output_tokens"],
    total_tokens: usage["total_tokens"],
    prompt_tokens_details: usage["input_tokens_details"],
    completion_tokens_details: usage["output_tokens_details"],
  });

function firstCount(values: readonly unknown[]): number {
  return values.map(tokenCount).find((count) => count !== undefined) ?? 0;
}

type Block = AssistantContent | TextContent | ImageContent;

/**
 * Counts a whole answer by an estimate if its provider sent no usage: limits and prices need a figure. The estimator is
 * loaded for it.
 */
export async function estimateUncounted(builder: MessageBuilder, request: ModelRequest): Promise<void> {
  if (builder.isCounted) return;
  const { estimateTokens, IMAGE_TOKENS } = await import("./tokens/estimate-tokens.ts");
  const { system, tools, messages } = request;
  const sent = messages.flatMap(({ content }): readonly Block[] => content);
  const images = sent.filter(({ type }) => type === "image").length;
  const head = tools.length === 0 ? system : system + JSON.stringify(tools);
  builder.count({
    input: estimateTokens(head + sent.map(textOf).join("\n")) + images * IMAGE_TOKENS,
    output: estimateTokens(builder.content.map(textOf).join("\n")),
    thinking: estimateTokens(
      builder.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    ),
    estimated: true,
  });
}

function textOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "toolCall":
      return block.name + (block.malformed ?? JSON.stringify(block.arguments));
    case "image":
      return "";
  }
}
