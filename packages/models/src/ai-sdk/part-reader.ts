import { isRecord, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import { ModelError, tooLong, unfinished } from "../errors.ts";
import type { Block } from "../message-block.ts";
import type { MessageBuilder } from "../message-builder.ts";
import { unknownReason } from "../stop-reasons.ts";
import { endOf, usageOf } from "./answer-end.ts";

/** The provider of an answer. */
export interface AnswerSource {
  /** For messages. */
  readonly provider: string;
  readonly kind: "stream" | "document";
}

/** A block under construction. */
interface OpenBlock {
  readonly block: Block;
  /** Characters appended so far. */
  length: number;
  /** The provider's newest metadata, sent back to it with the block. */
  metadata: unknown;
}

/** Characters of one answer, several times the longest one; a longer one would fill the memory. */
const mostCharacters = 64 * 1024 * 1024;

/** Reads the parts of one answer into a message builder. Skips unknown and irrelevant parts. */
export class PartReader {
  readonly #builder: MessageBuilder;
  readonly #source: AnswerSource;
  /** By kind and the provider's id, since a text and a thought may have the same id. */
  readonly #open = new Map<string, OpenBlock>();
  #calls = 0;
  #characters = 0;
  #isWhole = false;

  constructor(builder: MessageBuilder, source: AnswerSource) {
    this.#builder = builder;
    this.#source = source;
  }

  /** Whether the final part has arrived. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads one part. Throws the content of an error part, and `ModelError` if the parts are not a valid answer. */
  read(value: unknown): void {
    const part = recordOf(value);
    switch (part["type"]) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta":
        this.#grow(part, textOf(part["delta"]));
        break;
      case "stream-start":
        this.#builder.start();
        break;
      case "response-metadata":
        this.#builder.answeredBy(part["modelId"]);
        break;
      case "text-start":
      case "reasoning-start":
      case "tool-input-start":
        this.#start(part);
        break;
      case "text-end":
      case "reasoning-end":
        this.#end(part);
        break;
      case "tool-call":
        this.#call(part);
        break;
      case "finish":
        this.#finish(part);
        break;
      case "error":
        throw part["error"];
    }
  }

  #start(part: UnknownRecord): OpenBlock | undefined {
    // The provider executes such a call itself.
    if (part["providerExecuted"] === true) return undefined;
    this.#end(part);
    const open = { block: this.#blockOf(part), length: 0, metadata: part["providerMetadata"] };
    this.#open.set(keyOf(part), open);
    return open;
  }

  #blockOf(part: UnknownRecord): Block {
    switch (kindOf(part)) {
      case "text":
        return this.#builder.openText();
      case "reasoning":
        return this.#builder.openThinking();
      default:
        this.#calls++;
        return this.#builder.openToolCall({ id: idOf(part), name: textOf(part["toolName"]) });
    }
  }

  /** Starts a text or thought whose start was omitted; a call needs its name first. */
  #grow(part: UnknownRecord, delta: string): void {
    const known = this.#open.get(keyOf(part));
    const open = known ?? (kindOf(part) === "tool" ? undefined : this.#start(part));
    if (open === undefined) return;
    open.metadata = part["providerMetadata"] ?? open.metadata;
    this.#append(open, delta);
  }

  #append(open: OpenBlock, delta: string): void {
    this.#characters += delta.length;
    open.length += delta.length;
    if (this.#characters > mostCharacters) throw tooLong(this.#source.provider, "an answer");
    this.#builder.append(open.block, delta);
  }

  #end(part: UnknownRecord): void {
    const open = this.#open.get(keyOf(part));
    if (open === undefined) return;
    this.#open.delete(keyOf(part));
    const metadata = metadataText(part["providerMetadata"] ?? open.metadata);
    if (metadata !== undefined) this.#builder.keep(open.block, metadata);
    this.#builder.close(open.block);
  }

  /** The complete call. If it was streamed, the streamed text is the start of its input. */
  #call(part: UnknownRecord): void {
    if (part["providerExecuted"] === true) return;
    const open = this.#open.get(keyOf(part)) ?? this.#start(part);
    if (open !== undefined) this.#append(open, inputOf(part["input"]).slice(open.length));
    this.#end(part);
  }

  #finish({ finishReason, usage }: UnknownRecord): void {
    const { finish, unknown } = endOf(finishReason, this.#source.kind);
    this.#builder.count(usageOf(usage));
    const isUnconfirmed = [...this.#open.keys()].some((key) => key.startsWith("tool:"));
    if (finish === "failed")
      throw new ModelError(`${this.#source.provider} failed in the middle of its answer`, failed);
    // A call whose input was started but never confirmed must not run, unless the answer itself reports a truncation.
    if (finish === "broken" || (isUnconfirmed && finish !== "length")) throw unfinished(this.#source.provider);
    for (const key of [...this.#open.keys()]) this.#close(key);
    this.#isWhole = true;
    if (unknown !== undefined) this.#builder.warn(unknownReason(this.#source.provider, unknown));
    this.#builder.finish(finish === "stop" && this.#calls > 0 ? "toolUse" : finish);
  }

  #close(key: string): void {
    const [kind, id] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
    this.#end({ type: `${kind}-end`, id });
  }
}

const failed = { kind: "error", isTransient: true } as const;

type Kind = "text" | "reasoning" | "tool";

function kindOf({ type }: UnknownRecord): Kind {
  const word = String(type);
  if (word.startsWith("text")) return "text";
  return word.startsWith("reasoning") ? "reasoning" : "tool";
}

/** A call's id is in a different field than in the parts that stream its input. */
const idOf = (part: UnknownRecord): string => textOf(part["toolCallId"] ?? part["id"]);

const keyOf = (part: UnknownRecord): string => `${kindOf(part)}:${idOf(part)}`;

/** The input is JSON text; some providers send the value itself. */
function inputOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

function metadataText(value: unknown): string | undefined {
  return isRecord(value) ? JSON.stringify(value) : undefined;
}
