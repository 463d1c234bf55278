import { describe, expect, test } from "bun:test";
import { testKey } from "../../support/openai-server.ts";
import { textReply } from "../../support/responses-replies.ts";
import { responsesServer } from "../../support/responses-server.ts";

const hello = { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] };
const yes = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes.", annotations: [] }] };
const good = { model: "gpt-test", store: false, input: [hello] };
const use = (call_id: string) => ({ type: "function_call", call_id, name: "t", arguments: "{}" });
const result = (call_id: string) => ({ type: "function_call_output", call_id, output: "ok" });
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
const tool = { type: "function", name: "t", parameters: { type: "object" }, strict: false };
const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" };

/** What the server answers to a body. */
async function ask(body: unknown, authorization = `Bearer ${testKey}`) {
  using server = responsesServer(textReply("Yes."));
  const headers = { authorization, "content-type": "application/json" };
  const url = `${server.environment["OPENAI_BASE_URL"]}/responses`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  return { status: response.status, text: await response.text() };
}

describe("the test server for responses", () => {
  test.each<[string, object]>([
    ["a question", good],
    [
      "all fields",
      {
        ...good,
        stream: true,
        include: ["reasoning.encrypted_content"],
        reasoning: { effort: "low" },
        instructions: "Be.",
        max_output_tokens: 16,
        temperature: 1,
        tools: [tool],
      },
    ],
    ["calls side by side", { ...good, input: [hello, yes, use("1"), use("2"), result("2"), result("1"), hello] }],
    ["an image in a result", { ...good, input: [hello, use("1"), { ...result("1"), output: [image] }] }],
  ])("takes %s", async (_title, body) => {
    const { status, text } = await ask(body);
    expect(status).toBe(200);
    expect(text).toContain("stream" in body ? "event: response.completed" : '"status":"completed"');
  });

  test.each<[string, object, string]>([
    ["a field that it does not know", { ...good, messages: [] }, "Unknown parameter: 'messages'"],
    ["no model", { ...good, model: undefined }, "'model'"],
    ["what would be stored", { ...good, store: undefined }, "store"],
    ["a short limit", { ...good, max_output_tokens: 5 }, "below minimum value"],
    ["a nested tool", { ...good, tools: [{ type: "function", function: tool }] }, "tools[0]"],
    [
      "a tool that is strict unless it says otherwise",
      { ...good, tools: [{ ...tool, strict: undefined }] },
      "additionalProperties",
    ],
    ["two tools of one name", { ...good, tools: [tool, tool] }, "unique"],
    [
      "thinking of a model that does not think",
      { ...good, model: "gpt-4.1", include: ["reasoning.encrypted_content"] },
      "not supported",
    ],
    ["an effort of such a model", { ...good, model: "gpt-4.1", reasoning: { effort: "low" } }, "not supported"],
    [
      "a temperature of a model that thinks",
      { ...good, model: "o3", temperature: 1 },
      "'temperature' is not supported",
    ],
    [
      "no effort of a model that always thinks",
      { ...good, model: "gpt-6.2-sol", reasoning: { effort: "none" } },
      "'none' is not supported",
    ],
    [
      "thinking for a model that does not think",
      { ...good, model: "gpt-4.1", input: [hello, thought, yes] },
      "Reasoning input items can only",
    ],
    ["no input", { ...good, input: [] }, "'input'"],
    ["an empty text", { ...good, input: [{ ...hello, content: [{ type: "input_text", text: " " }] }] }, "bad part"],
    ["an answer in the user's words", { ...good, input: [{ ...yes, content: hello.content }] }, "output_text"],
    ["an orphaned output", { ...good, input: [hello, result("1")] }, "No tool call found"],
    ["an output before its call", { ...good, input: [hello, result("1"), use("1")] }, "No tool call found"],
    ["an output twice", { ...good, input: [hello, use("1"), result("1"), result("1")] }, "No tool call found"],
    ["a call without its output", { ...good, input: [hello, use("1")] }, "No tool output found"],
    [
      "an output that comes too late",
      { ...good, input: [hello, use("1"), hello, result("1")] },
      "No tool output found",
    ],
    [
      "an answer among outputs",
      { ...good, input: [hello, use("1"), use("2"), result("1"), yes, result("2")] },
      "No tool output found",
    ],
    ["two calls of one id", { ...good, input: [hello, use("1"), result("1"), use("1"), result("1")] }, "Duplicate"],
    ["a long id", { ...good, input: [hello, use("x".repeat(65)), result("x".repeat(65))] }, "64 characters"],
    [
      "arguments that are no object",
      { ...good, input: [hello, { ...use("1"), arguments: "[" }, result("1")] },
      "arguments",
    ],
    ["thinking that led to nothing", { ...good, input: [hello, thought] }, "without its required following item"],
    ["thinking in front of the user", { ...good, input: [thought, hello] }, "without its required following item"],
    ["thinking that is not encrypted", { ...good, input: [{ ...thought, encrypted_content: null }, yes] }, "not found"],
    ["thinking that it did not send", { ...good, input: [hello, thought, yes] }, "could not be verified"],
    ["half a letter", { ...good, instructions: "\ud83c" }, "surrogate"],
  ])("refuses %s", async (_title, body, says) => {
    const { status, text } = await ask(body);
    expect([status, text]).toEqual([400, expect.stringContaining(says)]);
  });

  test("refuses another key", async () => {
    expect((await ask(good, "Bearer sk-other")).status).toBe(401);
  });
});
