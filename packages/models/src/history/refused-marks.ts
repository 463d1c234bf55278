import type { UnknownRecord } from "@mdx-ai/base";
import type { Adaptation, RefusedRequest } from "../adaptations/adaptation.ts";

/** How the servers of a protocol refuse to take back what a model thought. */
export interface RefusalForm {
  /** Whether a failure with status 400 is such a refusal. */
  isRefusal(refused: RefusedRequest): boolean;
  /** What identifies the thinking in the body of a request, such as its signatures. */
  marksIn(body: UnknownRecord): readonly string[];
}

/** The marks of the thinking that a server has refused, and would refuse in every further request. */
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
    return "the server does not take back what the model thought earlier, which is left out from now on";
  }
}
