import { describe, expect, test } from "bun:test";
import { readLongAnswer } from "../../support/answer-memory.ts";
import { answerChunks, type Chunk } from "../../support/openai-replies.ts";

/** More than a client needs for what it lets through, and less than what is sent. MiB. */
const MAX_GROWTH = 400;

const framed = (...chunks: readonly (Chunk | undefined)[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

const [begin, delta, ...rest] = answerChunks([{ text: ["more and more and more"] }]);
const end = `${framed(...rest)}data: [DONE]\n\n`;
const stream = { type: "text/event-stream", start: framed(begin), end };
const document = { type: "application/json", start: '{"choices":[{"message":{"content":"', end: '"}}]}' };

describe("an answer that would fill the memory ends in an error, with the memory bounded", () => {
  test.each([
    { title: "100 MiB of text", answer: { ...stream, more: framed(delta), size: 100 } },
    {
      title: "one line of 50 MiB",
      answer: {
        ...stream,
        start: 'data: {"choices":[{"delta":{"content":"',
        more: "x",
        size: 50,
        end: `"}}]}\n\n${end}`,
      },
    },
    {
      title: "calls without end",
      answer: {
        ...stream,
        more: framed({
          choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: " ".repeat(1000) } }] } }],
        }),
        size: Number.POSITIVE_INFINITY,
      },
    },
    { title: "comments without end", answer: { ...stream, more: ": and so on\n\n", size: Number.POSITIVE_INFINITY } },
    { title: "a document of 100 MiB", answer: { ...document, more: "x", size: 100 } },
  ])("$title", async ({ title, answer }) => {
    const { end, growth } = await readLongAnswer("openai/llama", answer);
    console.log(`${title}: the memory grew by ${growth.toFixed(0)} MiB`);
    expect(end).toContain("that is too long");
    expect(growth).toBeLessThan(MAX_GROWTH);
  });
});
