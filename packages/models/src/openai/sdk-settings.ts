import type { Connection } from "../http/connection.ts";
import { type Send, sendOnce } from "../http/send-once.ts";
import { listOf, recordOf } from "../record.ts";

/** All headers that leave, each set by us: the SDK also takes some from OPENAI_CUSTOM_HEADERS and others of the process. */
const ownHeaders = /^(?:accept|api-key|authorization|content-type)$/;

/** The longest that a timer can wait. How long to wait for an answer is decided elsewhere. */
const never = 2 ** 31 - 1;

/** What both clients of the SDK are set to: nothing from the environment, no log, no repetition. */
interface SdkSettings {
  readonly apiKey: string;
  readonly adminAPIKey: null;
  readonly organization: null;
  readonly project: null;
  readonly webhookSecret: null;
  readonly logLevel: "off";
  readonly maxRetries: 0;
  readonly timeout: number;
  readonly fetch: Send;
}

/** Nothing leaves before `ready` resolves. */
export const sdkSettings = ({ key }: Connection, ready: Promise<void>): SdkSettings => ({
  // The SDK demands one, also where the server does not; what is sent as the key are headers of ours.
  apiKey: key || "none",
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  logLevel: "off",
  maxRetries: 0,
  timeout: never,
  fetch: sendOnce({ ready, headers: ownHeaders }),
});

/** An error of the SDK with what the server said made plain: Gemini wraps it in a list, and others give codes as numbers. */
export function plainError(thrown: unknown): unknown {
  const { status, headers, error } = recordOf(thrown);
  const inner = recordOf(recordOf(listOf(error)[0])["error"]);
  if (typeof status !== "number" || typeof inner["message"] !== "string") return thrown;
  return { status, headers, type: inner["status"], message: inner["message"] };
}
