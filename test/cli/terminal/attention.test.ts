import { describe, expect, test } from "bun:test";
import { Attention } from "../../support/cli/terminal.ts";
import { eventually } from "../../support/eventually.ts";

/** So long that no test sees its end. */
const NEVER = 1_000_000;

function attention(way: "bell" | "osc9" | "off", away: number) {
  const written: string[] = [];
  const made = new Attention({ way, away, write: (sequence) => void written.push(sequence) });
  return { made, written };
}

describe("the user is called back", () => {
  test("by the bell or a notification, when a prompt took long; never with `off`", () => {
    for (const [way, expected] of [
      ["bell", ["\u0007"]],
      ["osc9", ["\u001b]9;mdx-ai: The prompt is finished\u0007"]],
      ["off", []],
    ] as const) {
      const { made, written } = attention(way, -1);
      made.promptEnded();
      expect(written).toStrictEqual([]);
      made.promptBegan();
      made.promptEnded();
      expect(written).toStrictEqual([...expected]);
    }
  });

  test("not when a prompt was short", () => {
    const { made, written } = attention("bell", NEVER);
    made.promptBegan();
    made.promptEnded();
    expect(written).toStrictEqual([]);
  });

  test("once when a question waits and the user has not typed for a while", async () => {
    const { made, written } = attention("osc9", 30);
    made.questionOpened();
    expect(written).toStrictEqual([]);
    await eventually(() => expect(written.length).toBeGreaterThan(0));
    expect(written).toStrictEqual(["\u001b]9;mdx-ai: A question is waiting for you\u0007"]);
    made.questionClosed();
  });

  test("not for a question that was answered before", async () => {
    const { made, written } = attention("bell", 30);
    made.questionOpened();
    made.questionClosed();
    await Bun.sleep(60);
    expect(written).toStrictEqual([]);
  });
});
