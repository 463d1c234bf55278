import { ModelError } from "../errors.ts";
import { MessageBuilder } from "../message-builder.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../types/language-model.ts";
import { estimateUncounted } from "../usage.ts";
import type { Connection } from "../vendors/connection.ts";
import { type AnswerEvents, type AnswerReader, ByteReader, DocumentReader, EventReader } from "./answer-reader.ts";
import { showable } from "./failures.ts";
import { post } from "./post.ts";
import { SilenceWatch } from "./silence-watch.ts";

/** A protocol over HTTP, as one model of one vendor is asked in it. */
interface WireProtocol {
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

/** Bytes of an answer that streams, and of one that does not: several times what the longest one has. */
const mostBytes = { streaming: 64 * 1024 * 1024, whole: 16 * 1024 * 1024 } as const;

/** The model that a protocol reaches. */
export function httpModel(protocol: WireProtocol): LanguageModel {
  const { connection } = protocol;
  return {
    provider: connection.vendor,
    name: connection.model,
    stream(request, signal) {
      const body = Promise.try(() => protocol.body(request));
      // The caller gets its failure with the events, and nobody else does.
      body.catch(() => {});
      return answer(protocol, { request, body, signal });
    },
  };
}

interface Asked {
  readonly request: ModelRequest;
  readonly body: Promise<string>;
  readonly signal: AbortSignal;
}

async function* answer(protocol: WireProtocol, { request, body, signal }: Asked): AsyncGenerator<ModelEvent> {
  const { connection } = protocol;
  const builder = new MessageBuilder({ provider: connection.vendor, model: connection.model });
  const silence = request.stream === false ? connection.silenceOfDocument : connection.silence;
  const watch = new SilenceWatch(silence, connection.host);
  let bytes: ByteReader | undefined;
  let reader: AnswerReader | undefined;
  try {
    signal.throwIfAborted();
    const prepared = await body;
    watch.listen();
    const answered = await post(connection, prepared, AbortSignal.any([signal, watch.signal])).catch(
      (error: unknown) => {
        throw protocol.explain?.(error, prepared) ?? error;
      },
    );
    watch.hear();
    const isWhole = isDocument(answered);
    const { host } = connection;
    bytes = new ByteReader(bodyOf(answered, protocol), { host, watch, mostBytes: limitOf(isWhole) });
    reader = isWhole
      ? new DocumentReader(bytes, { host, read: (answer) => protocol.read(answer, builder) })
      : new EventReader(bytes, { host, events: protocol.events(builder) });
    while (!reader.isWhole) {
      await reader.readMore();
      if (reader.isWhole) await estimateUncounted(builder, request);
      const events = builder.take();
      watch.progress(events.length);
      for (const event of events) yield event;
    }
  } catch (thrown) {
    if (signal.aborted) builder.abort();
    else builder.fail(showable(failureOf(thrown, watch), connection.key));
  } finally {
    watch.stop();
    void (reader?.isWhole ? bytes?.readOut() : bytes?.close());
  }
  for (const event of builder.take()) yield event;
}

const limitOf = (isWhole: boolean): number => (isWhole ? mostBytes.whole : mostBytes.streaming);

const typeOf = (response: Response): string => (response.headers.get("content-type") ?? "").toLowerCase();

/** Some servers stream without being asked to, and others ignore the request to stream. */
const isDocument = (response: Response): boolean => typeOf(response).startsWith("application/json");

function bodyOf(response: Response, { connection }: WireProtocol): ReadableStream<Uint8Array> {
  const isAnswer = isDocument(response) || typeOf(response).startsWith("text/event-stream");
  if (response.body !== null && isAnswer) return response.body;
  void response.body?.cancel();
  const type = typeOf(response) || "no content type";
  throw new ModelError(`${connection.host} sent ${type} instead of an answer. Is ${connection.urlName} right?`);
}

function failureOf(thrown: unknown, watch: SilenceWatch): ModelError {
  const cause: unknown = watch.signal.aborted ? watch.signal.reason : thrown;
  return cause instanceof ModelError ? cause : new ModelError(`could not call the model: ${cause}`, { cause });
}
