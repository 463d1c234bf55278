import { expect, test } from "bun:test";
import type { McpQuestion } from "@mdx-ai/mcp";
import { eventually } from "../support/eventually.ts";
import { hostileServer, type McpBench, mcpBench, textOf } from "../support/mcp-bench.ts";

test("a server's form is a question to the user, whose answer it gets with the defaults of what was left out", async () => {
  const questions: McpQuestion[] = [];
  await using bench = mcpBench(hostileServer(), {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "accept", content: { name: "Ada" } };
    },
  });
  expect(JSON.parse(textOf(await bench.call("ask-form")))).toEqual({
    action: "accept",
    content: { name: "Ada", age: 30 },
  });
  expect(questions).toEqual([
    {
      type: "form",
      message: "Who?",
      schema: { type: "object", properties: { name: { type: "string" }, age: { type: "integer", default: 30 } } },
    },
  ]);
});

test("an address that a server wants opened is a question, too; the user may decline", async () => {
  const questions: McpQuestion[] = [];
  await using bench = mcpBench(hostileServer(), {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "decline" };
    },
  });
  expect(JSON.parse(textOf(await bench.call("ask-url")))).toEqual({ action: "decline" });
  expect(questions).toEqual([{ type: "url", message: "Open", url: "https://a.example/" }]);
});

test("the time of a call does not run while a question is open", async () => {
  await using bench = mcpBench(hostileServer(), {
    limits: { call: 300, end: 300 },
    onQuestion: async () => {
      await Bun.sleep(900);
      return { action: "cancel" };
    },
  });
  expect(JSON.parse(textOf(await bench.call("ask-form")))).toEqual({ action: "cancel" });
});

test("of many questions at the same time the user sees a few, the others are withdrawn", async () => {
  let seen = 0;
  await using bench: McpBench = mcpBench(hostileServer(), {
    onQuestion: async () => {
      seen += 1;
      // The user answers when the server has the answers to all others.
      await eventually(() => expect(bench.recorded().match(/^answered /gm)?.length).toBeGreaterThanOrEqual(92));
      return { action: "decline" };
    },
  });
  const answers: readonly { action: string }[] = JSON.parse(textOf(await bench.call("ask-often")));
  expect([answers.length, seen, answers.filter(({ action }) => action === "cancel").length]).toEqual([100, 8, 92]);
});

test.each([["ask-form"], ["ask-sampling"]])("without anyone to answer, %s is refused", async (tool) => {
  await using bench = mcpBench(hostileServer());
  expect(JSON.parse(textOf(await bench.call(tool)))).toMatchObject({ code: expect.any(Number) });
});

test("roots are the folders that the server may work in; a ping is answered", async () => {
  await using bench = mcpBench(hostileServer(), { roots: ["/a/b c"] });
  expect(JSON.parse(textOf(await bench.call("ask-roots")))).toEqual({
    roots: [{ uri: "file:///a/b%20c", name: "b c" }],
  });
  expect(textOf(await bench.call("ask-ping"))).toBe("{}");
});
