import { describe, expect, test } from "bun:test";
import { check, done, type Row, say, seen, stop, unread } from "../../support/odd-openai.ts";
import { callChunk, chunk, events, readRaw } from "../../support/raw-server.ts";

const path = { path: "a.md" };

const broken = { stopReason: "error", kind: "unfinished" } as const;

describe("the end of an answer", () => {
  test.each<Row>([
    {
      title: "empty reasons in mid-stream are none",
      answer: events(say("Half a", ""), say(" word", ""), stop, done),
      content: ["Half a word"],
    },
    {
      title: "only empty reasons, then silence: broken off",
      answer: events(say("Half a", ""), say(" sentence", "")),
      content: ["Half a sentence"],
      ...broken,
    },
    {
      title: "a whole call with empty reasons alone: broken off",
      answer: events(callChunk({ index: 0, id: "1" }, { name: "bash", arguments: '{"command":"x"}' }, "")),
      content: [{ bash: '{"command":"x"}' }],
      ...broken,
    },
    {
      title: "a name in pieces",
      answer: events(
        callChunk({ index: 0, id: "1" }, { name: "read", arguments: "" }),
        callChunk({ index: 0 }, { name: "_file", arguments: '{"a":1}' }),
        callChunk({ index: 1, id: "2" }, { name: "re", arguments: "" }),
        callChunk({ index: 1, id: "2" }, { name: "read_file", arguments: "{}" }),
        stop,
        done,
      ),
      content: [{ read_file: { a: 1 } }, { read_file: {} }],
      stopReason: "toolUse",
    },
    {
      title: "a single line break behind each event",
      answer: events(say("Hel"), say("lo"), stop, done).replaceAll("\n\n", "\n"),
      content: ["Hello"],
    },
    {
      title: "an empty reason replaces none that is known",
      answer: events(say("cut", "length"), say("", ""), done),
      content: ["cut"],
      stopReason: "length",
    },
    {
      title: "a null or a later stop does not make a cut answer whole",
      answer: events(say("cut", "length"), chunk({}, null), stop, done),
      content: ["cut"],
      stopReason: "length",
    },
    {
      title: "the text null is no reason",
      answer: events(say("a", "null"), say("b", "null")),
      content: ["ab"],
      ...broken,
    },
    {
      title: "an unknown word in mid-stream is no end",
      answer: events(say("a", "in_progress"), say("b", "in_progress")),
      content: ["ab"],
      ...broken,
    },
    {
      title: "an unknown word on one chunk in mid-stream is no end",
      answer: events(say("a", "odd"), say("b")),
      content: ["ab"],
      ...broken,
    },
    {
      title: "an unknown word in mid-stream leaves a known end",
      answer: events(say("a", "in_progress"), say("b", "length"), done),
      content: ["ab"],
      stopReason: "length",
    },
    {
      title: "an unknown word at the end is a warning",
      answer: events(say("a"), chunk({}, "moon_phase"), done),
      content: ["a"],
      warning: true,
    },
    {
      title: "an unknown word at the end counts without [DONE]",
      answer: events(say("a"), chunk({}, "moon_phase")),
      content: ["a"],
      warning: true,
    },
    { title: "[DONE] behind a text without a reason", answer: events(say("whole"), done), content: ["whole"] },
    {
      title: "[DONE] behind a whole call without a reason",
      answer: events(callChunk({ index: 0, id: "1" }, { name: "t", arguments: '{"a":1}' }), done),
      content: [{ t: { a: 1 } }],
      ...unread,
    },
    {
      title: "[DONE] behind half a call without a reason: broken off",
      answer: events(callChunk({ index: 0, id: "1" }, { name: "t", arguments: '{"a":' }), done),
      content: [{ t: '{"a":' }],
      ...broken,
    },
    {
      title: "[DONE] behind a call whose arguments did not begin: broken off",
      answer: events(callChunk({ index: 0, id: "1" }, { name: "t", arguments: "" }), done),
      content: [{ t: {} }],
      ...broken,
    },
    {
      title: "a last event without its blank line",
      answer: `${events(say("a"))}data: ${JSON.stringify(stop)}`,
      content: ["a"],
    },
    { title: "a last [DONE] without any line end", answer: `${events(say("a"))}data: [DONE]`, content: ["a"] },
    {
      title: "a last event that is half there: broken off",
      answer: `${events(say("a"))}data: {"choices":[{"delta":{},"finish_`,
      content: ["a"],
      ...broken,
    },
    {
      title: "usage chunks without choices",
      answer: events(say("a"), stop, { choices: null, usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      content: ["a"],
    },
    {
      title: "usage in mid-stream is no end",
      answer: events(
        say("a"),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
        say("b"),
        stop,
        done,
      ),
      content: ["ab"],
    },
    {
      title: "an error in a chunk",
      answer: events(say("a"), { error: { message: "boom", type: "server_error" } }),
      content: ["a"],
      stopReason: "error",
      kind: "server_error",
    },
    {
      title: "an error field that says nothing",
      answer: events({ ...Object(say("a")), error: {} }, { ...Object(stop), error: "" }, done),
      content: ["a"],
    },
  ])("$title", check);

  test.each([
    ["STOP", "stop"],
    ["eos", "stop"],
    ["eos_token", "stop"],
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["COMPLETE", "stop"],
    ["FINISH_REASON_STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["max_tokens", "length"],
    ["model_length", "length"],
    ["max_output_tokens", "length"],
    ["content_filter", "refusal"],
    ["SAFETY", "refusal"],
    ["content_filter: PROHIBITED_CONTENT", "refusal"],
    ["sensitive", "refusal"],
    ["refusal", "refusal"],
    ["insufficient_system_resource", "error"],
    ["error", "error"],
    ["MALFORMED_FUNCTION_CALL", "error"],
    ["network_error", "error"],
  ])("the reason %s is %s", async (reason, stopReason) => {
    const message = await readRaw("chat", { body: events(say("a"), chunk({}, reason), done) });
    expect([message.stopReason, message.warning]).toEqual([stopReason as never, undefined]);
  });

  test.each(["tool_calls", "TOOL_USE", "function_call", "tool-calls", "stop", "eos"])(
    "a call may end with %s",
    async (reason) => {
      const body = events(callChunk({ index: 0, id: "1" }, { name: "t", arguments: "{}" }), chunk({}, reason), done);
      expect(seen(await readRaw("chat", { body }))).toEqual({ content: [{ t: {} }], stopReason: "toolUse" });
    },
  );
});

const calls = (reason: unknown, ...pieces: readonly (readonly [object, object])[]): string =>
  events(...pieces.map(([fields, called]) => callChunk(fields, called)), chunk({}, reason), done);

describe("the pieces of a call", () => {
  const i0 = { index: 0 };
  const first = { index: 0, id: "a" };
  const real = [
    [i0, { arguments: '{"path":' }],
    [i0, { arguments: '"a.md"}' }],
  ] as const;
  test.each<Row>([
    ...["{}", "null", "{ }", '""', "", " ", '"{}"'].map((json) => ({
      title: `${JSON.stringify(json)} before the real ones`,
      answer: calls("tool_calls", [first, { name: "t", arguments: json }], ...real),
      content: [{ t: path }],
      ...unread,
    })),
    {
      title: "a placeholder that is an object",
      answer: calls("tool_calls", [first, { name: "t", arguments: {} }], ...real),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "a placeholder alone",
      answer: calls("tool_calls", [first, { name: "t", arguments: "null" }]),
      content: [{ t: {} }],
      ...unread,
    },
    {
      title: "whole, and whole again",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: '{"path":"a.md"}' }],
        [i0, { arguments: '{"path":"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "whole again with id and name",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: '{"path":"a.md"}' }],
        [first, { name: "t", arguments: '{"path":"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "whole again with its name, without ids",
      answer: calls(
        "tool_calls",
        [i0, { name: "t", arguments: '{"path":"a.md"}' }],
        [i0, { name: "t", arguments: '{"path":"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "in pieces, then whole",
      answer: calls("tool_calls", [first, { name: "t", arguments: "" }], ...real, [
        i0,
        { arguments: '{"path":"a.md"}' },
      ]),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "each with all so far",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: "" }],
        ...['{"pa', '{"path":"a', '{"path":"a.md"}'].map((json) => [i0, { arguments: json }] as const),
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "each with all so far, after a placeholder",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: "{}" }],
        ...['{"pa', '{"path":"a.md"}'].map((json) => [i0, { arguments: json }] as const),
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "objects that grow",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: { path: "a.md" } }],
        [i0, { arguments: { path: "a.md", limit: 1 } }],
      ),
      content: [{ t: { path: "a.md", limit: 1 } }],
      ...unread,
    },
    {
      title: "two objects that contradict each other do not run",
      answer: calls("tool_calls", [first, { name: "t", arguments: '{"a":1}' }], [i0, { arguments: '{"a":2}' }]),
      content: [{ t: '{"a":1}{"a":2}' }],
      ...unread,
    },
    {
      title: "an object as a text within the text",
      answer: calls("tool_calls", [first, { name: "t", arguments: JSON.stringify('{"path":"a.md"}') }]),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "an id for each",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: "" }],
        [{ index: 0, id: "b" }, { arguments: '{"path":' }],
        [{ index: 0, id: "c" }, { arguments: '"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "an id and the name for each",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: '{"path":' }],
        [
          { index: 0, id: "b" },
          { name: "t", arguments: '"a.md"}' },
        ],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "an id for each, without an index",
      answer: calls(
        "tool_calls",
        [{ id: "a" }, { name: "t", arguments: '{"path":' }],
        [{ id: "b" }, { arguments: '"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "an empty name and null with each",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: '{"path":' }],
        [
          { index: 0, id: null },
          { name: "", arguments: '"a.md"}' },
        ],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "an index that is a text",
      answer: calls(
        "tool_calls",
        [
          { index: "0", id: "a" },
          { name: "t", arguments: '{"path":' },
        ],
        [{ index: 0 }, { arguments: '"a.md"}' }],
      ),
      content: [{ t: path }],
      ...unread,
    },
    {
      title: "two calls of one tool under one index, by their ids",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: '{"n":1}' }],
        [
          { index: 0, id: "b" },
          { name: "t", arguments: '{"n":2}' },
        ],
      ),
      content: [{ t: { n: 1 } }, { t: { n: 2 } }],
      ...unread,
    },
    {
      title: "two calls of one tool under one index, without ids",
      answer: calls("tool_calls", [i0, { name: "t", arguments: '{"n":1}' }], [i0, { name: "t", arguments: '{"n":2}' }]),
      content: [{ t: { n: 1 } }, { t: { n: 2 } }],
      ...unread,
    },
    {
      title: "two calls without arguments under one index",
      answer: calls(
        "tool_calls",
        [first, { name: "t", arguments: "{}" }],
        [
          { index: 0, id: "b" },
          { name: "u", arguments: "{}" },
        ],
      ),
      content: [{ t: {} }, { u: {} }],
      ...unread,
    },
    {
      title: "one in the form of old and the new one",
      answer: events(
        chunk({
          function_call: { name: "t", arguments: '{"n":1}' },
          tool_calls: [{ index: 0, id: "a", function: { name: "t", arguments: '{"n":1}' } }],
        }),
        chunk({}, "function_call"),
        done,
      ),
      content: [{ t: { n: 1 } }],
      ...unread,
    },
    {
      title: "without a frame",
      answer: events(chunk({ tool_calls: [{ id: "a", name: "t", arguments: { n: 1 } }] }), stop, done),
      content: [{ t: { n: 1 } }],
      ...unread,
    },
  ])("$title", check);
});
