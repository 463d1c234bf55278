import { expect } from "bun:test";
import { inspect } from "node:util";
import { ModelError, type ModelEvent } from "@mdx-ai/models";
import { endOf } from "./model-request.ts";

/** The key that servers of tests are asked with. */
const testKey = "sk-ant-test-key";

/** The error that ends an answer, after a check that it is well told, kept in the message, and without the key. */
export function failureOf(events: readonly ModelEvent[]): ModelError {
  const end = endOf(events);
  if (end.type !== "error" || !(end.error instanceof ModelError)) throw new Error(`no model error: ${inspect(end)}`);
  const { message, failure, stack } = end.error;
  expect(end.message).toMatchObject({ stopReason: "error", errorMessage: message, failure });
  expect(message).not.toContain("\n");
  expect(`${inspect(end, { depth: 20, showHidden: true })} ${stack}`).not.toContain(testKey);
  return end.error;
}
