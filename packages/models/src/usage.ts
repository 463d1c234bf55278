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
