import { type Environment, isRecord } from "@mdx-ai/base";
import { ModelError } from "./errors.ts";
import { post } from "./http/post.ts";
import { UnreadFailure } from "./http/unread-failure.ts";
import { parseModelReference } from "./model-reference.ts";
import { accessTo } from "./vendors/access.ts";
import { type Connection, connect } from "./vendors/connection.ts";

/** Turns texts into vectors, which are near each other for texts of similar meaning. */
export interface Embedder {
  /** As the user writes it. Vectors of different names cannot be compared. */
  readonly name: string;
  /** One vector a text, in order. Sends one request without retries. Rejects with `ModelError`. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Milliseconds that an answer may take. */
const PATIENCE = 60_000;

/**
 * An embedding model behind OpenAI's protocol, such as `openai/text-embedding-3-small` or `ollama/nomic-embed-text`, with the vendor's key
 * and address. Throws `UnknownProviderError`, `MissingKeyError`, or `ModelError` if the vendor has no embeddings.
 */
export function openEmbedder(reference: string, environment: Environment): Embedder {
  const meant = parseModelReference(reference);
  if (meant.provider !== "vendor" || meant.vendor.protocol === "anthropic")
    throw new ModelError(`${reference} has no embeddings; name a model such as openai/text-embedding-3-small`);
  const connected = connect(accessTo(meant.vendor, {}, environment), meant.name);
  const url = connected.url.replace(/\/(?:chat\/completions|responses)(?=\?|$)/, "/embeddings");
  return { name: reference.trim(), embed: (texts) => embeddings({ ...connected, url }, texts) };
}

async function embeddings(connection: Connection, input: readonly string[]): Promise<readonly Float32Array[]> {
  const body = JSON.stringify({ model: connection.model, input, encoding_format: "float" });
  try {
    const response = await post(connection, body, AbortSignal.timeout(PATIENCE));
    const answer: unknown = await response.json();
    const vectors = vectorsIn(answer);
    if (vectors.length === input.length) return vectors;
    throw new ModelError(`${connection.host} sent no embeddings`);
  } catch (thrown) {
    const { showable } = await import("./http/failures.ts");
    throw showable(await failureOf(thrown, connection), connection.key);
  }
}

const failureOf = async (thrown: unknown, { host }: Connection): Promise<ModelError> =>
  thrown instanceof UnreadFailure
    ? thrown.failure()
    : thrown instanceof ModelError
      ? thrown
      : new ModelError(`${host} sent no embeddings: ${thrown}`, { cause: thrown });

/** The vectors of an answer in the order of the texts; empty if it has another form or they differ in length. */
function vectorsIn(answer: unknown): readonly Float32Array[] {
  const data: readonly unknown[] = isRecord(answer) && Array.isArray(answer["data"]) ? answer["data"] : [];
  const found = data.flatMap((one, at) => {
    if (!isRecord(one) || !isNumbers(one["embedding"])) return [];
    return [{ index: Number(one["index"] ?? at), vector: Float32Array.from(one["embedding"]) }];
  });
  const vectors = found.toSorted((one, other) => one.index - other.index).map(({ vector }) => vector);
  return vectors.every(({ length }) => length > 0 && length === vectors[0]?.length) ? vectors : [];
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
