import { isBoundedJsonObject, isRecord, jsonValue, listOf, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import { unreadable } from "../errors.ts";
import { isSearch, searchText } from "../history/provider-search.ts";
import { type AnswerEvents, eventObject, statedError } from "../http/answer-reader.ts";
import { problemInPlace } from "../http/problem-in-place.ts";
import { UnreadFailure } from "../http/unread-failure.ts";
import type { Block } from "../message-block.ts";
import type { FinishReason, MessageBuilder } from "../message-builder.ts";
import { graverFinish, readReason, unknownReason } from "../stop-reasons.ts";
import type { Usage } from "../types/message.ts";
import { knownCounts, tokenCount } from "../usage.ts";

/** Which delta extends a block, and the field with its text. */
const growth = {
  text: { type: "text_delta", field: "text" },
  thinking: { type: "thinking_delta", field: "thinking" },
  toolCall: { type: "input_json_delta", field: "partial_json" },
} as const;

/** Characters kept of a refusal's explanation. */
const MAX_EXPLANATION = 1_000;

/** Reads the events of one answer into a message builder. Skips unknown events, blocks and deltas. */
export class StreamEvents implements AnswerEvents {
  readonly #builder: MessageBuilder;
  /** By the provider's index; blocks of unknown types leave gaps. */
  readonly #blocks: (Block | undefined)[] = [];
  /** The indexes of ended blocks. */
  readonly #closed = new Set<number>();
  /** Whether `[DONE]`, the end mark of other protocols, has arrived. */
  #isDone = false;
  #finishReason: FinishReason | undefined;
  /** An unknown stop reason. */
  #unknownWord: string | undefined;
  /** The provider's explanation of a refusal. */
  #refusalText = "";
  #isWhole = false;
  /** The text that a block after it may continue: a text with citations comes in pieces. */
  #resting: Block | undefined;
  #hasSearched = false;
  /** The addresses that the answer cites. */
  readonly #cited = new Set<string>();
  /** By block, what an answer cites there that it has not cited before. */
  readonly #citing = new Map<Block, string[]>();
  /** Blocks of searches that are arriving, as they were received. */
  readonly #searches = new Map<Block, SearchBlock>();

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  /** Whether `message_stop` has arrived. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Some servers end with the reason or `[DONE]` instead of `message_stop`; without any of these the answer broke off. */
  end(): void {
    if (!this.#isWhole && (this.#hasReason || (this.#isDone && this.#isPresent))) this.#finish();
  }

  read(data: string): void {
    const event = this.#isWhole ? undefined : eventObject(data, "anthropic");
    if (event === undefined) {
      this.#isDone ||= data.trim() === "[DONE]";
      return;
    }
    // A fast path: most events of a long answer have this type.
    const { type, index, delta } = event;
    const block = type === "content_block_delta" ? this.#blocks[Number(index)] : undefined;
    if (block?.type === "text" && isTextDelta(delta)) this.#builder.append(block, delta.text);
    else this.take(event);
  }

  /** Reads one event. Throws `ModelError` for an `error` event. */
  take(event: UnknownRecord): void {
    switch (event["type"]) {
      case "content_block_delta":
        this.#grow(this.#blocks[Number(event["index"])], recordOf(event["delta"]));
        break;
      case "content_block_start":
        this.#blocks[Number(event["index"])] = this.#open(recordOf(event["content_block"]));
        break;
      case "content_block_stop":
        this.#close(Number(event["index"]));
        break;
      case "message_start":
        this.#builder.start();
        this.#builder.answeredBy(recordOf(event["message"])["model"]);
        this.#builder.count(readUsage(recordOf(recordOf(event["message"])["usage"])));
        break;
      case "message_delta":
        this.#end(recordOf(event["delta"]));
        this.#builder.count(readUsage(recordOf(event["usage"])));
        break;
      case "message_stop":
        this.#finish();
        break;
      case "error":
        throw new UnreadFailure(({ streamFailure }) => streamFailure(event["error"], "anthropic"));
      case undefined:
        // Gateways report their failures without the protocol's frame.
        throwStated(statedError(event) ?? problemInPlace(event));
    }
  }

  #end({ stop_reason, stop_details }: UnknownRecord): void {
    const said = readReason(stop_reason, "anthropic");
    if (said !== undefined && "unknown" in said) this.#unknownWord = said.unknown;
    else if (said !== undefined) this.#finishReason = graverFinish(this.#finishReason, said.finish);
    const explanation = textOf(recordOf(stop_details)["explanation"]).replace(/\s+/g, " ").trim();
    if (explanation !== "") this.#refusalText = explanation.slice(0, MAX_EXPLANATION);
  }

  /** Whether an answer without a stop reason is complete: all blocks have ended. */
  get #isPresent(): boolean {
    return this.#closed.size > 0 && this.#blocks.every((_, index) => this.#closed.has(index));
  }

  get #hasReason(): boolean {
    return this.#finishReason !== undefined || this.#unknownWord !== undefined;
  }

  /** An empty answer must have a stop reason. */
  #finish(): void {
    if (!this.#hasReason && this.#blocks.length === 0) throw unreadable("anthropic sent no answer");
    this.#isWhole = true;
    if (this.#finishReason === undefined && this.#unknownWord !== undefined)
      this.#builder.warn(unknownReason("anthropic", this.#unknownWord));
    if (this.#finishReason === "refusal" && this.#refusalText !== "") this.#builder.refuse(this.#refusalText);
    else this.#builder.finish(this.#judged(this.#finishReason ?? "stop"));
  }

  /** Some servers send "end_turn" for calls. */
  #judged(reason: FinishReason): FinishReason {
    const hasCalls = this.#blocks.some((block) => block?.type === "toolCall");
    return reason === "stop" && hasCalls ? "toolUse" : reason;
  }

  #open(block: UnknownRecord): Block | undefined {
    const { type } = block;
    const continued = type === "text" ? this.#resting : undefined;
    if (continued === undefined && this.#resting !== undefined) this.#builder.close(this.#resting);
    this.#resting = undefined;
    if (isSearch(block)) return this.#openSearch(block);
    switch (type) {
      case "text":
        return this.#begin(continued ?? this.#builder.openText(), block["text"]);
      case "thinking":
        return this.#begin(this.#builder.openThinking(), block["thinking"], block["signature"]);
      case "redacted_thinking":
        return this.#builder.openThinking(textOf(block["data"]));
      case "tool_use":
        return this.#openCall({ id: textOf(block["id"]), name: textOf(block["name"]) }, block["input"]);
      default:
        return undefined;
    }
  }

  #openSearch(block: UnknownRecord): Block {
    const opened = this.#builder.openThinking();
    this.#hasSearched = true;
    this.#searches.set(opened, { block, json: "" });
    return opened;
  }

  /** Keeps a search as it was received, to be sent back. */
  #endSearch(opened: Block, { block, json }: SearchBlock): void {
    const input = jsonValue(json);
    const whole = isRecord(input) ? { ...block, input } : block;
    this.#builder.append(opened, searchText(whole));
    this.#builder.keep(opened, JSON.stringify(whole));
    this.#searches.delete(opened);
  }

  #cite(block: Block, { url }: UnknownRecord): void {
    if (typeof url !== "string" || this.#cited.has(url) || URL.parse(url) === null) return;
    this.#cited.add(url);
    this.#citing.set(block, [...(this.#citing.get(block) ?? []), url]);
  }

  /** Adds links to what a text cites; a text that another may continue stays open. */
  #endText(block: Block): void {
    const links = (this.#citing.get(block) ?? []).map(
      (url) => ` ([${new URL(url).host}](${new URL(url).href.replaceAll("(", "%28").replaceAll(")", "%29")}))`,
    );
    this.#citing.delete(block);
    if (links.length > 0) this.#builder.append(block, links.join(""));
    if (this.#hasSearched) this.#resting = block;
    else this.#builder.close(block);
  }

  /** An input in the opening event is an object, or its JSON text from some servers. */
  #openCall(call: { readonly id: string; readonly name: string }, input: unknown): Block {
    if (isBoundedJsonObject(input)) return this.#builder.openToolCall({ ...call, input });
    return this.#begin(this.#builder.openToolCall(call), typeof input === "string" ? input : jsonOf(input));
  }

  /** Some servers send the start of a block in its opening event. */
  #begin(block: Block, text: unknown, signature?: unknown): Block {
    if (text) this.#builder.append(block, textOf(text));
    if (signature) this.#builder.sign(block, textOf(signature));
    return block;
  }

  #grow(block: Block | undefined, delta: UnknownRecord): void {
    if (block === undefined) return;
    const search = this.#searches.get(block);
    if (search !== undefined) {
      search.json += delta["type"] === "input_json_delta" ? textOf(delta["partial_json"]) : "";
      return;
    }
    if (delta["type"] === "citations_delta") this.#cite(block, recordOf(delta["citation"]));
    if (delta["type"] === "signature_delta") this.#builder.sign(block, textOf(delta["signature"]));
    const { type, field } = growth[block.type];
    const piece = delta[field];
    if (delta["type"] === type) this.#builder.append(block, isRecord(piece) ? JSON.stringify(piece) : textOf(piece));
  }

  #close(index: number): void {
    const block = this.#blocks[index];
    if (block === undefined) return;
    this.#closed.add(index);
    const search = this.#searches.get(block);
    if (search !== undefined) this.#endSearch(block, search);
    if (block.type === "text") this.#endText(block);
    else this.#builder.close(block);
  }
}

