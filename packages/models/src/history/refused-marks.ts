import type { UnknownRecord } from "@mdx-ai/base";
import type { Adaptation, RefusedRequest } from "../adaptations/adaptation.ts";

/** How a protocol's servers reject thinking that is sent back. */
export interface RefusalForm {
  /** Whether a failure with status 400 is such a rejection. */
  isRefusal(refused: RefusedRequest): boolean;
  /** Identifies the thinking in a request's body, for example by signatures. */
  marksIn(body: UnknownRecord): readonly string[];
}

/** Remembers thinking that a server has rejected, since it would reject every later request with it. */
export class RefusedMarks implements Adaptation {
  readonly #form: RefusalForm;
  readonly #refused = new Set<string>();

  constructor(form: RefusalForm) {
    this.#form = form;
  }

  has(mark: string): boolean {
    return this.#refused.has(mark);
  }

  learn(refused: RefusedRequest): string | undefined {
    if (refused.status !== 400 || !this.#form.isRefusal(refused)) return undefined;
    const marks = this.#form.marksIn(refused.body);
    if (marks.length === 0) return undefined;
    for (const mark of marks) this.#refused.add(mark);
    return "the server does not accept the model's earlier thinking, which is left out from now on";
  }
}
