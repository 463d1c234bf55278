import { jsonValue, oneLine, recordOf, redactKey, shortened, type UnknownRecord } from "@mdx-ai/base";
import type { Adaptation } from "../adaptations/adaptation.ts";
import { Adaptations } from "../adaptations/adaptations.ts";
import { ModelError } from "../errors.ts";
import { MessageBuilder } from "../message-builder.ts";
import { schemaFamily } from "../schemas/families.ts";
import { type AdaptedRequest, ToolSchemas } from "../schemas/tool-schemas.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../types/language-model.ts";
import { estimateUncounted } from "../usage.ts";
import type { Connection } from "../vendors/connection.ts";
import { answerForm } from "./answer-form.ts";
import { type AnswerEvents, type AnswerReader, ByteReader, EventReader } from "./answer-reader.ts";
import { DocumentReader } from "./document-reader.ts";
import { post } from "./post.ts";
import { pageWords, shownAddress } from "./shown-text.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { UnreadFailure } from "./unread-failure.ts";

/** An HTTP protocol, for one model of one vendor. */
interface WireProtocol {
  readonly connection: Connection;
  /** Whether its servers can search the web. */
  readonly searchesWeb?: true;
  /** Adaptations to refusals that only this protocol has. */
  readonly adaptations: readonly Adaptation[];
  /** Required fields, besides the common ones. */
  readonly demanded?: readonly string[];
  /** The JSON body of a request. `adapt` changes fields that the server has refused. */
  body(request: ModelRequest, adapt: (fields: UnknownRecord) => UnknownRecord): string;
  /** Discards cached conversions, because something was learned. */
  forget(): void;
  /** Adds the protocol's knowledge to a failure. */
  explain?(error: ModelError): ModelError;
  /** Reads a streamed answer. */
  events(builder: MessageBuilder): AnswerEvents;
  /** Reads a complete answer from one JSON document. Throws `ModelError`. */
  read(answer: unknown, builder: MessageBuilder): void;
}

/** Bytes of a streamed and of a non-streamed answer: several times the longest. */
const mostBytes = { streaming: 64 * 1024 * 1024, whole: 16 * 1024 * 1024 } as const;

/** The model behind a protocol. */
export function httpModel(protocol: WireProtocol): LanguageModel {
  const { connection } = protocol;
  const adaptations = new Adaptations(protocol.adaptations, protocol.demanded);
  const schemas = new ToolSchemas(schemaFamily(connection));
  return {
    provider: connection.vendor,
    name: connection.model,
    ...(protocol.searchesWeb && { searchesWeb: true }),
    stream(asked, signal) {
      const request = adaptations.request(asked);
      const prepared = prepare(
        () => schemas.adapted(request),
        (adapted) => protocol.body(adapted, (fields) => adaptations.fields(fields)),
      );
      // The caller receives the failure with the events.
      prepared.catch(() => {});
      const target = { ...connection, url: adaptations.url(connection.url) };
      return answer(protocol, { request, prepared, adaptations, target, signal });
    },
  };
}

/** A prepared request. */
interface Prepared extends AdaptedRequest {
  readonly body: string;
}

/** Builds the body synchronously if nothing is asynchronous. */
function prepare(
  adapt: () => AdaptedRequest | Promise<AdaptedRequest>,
  bodyOf: (request: ModelRequest) => string,
): Promise<Prepared> {
  const prepared = (adapted: AdaptedRequest): Prepared => ({ ...adapted, body: bodyOf(adapted.request) });
  return Promise.try(() => {
    const adapted = adapt();
    return adapted instanceof Promise ? adapted.then(prepared) : prepared(adapted);
  });
}

interface Asked {
  readonly request: ModelRequest;
  readonly prepared: Promise<Prepared>;
  readonly adaptations: Adaptations;
  /** The connection with the adapted address. */
  readonly target: Connection;
  readonly signal: AbortSignal;
}

async function* answer(protocol: WireProtocol, asked: Asked): AsyncGenerator<ModelEvent> {
  const { connection } = protocol;
  const { request, prepared, target, signal } = asked;
  const builder = new MessageBuilder({ provider: connection.vendor, model: connection.model });
  const silence = request.stream === false ? connection.silenceOfDocument : connection.silence;
  const watch = new SilenceWatch(silence, connection.host);
  let bytes: ByteReader | undefined;
  let reader: AnswerReader | undefined;
  try {
    signal.throwIfAborted();
    const { body, restore } = await prepared;
    builder.restoreArguments(restore);
    watch.listen();
    const answered = await post(target, body, AbortSignal.any([signal, watch.signal]));
    watch.hear();
    const { host } = connection;
    bytes = new ByteReader(bodyOf(answered, target), { host, url: target.url, watch, mostBytes: mostBytes.streaming });
    const form = await answerForm(bytes, typeOf(answered));
    if (form === "other") throw noAnswer(answered, target, await bytes.next());
    reader =
      form === "document"
        ? new DocumentReader(bytes, {
            host,
            mostBytes: mostBytes.whole,
            read: (answer) => protocol.read(answer, builder),
          })
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
    else builder.fail(await shownFailure(await failureOf(thrown, watch), protocol, asked));
  } finally {
    watch.stop();
    void (reader?.isWhole ? bytes?.readOut() : bytes?.close());
  }
  for (const event of builder.take()) yield event;
}

/** Learns from a failed request and returns the failure as it may be shown. */
async function shownFailure(error: ModelError, protocol: WireProtocol, asked: Asked): Promise<ModelError> {
  const { showable } = await import("./failures.ts");
  return showable(await learned(error, protocol, asked), protocol.connection.key);
}

async function learned(error: ModelError, protocol: WireProtocol, asked: Asked): Promise<ModelError> {
  const { request, prepared, adaptations, target } = asked;
  const explained = protocol.explain?.(error) ?? error;
  if (error.words === undefined) return explained;
  const failure = await adaptations.learn(explained, {
    request,
    body: recordOf(jsonValue((await prepared).body)),
    url: target.url,
  });
  if (failure.failure.adapted !== undefined) protocol.forget();
  return failure;
}

const typeOf = (response: Response): string => (response.headers.get("content-type") ?? "").toLowerCase();

function bodyOf(response: Response, connection: Connection): ReadableStream<Uint8Array> {
  if (response.body === null) throw noAnswer(response, connection);
  return response.body;
}

/** `beginning`: the start of the received body. */
function noAnswer(response: Response, { host, url, urlName, key }: Connection, beginning?: Uint8Array): ModelError {
  const type = typeOf(response) || "no content type";
  const text = redactKey(new TextDecoder().decode(beginning?.subarray(0, MAX_SHOWN)), key);
  const words = shortened(oneLine(pageWords(text)), longestWords).replace(/\.$/, "");
  const sent = `${host} sent ${type} instead of an answer${words === "" ? "" : `: ${words}`}`;
  return new ModelError(`${sent}. The request went to ${shownAddress(url)}. Is ${urlName} right?`);
}

/** Bytes read of a body that is not an answer, and characters shown. */
const MAX_SHOWN = 4096;
const longestWords = 200;

async function failureOf(thrown: unknown, watch: SilenceWatch): Promise<ModelError> {
  const cause: unknown = watch.signal.aborted ? watch.signal.reason : thrown;
  if (cause instanceof UnreadFailure) return cause.failure();
  return cause instanceof ModelError ? cause : new ModelError(`could not call the model: ${cause}`, { cause });
}
