import { describe, expect, test } from "bun:test";
import { isAssistantMessage, isToolResultMessage, isUserMessage } from "@mdx-ai/models";
import { assistantMessage, toolResult, userMessage } from "../support/model-request.ts";

const image = { type: "image", data: "aGk=", mimeType: "image/png" };
const user = { ...userMessage("hi"), content: [{ type: "text", text: "" }, image] };
const result = { ...toolResult("c", "ok"), details: { any: [1] } };
const call = { type: "toolCall", id: "c", name: "t", arguments: { deep: { list: [1] } }, malformed: "{" };
const thinking = { type: "thinking", thinking: "", signature: "s", redacted: "r" };
const assistant = {
  ...assistantMessage([]),
  content: [{ type: "text", text: "a" }, thinking, call],
  errorMessage: "e",
};

const guards = [
  { name: "isUserMessage", guard: isUserMessage, good: user, fields: ["role", "content", "timestamp"] },
  {
    name: "isToolResultMessage",
    guard: isToolResultMessage,
    good: result,
    fields: ["role", "toolCallId", "toolName", "content", "isError", "timestamp"],
  },
  {
    name: "isAssistantMessage",
    guard: isAssistantMessage,
    good: assistant,
    fields: ["role", "content", "provider", "model", "usage", "stopReason", "timestamp"],
  },
];

describe.each(guards)("$name", ({ name, guard, good, fields }) => {
  test("accepts its own message, also after a trip through JSON, and with fields of a later version", () => {
    expect(guard(good)).toBe(true);
    expect(guard(JSON.parse(JSON.stringify(good)))).toBe(true);
    expect(guard({ ...good, later: 1 })).toBe(true);
  });

  test("refuses what is no message", () => {
    for (const value of [undefined, null, 1, "user", [], [good], {}, { role: "user" }])
      expect(guard(value)).toBe(false);
    for (const other of guards) if (other.name !== name) expect(guard(other.good)).toBe(false);
  });

  test("refuses a message that lacks a field or has another kind of value in it", () => {
    for (const field of fields) {
      for (const value of [undefined, null, {}, [null], Number.NaN])
        expect(guard({ ...good, [field]: value })).toBe(false);
    }
  });
});

test.each([
  { type: "text" },
  { type: "thinking", thinking: "t", signature: 1 },
  { type: "thinking", signature: "s" },
  { type: "toolCall", id: "c", name: "t", arguments: [] },
  { type: "toolCall", id: "c", name: "t", arguments: null },
  { type: "toolCall", id: 1, name: "t", arguments: {} },
  { type: "toolCall", id: "c", name: "t", arguments: {}, signature: 1 },
  { type: "text", text: "", signature: 1 },
  image,
  null,
  "text",
])("an assistant message with the block %j is refused", (block) => {
  expect(isAssistantMessage({ ...assistant, content: [block] })).toBe(false);
});

test.each([{ type: "text", text: 1 }, { type: "image", data: "x" }, call, null])(
  "a user message and a tool result with the block %j are refused",
  (block) => {
    expect(isUserMessage({ ...user, content: [block] })).toBe(false);
    expect(isToolResultMessage({ ...result, content: [block] })).toBe(false);
  },
);

test("an assistant message with an unknown stop reason, half a usage or an error that is no text is refused", () => {
  expect(isAssistantMessage({ ...assistant, stopReason: "tired" })).toBe(false);
  expect(isAssistantMessage({ ...assistant, usage: { input: 1 } })).toBe(false);
  expect(isAssistantMessage({ ...assistant, errorMessage: 1 })).toBe(false);
});
