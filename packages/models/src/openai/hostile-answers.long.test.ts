import { describe, expect, test } from "bun:test";
import { bodyRecorder } from "../../../../test/support/body-recorder.ts";
import { assistantMessage, modelRequest, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { MessageBuilder } from "../message-builder.ts";
import { CallDeltas } from "./call-deltas.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

/** So many that work which grows with their square would take longer than a test may. */
const many = 60_000;

describe("what a server sends in a second is not worked on for minutes", () => {
  test("details of reasoning that have a new field each", () => {
    const details = new ReasoningDetails();
    for (let count = 0; count < many; count++) details.add([{ type: "reasoning.text", text: "x", [`f${count}`]: 1 }]);
    const [detail, ...more] = JSON.parse(details.text);
    expect(more).toEqual([]);
    expect(Object.keys(detail).length).toBe(many + 2);
    expect(detail.text).toBe("x".repeat(many));
  });

  test("a call that tells its name with each piece of a long text of braces", () => {
    const builder = new MessageBuilder({ provider: "openai", model: "m" });
    const calls = new CallDeltas(builder);
    const read = (json: string): void => calls.read({ index: 0, function: { name: "x", arguments: json } });
    read(`{"a":"${"x".repeat(4_000_000)}`);
    for (let count = 0; count < many; count++) read("}");
    read('"}');
    calls.end();
    builder.finish("toolUse");
    const ends = builder.take().filter((event) => event.type === "toolcall_end");
    expect(ends.map(({ toolCall }) => toolCall.malformed)).toStrictEqual([undefined]);
  });

  const histories = [
    ["openai/m", (count: number) => `${"é".repeat(60)}${count}`],
    ["mistral/m", (count: number) => `${"é".repeat(60)}${count}`],
    ["openai/m", () => "same"],
    ["anthropic/m", () => "same"],
  ] as const;

  test.each(histories)("calls by the thousand whose ids become the same: %s", async (reference, id) => {
    using recorder = bodyRecorder();
    const calls = Array.from(
      { length: many },
      (_, count) => ({ type: "toolCall", id: id(count), name: "t", arguments: {} }) as const,
    );
    const history = [userMessage("Go."), assistantMessage(calls), ...calls.map((call) => toolResult(call.id, "x"))];
    const body = await recorder.body(await recorder.open(reference), modelRequest(history));
    const ids = new Set([...body.matchAll(/"(?:tool_call_id|tool_use_id)":"([^"]*)"/g)].map(([, one = ""]) => one));
    expect(ids.size).toBe(many);
    expect(Math.max(...Array.from(ids, (one) => one.length))).toBeLessThanOrEqual(40);
  });
});

test("a detail's field may have any name", () => {
  const details = new ReasoningDetails();
  const strange = '{"type":"reasoning.text","text":"a","__proto__":{"b":1},"constructor":2}';
  details.add([JSON.parse(strange)]);
  details.add([JSON.parse(strange)]);
  expect(details.text).toBe(`[${strange.replace('"a"', '"aa"')}]`);
});
