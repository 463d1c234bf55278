import { expect, test } from "bun:test";
import type { Message, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import { claimResults } from "../../../packages/models/src/history/claim-results.ts";

const call = (id: string): ToolCall => ({ type: "toolCall", id, name: "look", arguments: {} });

const result = (toolCallId: string, timestamp: number): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "look",
  content: [],
  isError: false,
  timestamp,
});

const input: Message = { role: "user", content: [], timestamp: 0 };

test("results are claimed in the order of the calls, each by one call alone", () => {
  const [first, second, third] = [result("a", 1), result("b", 2), result("a", 3)];
  expect(claimResults([call("b"), call("a"), call("a"), call("a")], [first, input, second, third])).toStrictEqual([
    second,
    first,
    third,
    undefined,
  ]);
});

test("a result that answers none of the calls is left", () => {
  expect(claimResults([call("a")], [result("x", 1), input])).toStrictEqual([undefined]);
  expect(claimResults([], [result("x", 1)])).toEqual([]);
});
