import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import { questionFields, typedValue } from "@mdx-ai/sessions";
import type { Asked } from "../approval/approval-content.ts";
import { answerWith } from "./ask-server-question.ts";

const fieldOf = (property: JsonObject) => questionFields({ type: "object", properties: { a: property } })[0];

describe("a typed text", () => {
  const rows: readonly [property: JsonObject, text: string, result: JsonValue | undefined][] = [
    [{ type: "string" }, " as it is ", " as it is "],
    [{ type: "integer" }, "7", 7],
    [{ type: "integer" }, "7.5", undefined],
    [{ type: "number" }, "7.5", 7.5],
    [{ type: "number" }, " ", undefined],
    [{ type: "boolean" }, "Yes", true],
    [{ type: "boolean" }, "maybe", undefined],
    [{ type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] }, "Second", "b"],
    [{ type: "string", oneOf: [{ const: "x", title: "An x" }] }, "x", "x"],
    [{ type: "string", enum: ["a"] }, "c", undefined],
    [{ type: "array", items: { enum: ["a", "b"] } }, "b, a", ["b", "a"]],
    [{ type: "array", items: { anyOf: [{ const: "x", title: "An x" }] } }, "An x", ["x"]],
    [{ type: "array", items: { enum: ["a"] } }, "a, c", undefined],
  ];
  for (const [property, text, result] of rows) {
    test(`of ${JSON.stringify(property)}: ${JSON.stringify(text)}`, () => {
      const field = fieldOf(property);
      const typed = field && typedValue(text, field);
      expect(typed && "value" in typed ? typed.value : undefined).toEqual(result);
    });
  }
});

/** Answers each question by the key, or by a typed text behind it. */
function user(...answers: readonly string[]) {
  const waiting = [...answers];
  const asked: Asked[] = [];
  const ask = async (question: Asked): Promise<ApprovalAnswer> => {
    asked.push(question);
    const [key = "", typed] = (waiting.shift() ?? "").split(":");
    const pressed = question.keys.find((one) => one.key === key);
    if (pressed === undefined) return { answer: "no" };
    if (pressed.says !== undefined) return { answer: "no", reason: pressed.says };
    return pressed.answer === "no" ? { answer: "no", reason: typed ?? "" } : { answer: pressed.answer };
  };
  return { asked, ask };
}

describe("a form", () => {
  const schema: JsonObject = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, size: { type: "integer", default: 2 }, note: { type: "string" } },
  };
  const signal = new AbortController().signal;
  const answered = (...answers: readonly string[]) =>
    answerWith(user(...answers).ask)("tea", { type: "form", message: "Say", schema }, signal);

  test("shows long words of the server within the frame, and their beginning outside of it", async () => {
    const blanks = " ".repeat(80);
    const fake = `Which${blanks}? bash wants to run this command${blanks}y once`;
    const properties: JsonObject = {
      a: { type: "string", title: fake, enum: ["green", fake] },
      b: { type: "string", title: "Size\n? bash", default: fake },
    };
    const { asked, ask } = user("2", "u");
    const form = { type: "form", message: "", schema: { type: "object", properties } } as const;
    expect(await answerWith(ask)("tea", form, signal)).toEqual({ action: "accept", content: { a: fake, b: fake } });
    const begun = "Which ? bash wants to run this command y once";
    expect(asked.map(({ content }) => content.title)).toStrictEqual([
      `The MCP server tea asks: ${begun} (1 of 2)`,
      "The MCP server tea asks: Size\\n? bash (2 of 2)",
    ]);
    expect(asked.map(({ keys }) => keys.map(({ meaning }) => meaning).slice(0, 2))).toStrictEqual([
      ["green", `${begun.slice(0, 23)}…`],
      ["type it", `use ${begun.slice(0, 23)}…`],
    ]);
    expect(asked.map(({ content }) => content.lines.map(({ text }) => text))).toStrictEqual([
      [fake, `2: ${fake}`],
      ["Size", "? bash", `u: ${fake}`],
    ]);
  });

  test("is answered field by field: typed, with its default, left empty", async () => {
    expect(await answered("t:Assam", "u", "s")).toEqual({ action: "accept", content: { name: "Assam", size: 2 } });
  });

  test("asks again for what does not fit, and says why", async () => {
    const { ask, asked } = user("t:Assam", "t:many", "t:3", "s");
    const answer = await answerWith(ask)("tea", { type: "form", message: "Say", schema }, signal);
    expect(answer).toEqual({ action: "accept", content: { name: "Assam", size: 3 } });
    expect(asked[2]?.content.lines.at(-1)?.text).toBe("Invalid answer: write a number");
  });

  test("is declined by its key, and cancelled by Esc; what was typed before is not sent", async () => {
    expect(await answered("t:Assam", "d")).toEqual({ action: "decline" });
    expect(await answered("t:Assam", "")).toEqual({ action: "cancel" });
  });

  test("cannot leave a field empty that is required, and no typed text is a key", async () => {
    const { ask, asked } = user("t:decline", "u", "s");
    const answer = await answerWith(ask)("tea", { type: "form", message: "Say", schema }, signal);
    expect(answer).toMatchObject({ action: "accept", content: { name: "decline" } });
    expect(asked[0]?.keys.map(({ key }) => key)).toEqual(["t", "d"]);
  });
});

test("an address is shown whole, with the server that wants it opened", async () => {
  const { ask, asked } = user("y");
  const url = "https://example.com/pay?x=1";
  const signal = new AbortController().signal;
  expect(await answerWith(ask)("tea", { type: "url", message: "Pay", url }, signal)).toEqual({ action: "accept" });
  expect(asked[0]?.content.title).toContain("tea");
  expect(asked[0]?.content.lines.map(({ text }) => text)).toContain(url);
});
