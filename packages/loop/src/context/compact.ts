import type { LanguageModel, Message, ModelParameters, UserMessage } from "@mdx-ai/models";
import type { Compaction, Conversation, KeptContent, SkillMarks } from "../types/compaction.ts";
import type { CompactionOutcome } from "./compaction-outcome.ts";
import { type KnownSkills, keptContent, type Parts } from "./kept-content.ts";
import { olderText } from "./older-text.ts";
import { type MeterOptions, RequestMeter, type RequestSize } from "./request-meter.ts";
import {
  type ContextPolicy,
  contentSize,
  lengthOf,
  type Measure,
  messageSize,
  messagesSize,
  type RequestHead,
  tokenEstimate,
} from "./sent-messages.ts";
import { askSummary, summaryMessage, summaryRequest } from "./summary.ts";

export interface CompactOptions extends SkillMarks {
  readonly model: LanguageModel;
  /** The parameters of the request, without the output limit, which applies to normal answers only. */
  readonly parameters: ModelParameters;
  /** The system prompt and the tools of the conversation's requests. */
  readonly head: RequestHead;
  readonly policy: ContextPolicy;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How much of the newest messages stays: in tokens, and as a share of the window or, if smaller, of the request. */
const TAIL = { most: 20_000, share: 0.25, lastTurn: 0.5 } as const;
/** How much is summarised at a time, as a share of the same: estimates may be low, and the summary needs space. */
const OLDER_SHARE = 0.6;
/** Below this saving in tokens, a summary is not worthwhile. */
const WORTHLESS = 100;

/**
 * Asks the model to summarise the older part of a conversation, and resolves to the replacement. Does not change the
 * conversation. Resolves to undefined if nothing can be replaced. Asks the model at most once. Never rejects.
 */
export async function compact(
  conversation: Conversation,
  options: CompactOptions,
): Promise<CompactionOutcome | undefined> {
  const { head, policy } = options;
  const yardstick = await requestYardstick({ ...head, conversation, policy });
  const { measure, size } = yardstick;
  const room = Math.min(policy.window ?? Number.POSITIVE_INFINITY, size.tokens);
  const skills: KnownSkills = {
    keeps: (call) => options.keeps(call),
    isContext: (text) => options.isContext(text),
    skillTexts: await options.skillTexts(),
  };
  const parts = partsOf(conversation, room, measure);
  const kept = keptContent(parts, skills);
  if (sizeToGain(parts, kept, measure) < WORTHLESS) return undefined;

  const older = olderText(parts, skills, { room: room * OLDER_SHARE, measure });
  const request = summaryRequest(older, forSummary(options.parameters), options.now());
  const answered = await askSummary(options.model, request, options);
  if (!("summary" in answered)) return answered;
  const { summary, answer } = answered;
  const timestamp = options.now();
  const made = lengthOf(conversation);
  const compaction: Compaction = {
    summary,
    kept,
    message: summaryMessage(summary, kept, timestamp),
    replaced: made - parts.tail.length,
    made,
    before: size.tokens,
    after: 0,
    measured: size.measured,
    answer,
    timestamp,
  };
  const after = await yardstick.sizeWith({ ...conversation, compaction });
  return after < size.tokens ? { ...compaction, after } : { reason: NOT_SHORTER, answer };
}

const NOT_SHORTER = "the summary is no shorter than the messages it would replace";

function partsOf({ first, messages, compaction }: Conversation, room: number, measure: Measure): Parts {
  const from = Math.max(0, (compaction?.replaced ?? 0) - first);
  const bounds = { from, room: Math.min(TAIL.most, room * TAIL.share), lastTurnRoom: room * TAIL.lastTurn };
  const end = replacedPart(messages, bounds, measure);
  // The input that the last compaction kept is now an ordinary older message.
  const input = compaction && end > from ? earlierInput(compaction) : [];
  return { earlier: compaction, older: [...input, ...messages.slice(from, end)], tail: messages.slice(end) };
}

function earlierInput({ kept, timestamp }: Compaction): readonly UserMessage[] {
  return kept.flatMap(({ kind, content }) => (kind === "input" ? [{ role: "user", content, timestamp }] : []));
}

/** The maximum tokens that a summary can save beyond the previous one. */
function sizeToGain({ earlier, older }: Parts, kept: readonly KeptContent[], measure: Measure): number {
  if (older.length === 0) return 0;
  // The kept input is among the older messages.
  const skills = earlier?.kept.filter(({ kind }) => kind === "skill") ?? [];
  return messagesSize(older, measure) + keptSize(skills, measure) - keptSize(kept, measure);
}

const keptSize = (kept: readonly KeptContent[], measure: Measure): number =>
  kept.reduce((size, { content }) => size + contentSize(content, measure), 0);

function forSummary({ maxTokens: _, webSearch: __, ...parameters }: ModelParameters): ModelParameters {
  return parameters;
}

/** How much of the newest messages stays unchanged, in tokens. */
interface TailBounds {
  /** Where an earlier compaction ended: nothing before this index is sent. */
  readonly from: number;
  /** The limit for the tail. */
  readonly room: number;
  /** The limit for the last turn, so that a model sees the results that it requested. */
  readonly lastTurnRoom: number;
}

/**
 * The index up to which messages are replaced; `from` if all can stay. The tail begins with a message of the user or
 * of the model, so that no call is separated from its results. If even the last turn is too large, nothing stays.
 */
function replacedPart(messages: readonly Message[], bounds: TailBounds, measure: Measure): number {
  const { from, room, lastTurnRoom } = bounds;
  let size = 0;
  let start = messages.length;
  for (let index = messages.length - 1; index >= from; index--) {
    const message = messages[index];
    if (message === undefined) break;
    size += messageSize(message, measure);
    if (size > (start === messages.length ? Math.max(room, lastTurnRoom) : room)) break;
    if (message.role !== "toolResult") start = index;
  }
  return start;
}

/** The size of a request, and the estimate scaled to the provider's counts. */
interface Yardstick {
  readonly size: RequestSize;
  readonly measure: Measure;
  /** The tokens of the same request with another conversation. */
  sizeWith(conversation: Conversation): Promise<number>;
}

/** Some servers count only uncached tokens; such a count cannot be trusted. */
const MIN_SHARE = 0.5;

/** Tokenizers differ, so the provider's count determines how to scale the estimate. */
async function requestYardstick(options: MeterOptions): Promise<Yardstick> {
  const meter = new RequestMeter(options);
  const [counted, estimated, estimate] = await Promise.all([meter.size(), meter.estimate(), tokenEstimate()]);
  const isTrusted = counted.tokens >= estimated * MIN_SHARE;
  const scale = isTrusted ? counted.tokens / estimated : 1;
  return {
    size: isTrusted ? counted : { tokens: estimated, measured: "estimate" },
    measure: { text: (text) => estimate.text(text) * scale, image: estimate.image * scale },
    sizeWith: async (conversation) =>
      Math.ceil((await new RequestMeter({ ...options, conversation }).estimate()) * scale),
  };
}
