import { recordOf, type UnknownRecord } from "@mdx-ai/base";
import type { MessageBuilder } from "./message-builder.ts";
import type { ModelRequest } from "./types/language-model.ts";
import type { AssistantContent, ImageContent, TextContent, Usage } from "./types/message.ts";

/** A provider's token count; undefined if the value is not one. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Token counts of an answer; unknown ones may be undefined. */
export type TokenCounts = { readonly [Name in keyof Usage]?: number | undefined };

/** The known counts, for a message builder, which keeps earlier values for the others. */
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

/** All input tokens of a usage, including cached ones. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/**
 * Counts in the format of OpenAI's protocols: prompts include cached tokens, answers include thinking. If they do not (xAI, Gemini), the
 * total reveals it.
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

/** Counts in the format of the responses interface, which names them differently. */
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

/** Estimates the counts of a complete answer whose provider sent none, for limits and prices. Loads the estimator. */
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