/** A block of a search, and the JSON of its input so far. */
interface SearchBlock {
  readonly block: UnknownRecord;
  json: string;
}

/** Reads a non-streamed answer by converting it to stream events. Throws `ModelError`. */
export function readAnswer(answer: unknown, builder: MessageBuilder): void {
  const message = recordOf(answer);
  const events = new StreamEvents(builder);
  const { model, stop_reason, stop_details, usage, error } = message;
  const content = contentOf(message);
  if (message["type"] === "error" || statedError(message)) events.take({ type: "error", error });
  if (!Array.isArray(content)) throwStated(problemInPlace(answer));
  if (!Array.isArray(content)) throw unreadable("anthropic sent a document that is not a message");
  events.take({ type: "message_start", message: { model, usage } });
  for (const [index, block] of content.entries()) {
    events.take({ type: "content_block_start", index, content_block: block });
    for (const citation of listOf(recordOf(block)["citations"])) {
      events.take({ type: "content_block_delta", index, delta: { type: "citations_delta", citation } });
    }
    events.take({ type: "content_block_stop", index });
  }
  events.take({ type: "message_delta", delta: { stop_reason, stop_details }, usage });
  events.take({ type: "message_stop" });
}

/** Some gateways send a string instead of a list. */
const contentOf = ({ type, content }: UnknownRecord): unknown =>
  type === "message" && typeof content === "string" ? [{ type: "text", text: content }] : content;

function throwStated(problem: unknown): void {
  if (problem !== undefined) throw new UnreadFailure(({ streamFailure }) => streamFailure(problem, "anthropic"));
}

const isTextDelta = (delta: unknown): delta is { readonly text: string } =>
  isRecord(delta) && delta["type"] === "text_delta" && typeof delta["text"] === "string";

/** The text of an invalid input, for the model that made the call; empty if there is none. */
function jsonOf(input: unknown): string {
  if (input === undefined || input === null) return "";
  try {
    return JSON.stringify(input);
  } catch {
    return "(nested too deeply)";
  }
}

function readUsage(usage: UnknownRecord): Partial<Usage> {
  return knownCounts({
    input: tokenCount(usage["input_tokens"]),
    output: tokenCount(usage["output_tokens"]),
    cacheRead: tokenCount(usage["cache_read_input_tokens"]),
    cacheWrite: tokenCount(usage["cache_creation_input_tokens"]),
    thinking: tokenCount(recordOf(usage["output_tokens_details"])["thinking_tokens"]),
  });
}
