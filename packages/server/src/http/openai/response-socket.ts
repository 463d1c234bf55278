import { isRecord, jsonValue, recordOf } from "@mdx-ai/base";
import { ProblemError, problemOf } from "../problem.ts";
import { checkedBody } from "../request-body.ts";
import type { Call } from "../route.ts";
import type { SocketHandler } from "../socket.ts";
import { openAiError } from "./openai-answer.ts";
import { type BegunResponse, responseEvents } from "./response-events.ts";
import { ConnectionIds } from "./response-ids.ts";
import { RESPONSES, type ResponsesBody } from "./responses-request.ts";

/** Requests that may wait on one connection. */
const MAX_WAITING = 10;

type Begin = (call: Call, body: ResponsesBody, unstored: ConnectionIds) => Promise<BegunResponse>;

/** Responses over a WebSocket: each message is a request, and they are answered one after another. A client that leaves cancels its prompt. */
export class ResponseSocket implements SocketHandler {
  readonly #call: Call;
  readonly #begin: Begin;
  readonly #ids = new ConnectionIds();
  #send: (text: string) => void = () => {};
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;
  #stop = (): void => {};

  constructor(call: Call, begin: Begin) {
    // The connection belongs to the socket, which says when it ends.
    this.#call = { ...call, keepOpen: () => {} };
    this.#begin = begin;
  }

  open(send: (text: string) => void): void {
    this.#send = send;
  }

  message(text: string): void {
    if (this.#waiting >= MAX_WAITING) {
      this.#fail(new ProblemError({ status: 429, code: "too_many_requests", detail: "too many requests wait" }));
      return;
    }
    this.#waiting += 1;
    this.#work = this.#work.then(async () => {
      this.#waiting -= 1;
      await this.#answer(text);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** Never rejects. */
  async #answer(text: string): Promise<void> {
    const event = jsonValue(text);
    try {
      await this.#respond(event);
    } catch (error) {
      this.#forgetPrevious(event);
      this.#fail(error);
    }
  }

  /** A response whose continuation has failed is not continued again. */
  #forgetPrevious(event: unknown): void {
    this.#ids.forget(String(recordOf(event)["previous_response_id"]));
  }

  async #respond(event: unknown): Promise<void> {
    if (this.#isClosed) return;
    if (!isRecord(event) || event["type"] !== "response.create") {
      const detail = "a message needs the type response.create";
      throw new ProblemError({ status: 400, code: "invalid_request", detail });
    }
    const body = checkedBody(event, RESPONSES);
    const begun = await this.#begin(this.#call, body, this.#ids);
    this.#stop = () => begun.answering.stop();
    if (this.#isClosed) this.#stop();
    for await (const one of responseEvents(begun)) {
      if (one === "[DONE]") continue;
      if (one.type === "response.failed") this.#forgetPrevious(event);
      this.#send(this.#call.services.redactor.json(one));
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    if (problemOf(error) === undefined) this.#call.services.onWarning(`a request failed: ${String(error)}`);
    const { status, body } = openAiError(error);
    this.#send(this.#call.services.redactor.json({ type: "error", sequence_number: 0, status, ...body }));
  }
}
