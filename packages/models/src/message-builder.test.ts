import { describe, expect, test } from "bun:test";
import { endOf, told } from "../../../test/support/model-request.ts";
import { MessageBuilder } from "./message-builder.ts";

const bottomless = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

const newBuilder = (): MessageBuilder => new MessageBuilder({ provider: "p", model: "m" });

describe("a message builder", () => {
  test("turns blocks into events and into one message that grows", () => {
    const builder = newBuilder();
    builder.start();
    const thinking = builder.openThinking();
    builder.append(thinking, "Hm.");
    builder.sign(thinking, "sig");
    builder.sign(thinking, "nature");
    builder.close(thinking);
    const text = builder.openText();
    builder.append(text, "Hello");
    builder.close(text);
    const call = builder.openToolCall({ id: "c1", name: "read_file" });
    builder.append(call, '{"path":');
    builder.append(call, '"a"}');
    builder.close(call);
    builder.count({ input: 3, output: 4 });
    builder.finish("toolUse");
    const events = builder.take();
    expect(told(events)).toEqual([
      "start",
      "thinking_start 0",
      "thinking_delta 0 Hm.",
      "thinking_end 0",
      "text_start 1",
      "text_delta 1 Hello",
      "text_end 1",
      "toolcall_start 2",
      'toolcall_delta 2 {"path":"a"}',
      "toolcall_end 2",
      "done",
    ]);
    expect(endOf(events).message).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "signature" },
        { type: "text", text: "Hello" },
        { type: "toolCall", id: "c1", name: "read_file", arguments: { path: "a" } },
      ],
      provider: "p",
      model: "m",
      usage: { input: 3, output: 4, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 7 },
      stopReason: "toolUse",
      latency: expect.any(Number),
      timestamp: expect.any(Number),
    });
    const partials = new Set(events.map((event) => ("partial" in event ? event.partial : event.message)));
    expect(partials.size).toBe(1);
  });

  test("says once that the answer has begun, before all else but a failure", () => {
    const builder = newBuilder();
    builder.finish("stop");
    builder.start();
    expect(told(builder.take())).toEqual(["start", "done"]);
    const failing = newBuilder();
    failing.fail(new Error("gone"));
    expect(told(failing.take())).toEqual(["error"]);
  });

  test("joins deltas of one block that wait together, and keeps those apart that were taken apart", () => {
    const builder = newBuilder();
    const text = builder.openText();
    for (const delta of ["a", "b", "c"]) builder.append(text, delta);
    expect(told(builder.take())).toEqual(["start", "text_start 0", "text_delta 0 abc"]);
    builder.append(text, "d");
    expect(told(builder.take())).toEqual(["text_delta 0 d"]);
    expect(builder.take()).toEqual([]);
  });

  test("keeps the deltas of blocks that grow side by side in order", () => {
    const builder = newBuilder();
    const [one, two] = [builder.openText(), builder.openText()];
    builder.append(one, "a");
    builder.append(two, "b");
    builder.append(one, "c");
    builder.finish("stop");
    const events = builder.take();
    expect(told(events).slice(3)).toEqual([
      "text_delta 0 a",
      "text_delta 1 b",
      "text_delta 0 c",
      "text_end 0",
      "text_end 1",
      "done",
    ]);
    expect(endOf(events).message.content).toEqual([
      { type: "text", text: "ac" },
      { type: "text", text: "b" },
    ]);
  });

  test("tells no empty delta and closes a block once", () => {
    const builder = newBuilder();
    const text = builder.openText();
    builder.append(text, "");
    builder.close(text);
    builder.close(text);
    expect(told(builder.take())).toEqual(["start", "text_start 0", "text_end 0"]);
  });

  test.each([
    { title: "no text at all is an empty object", json: "", call: { arguments: {} } },
    { title: "blanks are an empty object", json: " \n", call: { arguments: {} } },
    { title: "an object is parsed", json: '{"a":[1,{"b":null}]}', call: { arguments: { a: [1, { b: null }] } } },
    { title: "half an object is malformed", json: '{"a":', call: { arguments: {}, malformed: '{"a":' } },
    { title: "a list is malformed", json: "[1]", call: { arguments: {}, malformed: "[1]" } },
    { title: "null is an empty object", json: "null", call: { arguments: {} } },
    {
      title: "a number beyond all is malformed",
      json: '{"a":[1e999]}',
      call: { arguments: {}, malformed: '{"a":[1e999]}' },
    },
    { title: "bottomless lists are malformed", json: bottomless, call: { arguments: {}, malformed: bottomless } },
  ])("arguments of a call: $title", ({ json, call }) => {
    const builder = newBuilder();
    const block = builder.openToolCall({ id: "c", name: "t" });
    builder.append(block, json);
    builder.finish("toolUse");
    expect(endOf(builder.take()).message.content).toEqual([{ type: "toolCall", id: "c", name: "t", ...call }]);
  });

  test("gives each call a unique id and a valid name", () => {
    const builder = newBuilder();
    for (const id of ["c", "c", "c_2", "", ""]) builder.openToolCall({ id, name: "t".repeat(1_000_000) });
    builder.finish("toolUse");
    const calls = endOf(builder.take()).message.content.filter((block) => block.type === "toolCall");
    expect(new Set(calls.map(({ id }) => id)).size).toBe(5);
    expect(calls.map(({ name }) => name.length)).toEqual([200, 200, 200, 200, 200]);
  });

  test("takes the input of a call where no text of it arrives, and the text where it does", () => {
    const builder = newBuilder();
    builder.openToolCall({ id: "1", name: "t", input: { a: 1 } });
    builder.append(builder.openToolCall({ id: "2", name: "t", input: { a: 1 } }), '{"a":2}');
    builder.finish("toolUse");
    expect(endOf(builder.take()).message.content).toMatchObject([{ arguments: { a: 1 } }, { arguments: { a: 2 } }]);
  });

  test.each(["error", "aborted"] as const)("keeps what had arrived when an answer ends with %s", (stopReason) => {
    const builder = newBuilder();
    builder.append(builder.openText(), "half");
    const whole = builder.openToolCall({ id: "1", name: "t" });
    builder.append(whole, '{"a":1}');
    builder.close(whole);
    builder.append(builder.openToolCall({ id: "2", name: "t" }), '{"a":1}');
    if (stopReason === "error") builder.fail(new Error("gone"));
    else builder.abort();
    const { message } = endOf(builder.take());
    expect(message.stopReason).toBe(stopReason);
    expect(message.errorMessage).toBe(stopReason === "error" ? "gone" : "aborted");
    expect(message.content).toEqual([
      { type: "text", text: "half" },
      { type: "toolCall", id: "1", name: "t", arguments: { a: 1 } },
      { type: "toolCall", id: "2", name: "t", arguments: {}, malformed: '{"a":1}' },
    ]);
  });
});
