import type { Measure } from "./message-size.ts";
import { tokenEstimate } from "./message-size.ts";
import { type MeterOptions, RequestMeter, type RequestSize } from "./request-meter.ts";

/** The size of a request, and the estimate in its provider's measure. */
export interface Yardstick {
  readonly size: RequestSize;
  readonly measure: Measure;
  /** Of the same request with another conversation. Tokens. */
  sizeWith(conversation: MeterOptions["conversation"]): Promise<number>;
}

/** Some servers count only what they had not cached; such a count is not to be trusted. */
const LEAST_SHARE = 0.5;

/** Tokenizers differ: what the provider counted tells how the estimate is to be stretched for it. */
export async function requestYardstick(options: MeterOptions): Promise<Yardstick> {
  const meter = new RequestMeter(options);
  const [counted, estimated, estimate] = await Promise.all([meter.size(), meter.estimate(), tokenEstimate()]);
  const isTrusted = counted.tokens >= estimated * LEAST_SHARE;
  const scale = isTrusted ? counted.tokens / estimated : 1;
  return {
    size: isTrusted ? counted : { tokens: estimated, measured: "estimate" },
    measure: { text: (text) => estimate.text(text) * scale, image: estimate.image * scale },
    sizeWith: async (conversation) =>
      Math.ceil((await new RequestMeter({ ...options, conversation }).estimate()) * scale),
  };
}
