import type { UnknownRecord } from "@mdx-ai/base";
import { contextExceeded, ModelError } from "../errors.ts";
import type { ModelRequest } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of a request that a server would not take as it is; undefined stands for a failure in mid-stream. */
const refusals: readonly (number | undefined)[] = [undefined, 400, 402, 404, 405, 413, 415, 422, 500, 501];

/** The adaptations of one open model. */
export class Adaptations {
  #list: readonly Adaptation[];
  readonly #demanded: readonly string[];
  #isComplete = false;

  /** `own` are those of the protocol, which come before those of all, and `demanded` the fields that it demands. */
  constructor(own: readonly Adaptation[], demanded: readonly string[] = []) {
    this.#list = own;
    this.#demanded = demanded;
  }

  /** A request as it is to be asked. */
  request(request: ModelRequest): ModelRequest {
    return this.#list.reduce((adapted, adaptation) => adaptation.request?.(adapted) ?? adapted, request);
  }

  /** The fields of a body as they are to be sent. */
  fields(fields: UnknownRecord): UnknownRecord {
    return this.#list.reduce((adapted, adaptation) => adaptation.fields?.(adapted) ?? adapted, fields);
  }

  /** Where a request is to be sent to. */
  url(url: string): string {
    return this.#list.reduce((adapted, adaptation) => adaptation.url?.(adapted) ?? adapted, url);
  }

  /**
   * The failure of a request, as the caller should get it. If something was learned from it, it says what (`adapted`),
   * and that the same request may be sent again at once.
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

  /** Those of all protocols are loaded when a server refuses something for the first time. */
  async #all(): Promise<readonly Adaptation[]> {
    if (!this.#isComplete) {
      const { commonAdaptations } = await import("./common-adaptations.ts");
      if (!this.#isComplete) this.#list = [...this.#list, ...commonAdaptations(this.#demanded)];
      this.#isComplete = true;
    }
    return this.#list;
  }
}

/** Compaction would be the wrong answer to a request that fits after a change. */
function adaptedFailure({ message, words, failure }: ModelError, adapted: string): ModelError {
  const { kind, ...rest } = failure;
  const known = kind === undefined || kind === contextExceeded ? rest : { ...rest, kind };
  return new ModelError(message, { ...known, isTransient: true, retryAfter: 0, adapted, ...(words && { words }) });
}
