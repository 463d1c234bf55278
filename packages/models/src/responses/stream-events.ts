import { listOf, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { unfinished } from "../errors.ts";
import { type AnswerEvents, eventObject, statedError } from "../http/answer-reader.ts";
import { problemInPlace } from "../http/problem-in-place.ts";
import { UnreadFailure } from "../http/unread-failure.ts";
import type { FinishReason, MessageBuilder } from "../message-builder.ts";
import { finishOf, saidReason, unknownReason } from "../stop-reasons.ts";
import { readResponseUsage } from "../usage.ts";
import type { Connection } from "../vendors/connection.ts";
import { OutputItems } from "./output-items.ts";

/** Reads the events of one answer into a message builder. Skips unknown events. */
export class StreamEvents implements AnswerEvents {
  readonly #builder: MessageBuilder;
  readonly #connection: Connection;
  readonly #items: OutputItems;
  #isWhole = false;

  constructor(builder: MessageBuilder, connection: Connection) {
    this.#builder = builder;
    this.#connection = connection;
    this.#items = new OutputItems(builder);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Only `response.completed`, `response.incomplete`, or `[DONE]` after complete items end an answer. */
  end(): void {}

  read(data: string): void {
    if (this.#isWhole) return;
    if (data.trim() === "[DONE]") {
      if (!this.#items.isWhole) throw unfinished(this.#connection.host);
      this.#end({}, "completed");
      return;
    }
    const event = eventObject(data, this.#connection.vendor);
    if (event !== undefined) this.#take(event);
  }

  /** Reads an answer that is one document. Throws `ModelError` if it is invalid or incomplete. */
  readDocument(answer: unknown): void {
    const response = recordOf(answer);
    const { output, status } = response;
    const error = statedError(response);
    if (error !== undefined)
      throw new UnreadFailure(({ streamFailure }) => streamFailure(error, this.#connection.vendor));
    if (!Array.isArray(output)) throw new UnreadFailure(({ missingAnswer }) => missingAnswer(answer, this.#connection));
    this.#begin(response);
    this.#end(response, status ?? "completed");
  }

  /** Throws `ModelError` for an error. A fast path, since most events are text deltas. */
  #take(event: UnknownRecord): void {
    const { type, delta } = event;
    const index = this.#items.keyOf(event);
    switch (type) {
      case "response.output_text.delta":
        this.#items.grow(index, "text", delta);
        break;
      case "response.refusal.delta":
        this.#items.refuse();
        this.#items.grow(index, "text", delta);
        break;
      case "response.function_call_arguments.delta":
        this.#items.grow(index, "toolCall", delta);
        break;
      case "response.function_call_arguments.done":
        this.#items.settle(index, event["arguments"]);
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#items.grow(index, "thinking", delta);
        break;
      case "response.reasoning_summary_part.added":
        this.#items.separate(index);
        break;
      case "response.output_item.added":
        this.#items.begin(index, recordOf(event["item"]));
        break;
      case "response.output_item.done":
        this.#items.end(index, recordOf(event["item"]));
        break;
      case "response.created":
        this.#begin(recordOf(event["response"]));
        break;
      case "response.done":
      case "response.completed":
        // Some servers end with this event even after a failure.
        this.#end(recordOf(event["response"]), recordOf(event["response"])["status"] ?? "completed");
        break;
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        this.#end(recordOf(event["response"]), type.slice("response.".length));
        break;
      case "error":
        throw new UnreadFailure(({ streamFailure }) =>
          streamFailure(event["error"] ?? { ...event, type: null }, this.#connection.vendor),
        );
      case undefined:
        // Gateways report their failures without the protocol's frame.
        this.#readUnframed(event);
    }
  }

  #readUnframed(event: UnknownRecord): void {
    const problem = statedError(event) ?? problemInPlace(event);
    if (problem !== undefined)
      throw new UnreadFailure(({ streamFailure }) => streamFailure(problem, this.#connection.vendor));
  }

  #begin({ model }: UnknownRecord): void {
    this.#builder.start();
    this.#builder.answeredBy(model);
  }

  #end(response: UnknownRecord, status: unknown): void {
    const { model, output, usage, error, incomplete_details } = response;
    this.#builder.answeredBy(model);
    this.#builder.count(readResponseUsage(recordOf(usage)));
    if (status === "failed" || status === "cancelled")
      throw new UnreadFailure(({ streamFailure }) => streamFailure(error ?? { code: status }, this.#connection.vendor));
    if (status !== "completed" && status !== "incomplete") throw unfinished(this.#connection.host);
    this.#items.complete(listOf(output).map(recordOf));
    this.#isWhole = true;
    this.#builder.finish(
      status === "incomplete" ? this.#cutBy(recordOf(incomplete_details)["reason"]) : this.#items.finishReason,
    );
  }

  /** Why an answer is incomplete; an unknown reason counts as truncation. */
  #cutBy(reason: unknown): FinishReason {
    const said = saidReason(reason);
    const finish = said === undefined ? "length" : finishOf(said);
    if (finish === "refusal" || finish === "length" || finish === "contextExceeded") return finish;
    if (said !== undefined) this.#builder.warn(unknownReason(this.#connection.vendor, said));
    return "length";
  }
}
