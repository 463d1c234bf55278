import type { UnknownRecord } from "@mdx-ai/base";
import { contextExceeded, ModelError } from "../errors.ts";
import type { ModelRequest } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of a refused request; undefined is a failure in mid-stream. */
const refusals: readonly (number | undefined)[] = [undefined, 400, 402, 404, 405, 413, 415, 422, 500, 501];

/** The adaptations of one open model. */
export class Adaptations {
  #list: readonly Adaptation[];
  readonly #demanded: readonly string[];
  #isComplete = false;

  /** `own`: the protocol's adaptations, applied before the common ones. `demanded`: fields that the protocol requires. */
  constructor(own: readonly Adaptation[], demanded: readonly string[] = []) {
    this.#list = own;
    this.#demanded = demanded;
  }

  /** Adapts a request. */
  request(request: ModelRequest): ModelRequest {
    return this.#list.reduce((adapted, adaptation) => adaptation.request?.(adapted) ?? adapted, request);
  }

  /** Adapts the fields of a body. */
  fields(fields: UnknownRecord): UnknownRecord {
    return this.#list.reduce((adapted, adaptation) => adaptation.fields?.(adapted) ?? adapted, fields);
  }

  /** Adapts the address. */
  url(url: string): string {
    return this.#list.reduce((adapted, adaptation) => adaptation.url?.(adapted) ?? adapted, url);
  }

  /**
   * Learns from a failed request and returns the failure for the caller. If something was learned, `adapted` says what, and the same
   * request may be sent again at once.
   */
  async learn(error: ModelError, asked: Pick<RefusedRequest, "request" | "body" | "url">): Promise<ModelError> {
    const { failure, words } = error;
    if (words === undefined || !refusals.includes(failure.status)) return error;
    const refused: RefusedRequest = {
      status: failure.status,
      isTooLong: failure.kind === contextExceeded,
      ...words,
      ...asked,
    };
    for (const adaptation of await this.#all()) {
      const adapted = adaptation.learn(refused);
      if (adapted !== undefined) return adaptedFailure(error, adapted);
    }
    return error;
  }

  /** The common adaptations are loaded at the first refusal. */
  async #all(): Promise<readonly Adaptation[]> {
    if (!this.#isComplete) {
      const { commonAdaptations } = await import("./common-adaptations.ts");
      if (!this.#isComplete) this.#list = [...this.#list, ...commonAdaptations(this.#demanded)];
      this.#isComplete = true;
    }
    return this.#list;
  }
}

/** Prevents compaction for a request that fits after a change. */
function adaptedFailure({ message, words, failure }: ModelError, adapted: string): ModelError {
  const { kind, ...rest } = failure;
  const known = kind === undefined || kind === contextExceeded ? rest : { ...rest, kind };
  return new ModelError(message, { ...known, isTransient: true, retryAfter: 0, adapted, ...(words && { words }) });
}
