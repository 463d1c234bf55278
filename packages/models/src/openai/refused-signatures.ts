import { ModelError } from "../errors.ts";
import { listOf, parseJsonObject, recordOf } from "../json.ts";

/** What Google documents as the signature for calls without a usable one, such as those of another model. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** What servers say of signatures that they cannot read: those of another key, or of another way to the model. */
const REFUSAL = /(?:invalid|corrupted) thought.?signature|thought.?signature is (?:not valid|invalid|corrupted)/i;

/** The signatures of calls that a server has refused, and would refuse in every further request. */
export class RefusedSignatures {
  readonly #refused = new Set<string>();

  /** Whether a signature, as JSON, was refused. */
  has(signature: string): boolean {
    return this.#refused.has(signature);
  }

  /**
   * The failure of a request with this body, as the caller should get it. If the server refused the signatures in it, the
   * failure is transient: the next attempt goes without them.
   */
  learn(error: unknown, body: string): unknown {
    if (!(error instanceof ModelError) || error.failure.status !== 400 || !REFUSAL.test(error.message)) return error;
    const fresh = signaturesIn(body).filter((signature) => !this.#refused.has(signature));
    if (fresh.length === 0) return error;
    for (const signature of fresh) this.#refused.add(signature);
    const failure = { ...error.failure, kind: "thinking_refused", retryAfter: 0, isTransient: true };
    return new ModelError(error.message, failure);
  }
}

/** The signatures of the calls in a body, each as JSON. */
const signaturesIn = (body: string): readonly string[] =>
  listOf(parseJsonObject(body)?.["messages"])
    .flatMap((message) => listOf(recordOf(message)["tool_calls"]))
    .map((call) => recordOf(call)["extra_content"])
    .filter((extra) => extra !== undefined)
    .map((extra) => JSON.stringify(extra))
    .filter((signature) => !signature.includes(NO_SIGNATURE));
