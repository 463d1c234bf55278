import type { AssistantMessage } from "@mdx-ai/models";
import type { Histogram, Meter } from "@opentelemetry/api";
import { ATTRIBUTE, METRIC, OPERATION, providerName } from "./conventions.ts";
import { answerErrorType, inputTokens, isCounted } from "./span-attributes.ts";

/** The two metrics of model calls. */
export class ChatMetrics {
  readonly #duration: Histogram;
  readonly #tokens: Histogram;

  constructor(meter: Meter) {
    this.#duration = histogram(meter, METRIC.duration);
    this.#tokens = histogram(meter, METRIC.tokens);
  }

  /** Counts one call, which took so many milliseconds. */
  record(message: AssistantMessage, milliseconds: number): void {
    const error = answerErrorType(message);
    const call = {
      [ATTRIBUTE.operation]: OPERATION.chat,
      [ATTRIBUTE.provider]: providerName(message.provider),
      [ATTRIBUTE.requestModel]: message.model,
    };
    this.#duration.record(milliseconds / 1000, {
      ...call,
      ...(error !== undefined && { [ATTRIBUTE.errorType]: error }),
    });
    const { usage } = message;
    if (!isCounted(usage)) return;
    this.#tokens.record(inputTokens(usage), { ...call, [ATTRIBUTE.tokenType]: "input" });
    this.#tokens.record(usage.output, { ...call, [ATTRIBUTE.tokenType]: "output" });
  }
}

const histogram = (
  meter: Meter,
  { name, unit, description, bounds }: (typeof METRIC)[keyof typeof METRIC],
): Histogram => meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bounds] } });
