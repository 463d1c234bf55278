import { describe, expect, test } from "bun:test";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { Attention } from "./attention.ts";

function attention(way: "bell" | "osc9" | "off") {
  const clock = new HandClock("2026-01-01T00:00:00Z");
  const written: string[] = [];
  const made = new Attention({ way, clock, write: (sequence) => void written.push(sequence) });
  return { clock, made, written };
}

describe("the user is called back", () => {
  test.each([
    ["bell", ["\u0007"]],
    ["osc9", ["\u001b]9;mdx-ai: The prompt is finished\u0007"]],
    ["off", []],
  ] as const)("by the bell or a notification, when a prompt took long; never with `off`: %s", (way, expected) => {
    const { clock, made, written } = attention(way);
    made.promptEnded();
    made.promptBegan();
    clock.pass(10_000);
    expect(written).toStrictEqual([]);
    clock.pass(1);
    made.promptEnded();
    expect(written).toStrictEqual([...expected]);
  });

  test("not when a prompt was short", () => {
    const { clock, made, written } = attention("bell");
    made.promptBegan();
    clock.pass(9_999);
    made.promptEnded();
    expect(written).toStrictEqual([]);
  });

  test("once when a question waits and the user has not typed for a while", () => {
    const { clock, made, written } = attention("osc9");
    made.questionOpened();
    clock.pass(9_000);
    made.typed();
    clock.pass(9_999);
    expect(written).toStrictEqual([]);
    clock.pass(1);
    expect(written).toStrictEqual(["\u001b]9;mdx-ai: A question is waiting for you\u0007"]);
    clock.pass(60_000);
    expect(written).toHaveLength(1);
    made.questionClosed();
  });

  test("not for a question that was answered before", () => {
    const { clock, made, written } = attention("bell");
    made.questionOpened();
    made.questionClosed();
    clock.pass(60_000);
    expect(written).toStrictEqual([]);
  });
});
