import { noRedactor, type Redactor } from "@mdx-ai/base";
import type { Serde } from "@restatedev/restate-sdk";

/** JSON without secrets. */
export const redactedJson = <Value = unknown>(redactor: Redactor): Serde<Value> => ({
  contentType: "application/json",
  serialize: (value) => new TextEncoder().encode(redactor.json(value ?? null)),
  deserialize: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
});

export const plainJson: Serde<unknown> = redactedJson(noRedactor);
