import type { ChatCompletion } from "openai/resources/chat/completions";
import { ModelError, unfinished } from "../errors.ts";
import { type AnswerEvents, eventObject } from "../http/answer-reader.ts";
import { streamFailure } from "../http/failures.ts";
import { isRecord, listOf, recordOf, textOf, type UnknownRecord } from "../json.ts";
import type { Block } from "../message-block.ts";
import type { FinishReason, MessageBuilder } from "../message-builder.ts";
import { readOpenAiUsage } from "../usage.ts";
import type { Connection } from "../vendors/connection.ts";
import { CallDeltas } from "./call-deltas.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

const reasons: Readonly<Record<ChatCompletion.Choice["finish_reason"] | "model_length" | "max_tokens", FinishReason>> =
  {
    stop: "stop",
    tool_calls: "toolUse",
    function_call: "toolUse",
    length: "length",
    model_length: "length",
    max_tokens: "length",
    content_filter: "refusal",
  };
const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map(Object.entries(reasons));

/** Reasons that are failures of the server or of its model; the same request may succeed a little later. */
const FAILED = /^(?:error|network_error|insufficient_system_resource)$|malformed_function_call/;

/** Reasons of Gemini's own, which it sends in capitals, for what it does not say. */
const FILTERED = /^(?:content_filter|safety|recitation|blocklist|prohibited_content|spii|image_)/;

/** Where servers put thinking; some send it twice under two names, so the first counts. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** Reads the chunks of one answer into a message builder. It skips unknown fields. */
export class StreamEvents implements AnswerEvents {
  readonly #builder: MessageBuilder;
  readonly #connection: Connection;
  readonly #calls: CallDeltas;
  readonly #details = new ReasoningDetails();
  /** The text or thinking that grows. */
  #growing: Block | undefined;
  /** The first thinking, which carries the details. */
  #thinking: Block | undefined;
  #isRefused = false;
  #finishReason: FinishReason | undefined;
  #isWhole = false;

  constructor(builder: MessageBuilder, connection: Connection) {
    this.#builder = builder;
    this.#connection = connection;
    this.#calls = new CallDeltas(builder);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the data of one event. Throws `ModelError` for an error, and for an object that is not JSON. */
  read(data: string): void {
    if (this.#isWhole) return;
    if (data.trim() === "[DONE]") {
      this.#finish();
      return;
    }
    const chunk = eventObject(data, this.#connection.vendor);
    if (chunk === undefined) return;
    const choices = this.#readChunk(chunk, "delta");
    // The requested usage arrives last, without a choice.
    if (choices === 0 && isRecord(chunk["usage"])) this.end();
  }

  /** Some servers never send `[DONE]`. */
  end(): void {
    if (this.#finishReason !== undefined && !this.#isWhole) this.#finish();
  }

  /** Reads an answer that came as one document. Throws `ModelError` if it is not an answer, or incomplete. */
  readDocument(answer: unknown): void {
    const choices = this.#readChunk(recordOf(answer), "message");
    if (choices === 0)
      throw new ModelError(`${this.#connection.host} sent no answer. Is ${this.#connection.urlName} right?`);
    this.#finish();
  }

  /** Reads what a chunk, or a whole answer, holds under `delta` or `message`; gives the number of its choices. */
  #readChunk(chunk: UnknownRecord, field: "delta" | "message"): number {
    const { error = null, object, usage } = chunk;
    if (error !== null || object === "error") throw streamFailure(error ?? chunk, this.#connection.vendor);
    this.#builder.start();
    this.#builder.answeredBy(chunk["model"]);
    const choices = listOf(chunk["choices"]).map(recordOf);
    const choice = choices.find(({ index = 0 }) => index === 0);
    for (const counts of [recordOf(chunk["x_groq"])["usage"], choice?.["usage"], usage]) {
      this.#builder.count(readOpenAiUsage(recordOf(counts)));
    }
    if (choice !== undefined) {
      this.#readDelta(recordOf(choice[field]));
      this.#readReason(choice["finish_reason"]);
    }
    return choices.length;
  }

  #readDelta(delta: UnknownRecord): void {
    this.#readThinking(delta);
    this.#readContent(delta["content"]);
    const refusal = textOf(delta["refusal"]);
    this.#isRefused ||= refusal !== "";
    this.#say("text", refusal);
    const calls = listOf(delta["tool_calls"]).map(recordOf);
    if (isRecord(delta["function_call"])) calls.push({ index: 0, function: delta["function_call"] });
    if (calls.length > 0) this.#close();
    for (const call of calls) this.#calls.read(call);
  }

  #readThinking(delta: UnknownRecord): void {
    const details = this.#details.add(delta["reasoning_details"]);
    const said = thinkingFields.map((field) => textOf(delta[field])).find((text) => text !== "");
    this.#say("thinking", said ?? details);
    // Details may be encrypted and say nothing.
    if (!this.#details.isEmpty) this.#thinking ??= this.#open("thinking");
  }

  /** A text, or with Mistral a list of texts and thinking. */
  #readContent(content: unknown): void {
    if (typeof content === "string") this.#say("text", content);
    for (const part of listOf(content).map(recordOf)) {
      if (part["type"] === "text") this.#say("text", textOf(part["text"]));
      if (part["type"] !== "thinking") continue;
      for (const thought of listOf(part["thinking"])) this.#say("thinking", textOf(recordOf(thought)["text"]));
    }
  }

  #readReason(reason: unknown): void {
    if (typeof reason !== "string") return;
    const name = reason.toLowerCase();
    if (FAILED.test(name))
      throw new ModelError(`${this.#connection.vendor} stopped with ${reason}`, { kind: reason, isTransient: true });
    this.#finishReason = finishReasons.get(name) ?? (FILTERED.test(name) ? "refusal" : "stop");
  }

  #say(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    const block = this.#growing?.type === type ? this.#growing : this.#open(type);
    this.#builder.append(block, delta);
  }

  #open(type: "text" | "thinking"): Block {
    this.#close();
    const block = type === "text" ? this.#builder.openText() : this.#builder.openThinking();
    this.#growing = block;
    if (type === "thinking") this.#thinking ??= block;
    return block;
  }

  #close(): void {
    if (this.#growing !== undefined) this.#builder.close(this.#growing);
    this.#growing = undefined;
  }

  #finish(): void {
    const reason = this.#finishReason;
    if (reason === undefined) throw unfinished(this.#connection.host);
    this.#calls.end();
    if (this.#thinking !== undefined && !this.#details.isEmpty) this.#builder.sign(this.#thinking, this.#details.text);
    this.#isWhole = true;
    this.#builder.finish(this.#judged(reason));
  }

  /** Some servers say "stop" of calls and of refusals. */
  #judged(reason: FinishReason): FinishReason {
    if (reason !== "stop") return reason;
    if (!this.#calls.isEmpty) return "toolUse";
    return this.#isRefused ? "refusal" : "stop";
  }
}
