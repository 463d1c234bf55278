import { describe, expect, test } from "bun:test";
import { readLongAnswer } from "../../support/answer-memory.ts";
import { answerEvents } from "../../support/anthropic-replies.ts";
import { streamBytes } from "../../support/anthropic-server.ts";

/** More than a client needs for what it lets through, and less than what is sent. MiB. */
const MAX_GROWTH = 300;

const [start, end] = ["", ""];
const stream = { type: "text/event-stream", start, end };
const [messageStart, , blockStart, ...rest] = answerEvents([{ text: [] }]);
const framed = (...events: readonly ({ readonly type: string } | undefined)[]): string =>
  new TextDecoder().decode(streamBytes(events.filter((event) => event !== undefined)));
const delta = framed({
  type: "content_block_delta",
  ...{ index: 0, delta: { type: "text_delta", text: "more and more and more" } },
});

describe("an answer that would fill the memory ends in an error, with the memory bounded", () => {
  test.each([
    {
      title: "100 MiB of text",
      answer: { ...stream, start: framed(messageStart, blockStart), more: delta, size: 100, end: framed(...rest) },
      says: "an answer that is too long",
    },
    {
      title: "one line of 50 MiB",
      answer: {
        ...stream,
        start: `${framed(messageStart, blockStart)}data: {"type":"content_block_delta","index":0,"delta":{"text":"`,
        more: "x",
        size: 50,
        end: `"}}\n\n${framed(...rest)}`,
      },
      says: "an event that is too long",
    },
    {
      title: "one event of lines without end",
      answer: { ...stream, more: "data: more and more\n", size: Number.POSITIVE_INFINITY },
      says: "an event that is too long",
    },
    {
      title: "pings without end",
      answer: { ...stream, more: framed({ type: "ping" }), size: Number.POSITIVE_INFINITY },
      says: "an answer that is too long",
    },
    {
      title: "a comment without end",
      answer: { ...stream, start: ": ", more: "and so on", size: Number.POSITIVE_INFINITY },
      says: "that is too long",
    },
    {
      title: "blocks without end",
      answer: {
        ...stream,
        start: framed(messageStart),
        more: framed(blockStart, { type: "content_block_stop", ...{ index: 0 } }),
        size: Number.POSITIVE_INFINITY,
      },
      says: "that is too long",
    },
    {
      title: "a document without end, where no stream was asked for",
      answer: {
        type: "application/json",
        start: '{"content":[{"type":"text","text":"',
        more: "x",
        size: Number.POSITIVE_INFINITY,
        end,
      },
      says: "an answer that is too long",
    },
    {
      title: "a document of 100 MiB",
      answer: { type: "application/json", start: '{"content":[', more: "[],", size: 100, end: "[]]}" },
      says: "an answer that is too long",
    },
  ])("$title", async ({ title, answer, says }) => {
    const { end, growth } = await readLongAnswer("claude-test", answer);
    console.log(`${title}: the memory grew by ${growth.toFixed(0)} MiB`);
    expect(end).toContain(says);
    expect(growth).toBeLessThan(MAX_GROWTH);
  });
});
