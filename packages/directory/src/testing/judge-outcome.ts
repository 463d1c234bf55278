import type { ExampleExpectation, JsonValue } from "@mdx-ai/parser";
import { jsonDifference, shownText, textDifference } from "../comparing/text-difference.ts";
import type { TestFailure } from "./run-cases.ts";

/** The result of a call: its text, or the text of its error. */
export interface CallOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** Why an outcome differs from what an example expects; undefined if it does not. */
export async function judgeOutcome(
  expected: ExampleExpectation,
  outcome: CallOutcome,
): Promise<TestFailure | undefined> {
  const lines = shownText(outcome.text);
  if (expected.type === "error") return judgeError(expected.text, outcome);
  if (outcome.isError) return { message: "the tool failed", lines };
  switch (expected.type) {
    case "success":
      return undefined;
    case "contains":
      if (outcome.text.includes(expected.text)) return undefined;
      return { message: `the result does not contain ${JSON.stringify(expected.text)}`, lines };
    case "result":
      return judgeResult(expected.value, outcome.text);
    default:
      return expected satisfies never;
  }
}

function judgeError(expected: string, { text, isError }: CallOutcome): TestFailure | undefined {
  const lines = shownText(text);
  if (!isError)
    return { message: `an error was expected (${JSON.stringify(expected)}), and the tool succeeded`, lines };
  return text.includes(expected)
    ? undefined
    : { message: `the error does not contain ${JSON.stringify(expected)}`, lines };
}

const DIFFERENT = "the result differs (- expected, + received)";

async function judgeResult(expected: JsonValue, text: string): Promise<TestFailure | undefined> {
  if (typeof expected === "string") {
    return text === expected ? undefined : { message: DIFFERENT, lines: await textDifference(expected, text) };
  }
  const received = readJson(text);
  if (received === undefined)
    return { message: "JSON was expected, and the result is not JSON", lines: shownText(text) };
  if (Bun.deepEquals(received.value, expected, true)) return undefined;
  return { message: DIFFERENT, lines: await jsonDifference(expected, received.value) };
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}
