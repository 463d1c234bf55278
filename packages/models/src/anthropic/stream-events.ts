import { ModelError } from "../errors/model-error.ts";
import { isJsonObject } from "../json-object.ts";
import type { Block, FinishReason, MessageBuilder } from "../message-builder.ts";
import { recordOf, type UnknownRecord } from "../record.ts";
import type { Usage } from "../types/message.ts";
import { streamFailure } from "./failures.ts";

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "toolUse"],
  ["max_tokens", "length"],
  ["pause_turn", "pause"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "contextExceeded"],
]);

/** Which delta makes a block grow, and the field that holds its text. */
const growth = {
  text: { type: "text_delta", field: "text" },
  thinking: { type: "thinking_delta", field: "thinking" },
  toolCall: { type: "input_json_delta", field: "partial_json" },
} as const;

/** Reads the events of one answer into a message builder. Events, blocks and deltas that it does not know pass it by. */
export class StreamEvents {
  readonly #builder: MessageBuilder;
  /** By the provider's index; blocks of unknown types leave gaps. */
  readonly #blocks: (Block | undefined)[] = [];
  #finishReason: FinishReason = "stop";
  #finished = false;

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  /** Whether `message_stop` has come. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Reads the data of one event. Throws `ModelError` for an `error` event and for data that is not JSON. */
  read(data: string): void {
    if (this.#finished) return;
    const event = parseEvent(data);
    switch (event["type"]) {
      case "content_block_delta":
        this.#grow(this.#blocks[Number(event["index"])], recordOf(event["delta"]));
        break;
      case "content_block_start":
        this.#blocks[Number(event["index"])] = this.#open(recordOf(event["content_block"]));
        break;
      case "content_block_stop":
        this.#close(this.#blocks[Number(event["index"])]);
        break;
      case "message_start":
        this.#builder.start();
        this.#builder.count(readUsage(recordOf(recordOf(event["message"])["usage"])));
        break;
      case "message_delta":
        this.#finishReason = finishReasons.get(recordOf(event["delta"])["stop_reason"]) ?? this.#finishReason;
        this.#builder.count(readUsage(recordOf(event["usage"])));
        break;
      case "message_stop":
        this.#finished = true;
        this.#builder.finish(this.#finishReason);
        break;
      case "error":
        throw streamFailure(event["error"]);
    }
  }

  #open(block: UnknownRecord): Block | undefined {
    switch (block["type"]) {
      case "text":
        return this.#begin(this.#builder.openText(), block["text"]);
      case "thinking":
        return this.#begin(this.#builder.openThinking(), block["thinking"], block["signature"]);
      case "redacted_thinking":
        return this.#builder.openThinking(textOf(block["data"]));
      case "tool_use": {
        const { input } = block;
        const call = { id: textOf(block["id"]), name: textOf(block["name"]) };
        return this.#builder.openToolCall(isJsonObject(input) ? { ...call, input } : call);
      }
      default:
        return undefined;
    }
  }

  /** Some servers put the beginning of a block where it opens. */
  #begin(block: Block, text: unknown, signature?: unknown): Block {
    if (text) this.#builder.append(block, textOf(text));
    if (signature) this.#builder.sign(block, textOf(signature));
    return block;
  }

  #grow(block: Block | undefined, delta: UnknownRecord): void {
    if (block === undefined) return;
    if (delta["type"] === "signature_delta") this.#builder.sign(block, textOf(delta["signature"]));
    const { type, field } = growth[block.type];
    if (delta["type"] === type) this.#builder.append(block, textOf(delta[field]));
  }

  #close(block: Block | undefined): void {
    if (block !== undefined) this.#builder.close(block);
  }
}

function parseEvent(data: string): UnknownRecord {
  try {
    return recordOf(JSON.parse(data));
  } catch (cause) {
    throw new ModelError("anthropic sent an event that is not JSON", { cause });
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function readUsage(usage: UnknownRecord): Partial<Usage> {
  return {
    ...countOf("input", usage["input_tokens"]),
    ...countOf("output", usage["output_tokens"]),
    ...countOf("cacheRead", usage["cache_read_input_tokens"]),
    ...countOf("cacheWrite", usage["cache_creation_input_tokens"]),
    ...countOf("thinking", recordOf(usage["output_tokens_details"])["thinking_tokens"]),
  };
}

function countOf(name: keyof Usage, value: unknown): Partial<Usage> {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? { [name]: Number(value) } : {};
}
