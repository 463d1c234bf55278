import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import type { AnswerCheck } from "./answer-check.ts";

/** A transport of the library whose answers are checked. */
export class CheckedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly hasPerRequestStream: boolean;

  readonly #inner: Transport;
  readonly #check: AnswerCheck;

  constructor(inner: Transport, check: AnswerCheck) {
    this.#inner = inner;
    this.#check = check;
    this.hasPerRequestStream = inner.hasPerRequestStream ?? false;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.onmessage?.(check.received(message), extra);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#check.sent(message);
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }
}
