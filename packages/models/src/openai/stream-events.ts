import { isRecord, listOf, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import { unfinished } from "../errors.ts";
import { type AnswerEvents, eventObject, statedError } from "../http/answer-reader.ts";
import { problemInPlace } from "../http/problem-in-place.ts";
import { UnreadFailure } from "../http/unread-failure.ts";
import type { Block } from "../message-block.ts";
import type { FinishReason, MessageBuilder } from "../message-builder.ts";
import { unknownReason } from "../stop-reasons.ts";
import { readOpenAiUsage } from "../usage.ts";
import type { Connection } from "../vendors/connection.ts";
import { AnswerEnd } from "./answer-end.ts";
import { CallDeltas } from "./call-deltas.ts";
import { type ContentPart, contentParts } from "./content-parts.ts";
import { ReasoningDetails } from "./reasoning-details.ts";
import { SaidText } from "./said-text.ts";
import { ThinkTags } from "./think-tags.ts";
import { thinkingFields } from "./thinking-back.ts";

/** Reads the chunks of one answer into a message builder. Skips unknown fields. */
export class StreamEvents implements AnswerEvents {
  readonly #builder: MessageBuilder;
  readonly #connection: Connection;
  readonly #calls: CallDeltas;
  readonly #details = new ReasoningDetails();
  readonly #end: AnswerEnd;
  readonly #tags: ThinkTags | undefined;
  readonly #said = { text: new SaidText(), thinking: new SaidText(), refusal: new SaidText() };
  /** The open text or thinking. */
  #growing: Block | undefined;
  /** The first thinking, which stores the details. */
  #thinking: Block | undefined;
  #isRefused = false;
  /** The field that thinking arrived in. */
  #thinkingField: string | undefined;
  /** Pieces of the answer so far. */
  #pieces = 0;
  #isWhole = false;

  /** `readsTags`: whether the model may mark thinking in its text. */
  constructor(builder: MessageBuilder, connection: Connection, readsTags: boolean) {
    this.#builder = builder;
    this.#connection = connection;
    this.#calls = new CallDeltas(builder);
    this.#end = new AnswerEnd(connection.vendor);
    this.#tags = readsTags ? new ThinkTags() : undefined;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the data of one event. Throws `ModelError` for an error, and for an object that is not valid JSON. */
  read(data: string): void {
    if (this.#isWhole) return;
    if (data.trim() === "[DONE]") {
      this.#finish(this.#end.atClose ?? (this.#isPresent ? "stop" : undefined));
      return;
    }
    const chunk = eventObject(data, this.#connection.vendor);
    if (chunk === undefined) return;
    const choices = this.#readChunk(chunk, "chunk");
    if (choices > 0) return;
    const problem = this.#end.isKnown ? undefined : problemInPlace(chunk);
    if (problem !== undefined)
      throw new UnreadFailure(({ streamFailure }) => streamFailure(problem, this.#connection.vendor));
    // Requested usage arrives last, without a choice.
    if (isRecord(chunk["usage"]) && this.#end.isKnown) this.end();
  }

  /** Some servers never send `[DONE]`. */
  end(): void {
    if (!this.#isWhole && this.#end.atClose !== undefined) this.#finish(this.#end.atClose);
  }

  /** Reads an answer that is one document. Throws `ModelError` if it is invalid or incomplete. */
  readDocument(answer: unknown): void {
    const choices = this.#readChunk(recordOf(Array.isArray(answer) ? answer[0] : answer), "document");
    if (choices === 0) throw new UnreadFailure(({ missingAnswer }) => missingAnswer(answer, this.#connection));
    this.#finish(this.#end.atClose ?? (this.#isPresent ? "stop" : undefined));
  }

  /** Reads a chunk or a whole answer; returns the number of its choices. */
  #readChunk(chunk: UnknownRecord, form: "chunk" | "document"): number {
    const { object, usage } = chunk;
    const error = statedError(chunk) ?? (object === "error" ? chunk : undefined);
    if (error !== undefined)
      throw new UnreadFailure(({ streamFailure }) => streamFailure(error, this.#connection.vendor));
    this.#builder.start();
    this.#builder.answeredBy(chunk["model"]);
    const choices = listOf(chunk["choices"]).map(recordOf);
    const choice = choices.find(({ index }) => Number(index ?? 0) === 0);
    for (const counts of [recordOf(chunk["x_groq"])["usage"], choice?.["usage"], usage]) {
      this.#builder.count(readOpenAiUsage(recordOf(counts)));
    }
    if (choice !== undefined) this.#readChoice(choice, form);
    return choices.length;
  }

  /** Some servers send the whole message in the last chunk or in each one, with or without a delta. */
  #readChoice(choice: UnknownRecord, form: "chunk" | "document"): void {
    const { delta, message, text, finish_reason } = choice;
    const content = this.#pieces;
    if (isRecord(delta)) this.#readMessage(delta, "delta");
    if (isRecord(message)) this.#readMessage(message, "message");
    else if (!isRecord(delta)) this.#readMessage({ content: text }, form === "chunk" ? "delta" : "message");
    this.#end.read(finish_reason, { hasContent: this.#pieces > content });
  }

  #readMessage(message: UnknownRecord, form: "delta" | "message"): void {
    this.#readThinking(message, form);
    this.#readParts(contentParts(message["content"]), form);
    const refusal = this.#said.refusal[form](textOf(message["refusal"]));
    this.#isRefused ||= refusal !== "";
    this.#say("text", refusal);
    this.#readCalls(message, form);
  }

  #readCalls({ tool_calls, function_call }: UnknownRecord, form: "delta" | "message"): void {
    const calls = (isRecord(tool_calls) ? [tool_calls] : listOf(tool_calls)).map(recordOf);
    if (calls.length === 0 && isRecord(function_call)) calls.push({ index: 0, function: function_call });
    if (calls.length === 0) return;
    this.#tags?.leave();
    this.#close();
    for (const [index, call] of calls.entries()) {
      this.#pieces++;
      this.#calls.read(form === "message" ? { index, ...call } : call);
    }
  }

  #readThinking(message: UnknownRecord, form: "delta" | "message"): void {
    const details = form === "message" && !this.#details.isEmpty ? "" : this.#details.add(message["reasoning_details"]);
    const field = thinkingFields.find((name) => textOf(message[name]) !== "");
    this.#say("thinking", this.#said.thinking[form](field === undefined ? details : textOf(message[field])));
    if (field !== undefined) this.#thinkingField ??= field;
    // Details may be encrypted and have no text.
    if (!this.#details.isEmpty) this.#thinking ??= this.#open("thinking");
  }

  #readParts(parts: readonly ContentPart[], form: "delta" | "message"): void {
    // Parts of a delta are read one by one; in a whole message, texts of one kind belong together.
    const joined = form === "delta" ? parts : joinedParts(parts);
    for (const { type, text } of joined) {
      const piece = this.#said[type][form](text);
      if (type === "thinking" || this.#tags === undefined) this.#say(type, piece);
      else if (piece !== "") this.#sayTagged(this.#tags, piece);
    }
  }

  #sayTagged(tags: ThinkTags, piece: string): void {
    this.#pieces++;
    for (const { type, text, isRecast } of tags.add(piece)) {
      const growing = this.#growing;
      if (isRecast && growing?.type === "text") {
        this.#growing = undefined;
        this.#builder.recast(growing, text);
      } else this.#sayHere(type, text);
    }
  }

  /** Adds text or thinking whose kind is known. */
  #say(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    this.#pieces++;
    if (type === "thinking") this.#tags?.leave();
    this.#sayHere(type, delta);
  }

  #sayHere(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    const block = this.#growing?.type === type ? this.#growing : this.#open(type);
    this.#builder.append(block, delta);
  }

  #open(type: "text" | "thinking"): Block {
    this.#close();
    this.#calls.openNamed();
    const block = type === "text" ? this.#builder.openText() : this.#builder.openThinking();
    this.#growing = block;
    if (type === "thinking") this.#thinking ??= block;
    return block;
  }

  #close(): void {
    if (this.#growing !== undefined) this.#builder.close(this.#growing);
    this.#growing = undefined;
  }

  /** Whether an answer without a stop reason is complete: a text, or calls with complete arguments. */
  get #isPresent(): boolean {
    this.#calls.end();
    const hasText = this.#builder.content.some(({ type }) => type === "text") || this.#growing?.type === "text";
    return this.#calls.isEmpty ? hasText : this.#calls.isWhole;
  }

  #finish(reason: FinishReason | undefined): void {
    for (const { type, text } of this.#tags?.end() ?? []) this.#sayHere(type, text);
    if (reason === undefined) throw unfinished(this.#connection.host);
    this.#calls.end();
    this.#sign();
    const word = this.#end.unknownWord;
    if (word !== undefined) this.#builder.warn(unknownReason(this.#connection.vendor, word));
    this.#isWhole = true;
    this.#builder.finish(this.#judged(reason));
  }

  /** Stores what is sent back with thinking: the details, or the name of its field. */
  #sign(): void {
    const kept = this.#details.isEmpty ? this.#thinkingField : this.#details.text;
    if (this.#thinking !== undefined && kept !== undefined) this.#builder.sign(this.#thinking, kept);
  }

  /** Some servers send "stop" for calls and refusals. */
  #judged(reason: FinishReason): FinishReason {
    if (reason !== "stop") return reason;
    if (!this.#calls.isEmpty) return "toolUse";
    return this.#isRefused ? "refusal" : "stop";
  }
}

/** Joins the texts of each kind. */
const joinedParts = (parts: readonly ContentPart[]): readonly ContentPart[] =>
  Array.from(
    Map.groupBy(parts, ({ type }) => type),
    ([type, some]) => ({ type, text: some.map(({ text }) => text).join("") }),
  );
