import type { Connection } from "../http/connection.ts";
import { endless, type Send, sendOnce } from "../http/send-once.ts";
import { listOf, recordOf } from "../record.ts";

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

/**
 * Nothing leaves before `ready` resolves. `keyHeader` is the one that holds the key; it and the others that leave are set
 * with each request, since the SDK also takes some from OPENAI_CUSTOM_HEADERS and other variables of the process.
 */
export const sdkSettings = ({ key }: Connection, ready: Promise<void>, keyHeader: string): SdkSettings => ({
  // The SDK demands one, also where the server does not.
  apiKey: key || "none",
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  logLevel: "off",
  maxRetries: 0,
  timeout: endless,
  fetch: sendOnce({ ready, headers: new RegExp(`^(?:accept|content-type|${keyHeader})$`) }),
});

/** An error of the SDK with what the server said made plain: Gemini wraps it in a list, and others give codes as numbers. */
export function plainError(thrown: unknown): unknown {
  const { status, headers, error } = recordOf(thrown);
  const inner = recordOf(recordOf(listOf(error)[0])["error"]);
  if (typeof status !== "number" || typeof inner["message"] !== "string") return thrown;
  return { status, headers, type: inner["status"], message: inner["message"] };
}
