import type { AiSdkModel } from "@mdx-ai/models";

/** What a provider does when it is asked: streams parts, gives a document, or fails. */
export interface ProviderAnswer {
  readonly parts?: readonly unknown[];
  /** After the parts the stream stays open. */
  readonly hangs?: boolean;
  /** After the parts the stream fails with this. */
  readonly breaksWith?: unknown;
  readonly document?: unknown;
  /** The call itself fails with this. */
  readonly rejectsWith?: unknown;
}

export interface AiSdkProvider extends AiSdkModel {
  /** What it was called with, as JSON has it: undefined and signals are left out. */
  readonly calls: readonly { readonly [option: string]: unknown }[];
  /** Whether its last stream was cancelled. */
  readonly isCancelled: boolean;
}

/** A provider of the AI SDK that is written by hand; it has an answer for each call. */
export function aiSdkProvider(answers: readonly ProviderAnswer[], specificationVersion = "v4"): AiSdkProvider {
  const calls: { readonly [option: string]: unknown }[] = [];
  const waiting = [...answers];
  const state = { isCancelled: false };
  const take = (options: object): ProviderAnswer => {
    calls.push(JSON.parse(JSON.stringify(options)));
    const answer = waiting.shift() ?? {};
    if ("rejectsWith" in answer) throw answer.rejectsWith;
    return answer;
  };
  return {
    specificationVersion,
    provider: "hand.written",
    modelId: "model-1",
    calls,
    get isCancelled() {
      return state.isCancelled;
    },
    doGenerate: async (options) => take(options).document,
    doStream: async (options) => {
      const answer = take(options);
      return { stream: partStream(answer, () => (state.isCancelled = true)) };
    },
  };
}

function partStream({ parts = [], hangs, ...answer }: ProviderAnswer, onCancel: () => void): ReadableStream<unknown> {
  const left = [...parts];
  return new ReadableStream({
    async pull(controller) {
      if (left.length > 0) return controller.enqueue(left.shift());
      if (hangs) return new Promise(() => {});
      if ("breaksWith" in answer) return controller.error(answer.breaksWith);
      return controller.close();
    },
    cancel: onCancel,
  });
}

const noCounts = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

/** The last part of an answer, as version 4 has it. */
export function finishPart(unified = "stop", raw: string | undefined = unified, usage: unknown = {}): unknown {
  return {
    type: "finish",
    finishReason: { unified, raw },
    usage: { inputTokens: noCounts, outputTokens: { total: undefined }, ...Object(usage) },
  };
}

/** The parts of a text that came in deltas. */
export function textParts(id: string, ...deltas: string[]): unknown[] {
  return [
    { type: "text-start", id },
    ...deltas.map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}
