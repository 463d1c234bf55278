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

/** A protocol over HTTP, as one model of one vendor is asked in it. */
interface WireProtocol {
  readonly connection: Connection;
  /** How requests change after refusals that only this protocol knows. */
  readonly adaptations: readonly Adaptation[];
  /** The fields that no body lacks, besides those that every protocol has. */
  readonly demanded?: readonly string[];
  /** The body of a request, JSON. `adapt` changes its fields, as far as the server has refused some. */
  body(request: ModelRequest, adapt: (fields: UnknownRecord) => UnknownRecord): string;
  /** Forgets what was converted for earlier requests: something was learned since. */
  forget(): void;
  /** A failure, if the protocol knows more about it. */
  explain?(error: ModelError): ModelError;
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
  const adaptations = new Adaptations(protocol.adaptations, protocol.demanded);
  const schemas = new ToolSchemas(schemaFamily(connection));
  return {
    provider: connection.vendor,
    name: connection.model,
    stream(asked, signal) {
      const request = adaptations.request(asked);
      const prepared = prepare(
        () => schemas.adapted(request),
        (adapted) => protocol.body(adapted, (fields) => adaptations.fields(fields)),
      );
      // The caller gets its failure with the events, and nobody else does.
      prepared.catch(() => {});
      const target = { ...connection, url: adaptations.url(connection.url) };
      return answer(protocol, { request, prepared, adaptations, target, signal });
    },
  };
}

/** A request as it is sent. */
interface Prepared extends AdaptedRequest {
  readonly body: string;
}

/** Makes the body at once where nothing has to be waited for. */
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
  /** The connection, at the address that is asked. */
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

/** The failure of a request as it may be shown, after a look at what can be learned from it. */
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

/** `beginning` is the start of what came instead. */
function noAnswer(response: Response, { host, url, urlName, key }: Connection, beginning?: Uint8Array): ModelError {
  const type = typeOf(response) || "no content type";
  const text = redactKey(new TextDecoder().decode(beginning?.subarray(0, MAX_SHOWN)), key);
  const words = shortened(oneLine(pageWords(text)), longestWords).replace(/\.$/, "");
  const sent = `${host} sent ${type} instead of an answer${words === "" ? "" : `: ${words}`}`;
  return new ModelError(`${sent}. It was asked at ${shownAddress(url)}. Is ${urlName} right?`);
}

/** Bytes of what is no answer that are looked at, and characters that are shown. */
const MAX_SHOWN = 4096;
const longestWords = 200;

async function failureOf(thrown: unknown, watch: SilenceWatch): Promise<ModelError> {
  const cause: unknown = watch.signal.aborted ? watch.signal.reason : thrown;
  if (cause instanceof UnreadFailure) return cause.failure();
  return cause instanceof ModelError ? cause : new ModelError(`could not call the model: ${cause}`, { cause });
}
