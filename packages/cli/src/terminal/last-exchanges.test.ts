import { expect, test } from "bun:test";
import { attachedBlock } from "@mdx-ai/directory/views/attached-block";
import type { Message } from "@mdx-ai/models";
import { exchange, toolTurn } from "../../../../test/support/conversation.ts";
import { themeOf } from "../output/theme.ts";
import { lastExchanges } from "./view/lines.ts";

const theme = themeOf({ NO_COLOR: "1", LC_ALL: "C.UTF-8" });
const shown = (messages: readonly Message[], columns = 40): readonly string[] =>
  lastExchanges(messages, theme).flatMap((drawing) => drawing(columns));

test("a new conversation shows nothing", () => {
  expect(shown([])).toStrictEqual([]);
});

test("the last three exchanges are shown, each with its last answer, beside tools", () => {
  const [question, answer] = exchange("two", "Two.");
  const withTool = [...(question ? [question] : []), ...toolTurn("a", "result"), ...(answer ? [answer] : [])];
  const messages = [...exchange("one", "One."), ...withTool, ...exchange("three", "Three."), ...exchange("four", "")];
  expect(shown(messages)).toStrictEqual(["> two", "", "Two.", "", "> three", "", "Three.", "", "> four", ""]);
});

test("an input is shown as it was typed, without what was attached", () => {
  const sent = `read @a.ts\n\n${attachedBlock("attached_file", ' path="a.ts"', "x")}`;
  expect(shown(exchange(sent, "Yes."))).toStrictEqual(["> read @a.ts", "", "Yes.", ""]);
});

test("long ones are shortened, and control sequences do nothing", () => {
  const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`).join("\n");
  const [first, , ...rest] = shown(exchange(lines, `\u001b[2J${"word ".repeat(100)}`));
  expect(first).toBe("> line 0");
  expect(rest).toContain("  … 5 more lines");
  expect(rest.slice(-2)).toStrictEqual([expect.stringMatching(/^… \d+ more lines$/), ""]);
  expect(rest.join("")).not.toMatch(/\p{Cc}/u);
});
