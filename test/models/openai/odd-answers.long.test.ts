import { describe, expect, test } from "bun:test";
import { check, done, type Row, say, stop, unread } from "../../support/odd-openai.ts";
import { callChunk, chunk, events, readRaw } from "../../support/raw-server.ts";

describe("the form of an answer", () => {
  const document = JSON.stringify({
    choices: [{ message: { role: "assistant", content: "Hi ä" }, finish_reason: "stop" }],
  });
  const stream = events(say("Hi "), say("ä"), stop, done);
  const types = ["text/event-stream", "application/json", "text/plain", "text/html", "application/octet-stream", ""];
  const bodies = [
    ["a document", document],
    ["a document after blanks", `\n \n${document}`],
    ["a stream", stream],
    ["a stream after a comment", `: ping\n\n${stream}`],
    ["a stream after a byte order mark", `\uFEFF${stream}`],
  ] as const;
  test.each(bodies.flatMap(([title, body]) => types.map((type) => ({ title, type, body }))))(
    "$title as $type",
    async ({ title, type, body }) => check({ title, answer: { body, type }, content: ["Hi ä"] }),
  );

  test.each<Row>([
    {
      title: "message instead of delta, with pieces",
      answer: events(...["Hel", "lo"].map((content) => ({ choices: [{ message: { content } }] })), stop, done),
      content: ["Hello"],
    },
    {
      title: "message instead of delta, with all so far",
      answer: events(
        ...["Hel", "Hello", "Hello you"].map((content) => ({ choices: [{ message: { content } }] })),
        stop,
        done,
      ),
      content: ["Hello you"],
    },
    {
      title: "a whole message after the deltas",
      answer: events(
        say("Hel"),
        say("lo"),
        { choices: [{ delta: {}, message: { content: "Hello" }, finish_reason: "stop" }] },
        done,
      ),
      content: ["Hello"],
    },
    {
      title: "a whole message in the last chunk without a delta",
      answer: events(say("Hel"), say("lo"), { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] }),
      content: ["Hello"],
    },
    {
      title: "a whole message with the calls and thinking of the deltas",
      answer: events(
        chunk({ reasoning: "Hm" }),
        callChunk({ index: 0, id: "1" }, { name: "t", arguments: '{"a":1}' }),
        {
          choices: [
            {
              message: { reasoning: "Hm", tool_calls: [{ id: "1", function: { name: "t", arguments: '{"a":1}' } }] },
              finish_reason: "tool_calls",
            },
          ],
        },
      ),
      content: [{ thinking: "Hm" }, { t: { a: 1 } }],
      ...unread,
    },
    {
      title: "a piece that is the same as the one before",
      answer: events(say("ha"), say("ha"), stop, done),
      content: ["haha"],
    },
    {
      title: "null instead of a delta",
      answer: events(chunk(null), say("a"), { choices: [{ index: null, delta: { content: "b" } }] }, stop, done),
      content: ["ab"],
    },
    {
      title: "a list of parts",
      answer: events(
        say([{ type: "text", text: "a" }, "b", { type: "reasoning", text: "no" }]),
        say({ type: "text", text: "c" }),
        stop,
      ),
      content: ["ab", { thinking: "no" }, "c"],
    },
    {
      title: "lines that end with CR LF",
      answer: events(say("a"), stop, done).replaceAll("\n", "\r\n"),
      content: ["a"],
    },
    { title: "lines that end with CR", answer: events(say("a"), stop, done).replaceAll("\n", "\r"), content: ["a"] },
    {
      title: "no blank after data",
      answer: events(say("a"), stop, done).replaceAll("data: ", "data:"),
      content: ["a"],
    },
    {
      title: "a text wrapped into two lines of data",
      answer: `data: {"choices":[{"delta":{"content":"Hel\ndata: lo"},"finish_reason":\ndata: "stop"}]}\n\n`,
      content: ["Hello"],
    },
  ])("$title", check);

  test("a page, or nothing that is an answer, is named", async () => {
    for (const [type, body] of [
      ["text/html", "<h1>Hi</h1>"],
      ["application/json", "<h1>Hi</h1>"],
      ["text/plain", "error: no"],
      ["", ""],
    ] as const) {
      const { errorMessage } = await readRaw("chat", { type, body });
      expect(errorMessage).toContain(`sent ${type || "no content type"} instead of an answer`);
    }
  });
});

describe("thinking that is marked in the text", () => {
  test.each<Row>([
    ...["think", "thinking", "thought", "reasoning", "THINK"].map((tag) => ({
      title: `<${tag}>`,
      answer: events(say(`<${tag}>plan</${tag}>\n\nHello`), stop, done),
      content: [{ thinking: "plan" }, "Hello"],
    })),
    ...[
      ["<mm:think>", "</mm:think>"],
      ["<|START_THINKING|>", "<|END_THINKING|>"],
      ["<|begin_of_thought|>", "<|end_of_thought|>"],
      ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
    ].map(([begin, end]) => ({
      title: `${begin}`,
      answer: events(say(`${begin}plan${end}Hello`), stop, done),
      content: [{ thinking: "plan" }, "Hello"],
    })),
    {
      title: "[THINK]",
      answer: events(say("[THINK]plan[/THINK]Hello"), stop, done),
      content: [{ thinking: "plan" }, "Hello"],
    },
    {
      title: "cut within its marks",
      answer: events(...["\n<th", "ink>pl", "an</", "thi", "nk>Hel", "lo"].map((text) => say(text)), stop, done),
      content: [{ thinking: "plan" }, "Hello"],
    },
    {
      title: "twice",
      answer: events(say("<think>a</think>\n<think>b</think> Hi"), stop, done),
      content: [{ thinking: "ab" }, "Hi"],
    },
    {
      title: "empty",
      answer: events(say("<think>\n\n</think>\n\nHi"), stop, done),
      content: [{ thinking: "\n\n" }, "Hi"],
    },
    {
      title: "that does not end is thinking alone",
      answer: events(say("<think>plan"), stop, done),
      content: [{ thinking: "plan" }],
    },
    {
      title: "before a call",
      answer: events(
        say("<think>plan</think>\n"),
        callChunk({ index: 0, id: "1" }, { name: "t", arguments: "{}" }),
        stop,
        done,
      ),
      content: [{ thinking: "plan" }, { t: {} }],
      ...unread,
    },
    {
      title: "a mark that is mentioned later is text",
      answer: events(say("Use <think>x</think> so."), stop, done),
      content: ["Use <think>x</think> so."],
    },
    {
      title: "what only begins like a mark is text",
      answer: events(say("<th"), say("ing> and </th"), stop, done),
      content: ["<thing> and </th"],
    },
    { title: "a text of one such letter is text", answer: events(say("<"), stop, done), content: ["<"] },
    {
      title: "an end whose beginning is in the prompt",
      answer: events(say("pl"), say("an\n</th"), say("ink>\n\nHel"), say("lo"), stop, done),
      content: [{ thinking: "plan\n" }, "Hello"],
    },
    {
      title: "an end that is mentioned is text",
      answer: events(say("Write `</think>` or </think> there."), stop, done),
      content: ["Write `</think>` or </think> there."],
    },
    {
      title: "an end in code is text",
      answer: events(say("```\nx\n</think>\n```\n"), stop, done),
      content: ["```\nx\n</think>\n```\n"],
    },
    {
      title: "in a document",
      answer: {
        body: JSON.stringify({ choices: [{ message: { content: "<think>plan</think>Hi" }, finish_reason: "stop" }] }),
        type: "application/json",
      },
      content: [{ thinking: "plan" }, "Hi"],
    },
  ])("$title", check);
});
