import { expect, test } from "bun:test";
import type { Compaction } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { conversationOf, exchange, toolTurn } from "../../../../test/support/conversation.ts";
import { assistantMessage, userMessage } from "../../../../test/support/model-request.ts";
import { firstNeeded, forgetUnsent, sentMessages } from "./sent-messages.ts";

test("without a policy the transcript itself is sent, not a copy of it", () => {
  const conversation = conversationOf(...exchange("a", "b"));
  expect(sentMessages(conversation, {})).toBe(conversation.messages);
  expect(sentMessages(conversation, { messages: 2 })).toBe(conversation.messages);
});

/** One letter a message: a user's, an answer's, a tool turn's two. */
const shape = (messages: readonly Message[]): string =>
  messages.map(({ role }) => ({ user: "u", assistant: "a", toolResult: "r" })[role]).join("");

const asked = [...exchange("1", "1"), ...exchange("2", "2"), ...exchange("3", "3")];
const worked = [userMessage("go"), ...toolTurn("a", "1"), ...toolTurn("b", "2"), ...toolTurn("c", "3")];

test.each<[string, Message[], number, string]>([
  ["ends where the transcript does", [...asked, userMessage("4")], 20, "uauauau"],
  ["holds the last N where the first of these is the user's", [...asked, userMessage("4")], 3, "uau"],
  ["begins at the first message of the user among the last N", [...asked, userMessage("4")], 4, "uau"],
  ["goes back to the user's newest message where none is among the last N", [...asked, ...worked], 3, "uararar"],
  ["of one message is the user's newest", asked, 1, "ua"],
  ["never begins with a result whose call is left out", [...worked, ...exchange("x", "y")], 3, "ua"],
  ["is empty where nothing was said", [], 5, ""],
  ["is whole where the user never spoke", [assistantMessage([{ type: "text", text: "hm" }])], 1, "a"],
])("a window of N messages %s", (_name, messages, count, expected) => {
  const sent = sentMessages(conversationOf(...messages), { messages: count });
  expect(shape(sent)).toBe(expected);
  expect(sent).toEqual(messages.slice(messages.length - sent.length));
});

const compaction = (replaced: number): Compaction => ({
  summary: "s",
  kept: [],
  message: userMessage("what came before"),
  replaced,
  made: replaced,
  before: 100,
  after: 10,
  measured: "estimate",
  answer: assistantMessage([{ type: "text", text: "s" }]),
  timestamp: 0,
});

test("a summary is sent instead of what it replaces, and is the same message from turn to turn", () => {
  const conversation = { first: 0, messages: [...asked, userMessage("4")], compaction: compaction(4) };
  const [summary, ...rest] = sentMessages(conversation, {});
  expect(summary).toBe(conversation.compaction.message);
  expect(rest).toEqual(conversation.messages.slice(4));
  conversation.messages.push(...worked);
  expect(sentMessages(conversation, {})[0]).toBe(conversation.compaction.message);
  expect(sentMessages(conversation, {})).toHaveLength(1 + 3 + worked.length);
});

test("a window leaves out what a summary replaces, and the summary stays in front of it", () => {
  const conversation = { first: 0, messages: [...asked, userMessage("4")], compaction: compaction(2) };
  expect(shape(sentMessages(conversation, { messages: 3 }))).toBe("uuau");
  expect(shape(sentMessages(conversation, { messages: 20 }))).toBe("uuauau");
});

test("what is forgotten between two prompts does not move a window within what a summary left", () => {
  const said = [...asked.slice(0, 3), ...toolTurn("a", "1"), assistantMessage([{ type: "text", text: "done" }])];
  const whole = { first: 0, messages: [...said], compaction: compaction(5) };
  const held = { first: 0, messages: [...said], compaction: compaction(5) };
  forgetUnsent(held, { messages: 4 });
  for (const conversation of [whole, held]) conversation.messages.push(userMessage("4"));
  expect(shape(sentMessages(whole, { messages: 4 }))).toBe("uu");
  expect(sentMessages(held, { messages: 4 })).toStrictEqual([...sentMessages(whole, { messages: 4 })]);
});

test("a window that begins with the first message that is held needs no older one", () => {
  const held = { first: 10, messages: worked, compaction: undefined };
  expect(firstNeeded(held, { messages: 3 })).toBe(10);
  expect(firstNeeded({ ...held, messages: worked.slice(1) }, { messages: 3 })).toBeUndefined();
});
