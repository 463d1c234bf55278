import { describe, expect, test } from "bun:test";
import { takeId } from "../../../packages/models/src/history/take-id.ts";
import { MessageBuilder } from "../../../packages/models/src/message-builder.ts";
import { CallDeltas } from "../../../packages/models/src/openai/call-deltas.ts";
import { CallIds } from "../../../packages/models/src/openai/call-ids.ts";
import { ReasoningDetails } from "../../../packages/models/src/openai/reasoning-details.ts";

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

  test.each(["long", "nine"] as const)("calls by the thousand whose ids become the same: %s", (form) => {
    const ids = new CallIds(form);
    const taken = new Set(Array.from({ length: many }, (_, count) => ids.take(`${"é".repeat(60)}${count}`)));
    expect(taken.size).toBe(many);
    expect(Math.max(...Array.from(taken, (id) => id.length))).toBeLessThanOrEqual(40);
  });

  test("calls by the thousand that have one id", () => {
    const taken = new Set<string>();
    for (let count = 0; count < many; count++) takeId("same", taken);
    expect(taken.size).toBe(many);
  });
});

test("a detail's field may have any name", () => {
  const details = new ReasoningDetails();
  const strange = '{"type":"reasoning.text","text":"a","__proto__":{"b":1},"constructor":2}';
  details.add([JSON.parse(strange)]);
  details.add([JSON.parse(strange)]);
  expect(details.text).toBe(`[${strange.replace('"a"', '"aa"')}]`);
});
