import type { MessageBuilder } from "../message-builder.ts";
import type { ModelRequest } from "../types/language-model.ts";
import type { Connection } from "../vendors/connection.ts";

/** Reads the events of one streamed answer into a message builder. */
export interface AnswerEvents {
  /** Whether the event that ends an answer has arrived. */
  readonly isWhole: boolean;
  /** Reads the data of one event; does nothing once the answer is whole. Throws `ModelError`. */
  read(data: string): void;
  /** The stream is over without a failure. May complete the answer if all that matters has arrived. */
  end(): void;
}

/** A protocol over HTTP, as one model of one vendor is asked in it. */
export interface WireProtocol {
  readonly connection: Connection;
  /** The body of a request, JSON. */
  body(request: ModelRequest): string;
  /** The failure of a request with this body, if the protocol knows more about it. */
  explain?(error: unknown, body: string): unknown;
  /** Reads an answer that streams. */
  events(builder: MessageBuilder): AnswerEvents;
  /** Reads an answer that came as one JSON document, up to and with its end. Throws `ModelError`. */
  read(answer: unknown, builder: MessageBuilder): void;
}
