import { describe, expect, test } from "bun:test";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";

const hello = { role: "user", content: "Hello" };
const good = { model: "m", max_tokens: 10, messages: [hello] };
const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const text = (text: string) => ({ type: "text", text });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const user = (...content: unknown[]) => ({ role: "user", content });
const tool = { name: "t", input_schema: { type: "object" } };
const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const point = { cache_control: { type: "ephemeral" } };

async function ask(
  body: string,
  headers: Record<string, string> = { authorization: "Bearer k", "anthropic-version": "2026-10-21" },
) {
  using server = anthropicServer(textReply("Yes."));
  const url = `${server.environment.ANTHROPIC_BASE_URL}/v1/messages`;
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, text: await response.text(), recorded: server.requests[0] };
}

describe("the test server for anthropic", () => {
  test.each([
    good,
    { ...good, system: "Be kind.", stream: true, temperature: 1, tools: [tool] },
    { ...good, max_tokens: 1025, thinking: { type: "enabled", budget_tokens: 1024 }, temperature: 1 },
    { ...good, thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    { ...good, thinking: { type: "disabled" }, temperature: 0.5 },
    { ...good, model: "claude-sonnet-5-5", thinking: { type: "between_tools" } },
    { ...good, system: [text("Be kind.")] },
    { ...good, messages: [hello, assistant(use("1"), use("2")), user(result("2"), result("1"), text("go on"))] },
  ])("takes %j", async (body) => {
    const { status, text, recorded } = await ask(JSON.stringify(body));
    expect(status).toBe(200);
    expect(text).toContain("stream" in body ? "message_stop" : '{"id":"msg_test","type":"message"');
    expect(recorded).toMatchObject({ body, refusal: undefined });
  });

  test.each([
    { why: "a missing max_tokens", body: { ...good, max_tokens: undefined } },
    { why: "a missing model", body: { ...good, model: undefined } },
    { why: "a field that the API does not know", body: { ...good, stop: "x" } },
    { why: "a temperature out of range", body: { ...good, temperature: 1.5 } },
    { why: "a way of thinking that there is not", body: { ...good, thinking: { type: "auto" } } },
    { why: "thinking with a word more", body: { ...good, thinking: { type: "adaptive", display: "loud" } } },
    { why: "a budget below the least", body: { ...good, thinking: { type: "enabled", budget_tokens: 9 } } },
    { why: "a budget of a way that has none", body: { ...good, thinking: { type: "adaptive", budget_tokens: 2000 } } },
    {
      why: "a budget that leaves no room",
      body: { ...good, max_tokens: 1024, thinking: { type: "enabled", budget_tokens: 1024 } },
    },
    { why: "a temperature beside thinking", body: { ...good, temperature: 0, thinking: { type: "adaptive" } } },
    { why: "a temperature of a model of Anthropic's", body: { ...good, model: "claude-sonnet-4-5", temperature: 1 } },
    {
      why: "a model that is to stop thinking and cannot",
      body: { ...good, model: "claude-opus-5-5", thinking: { type: "disabled" } },
    },
    {
      why: "a budget of a model that takes none",
      body: { ...good, max_tokens: 5000, model: "claude-sonnet-5", thinking: { type: "enabled", budget_tokens: 2000 } },
    },
    {
      why: "a model that is to decide how much it thinks and cannot",
      body: { ...good, model: "claude-haiku-4-5", thinking: { type: "adaptive" } },
    },
    {
      why: "an effort of a model that has none",
      body: { ...good, model: "claude-sonnet-4-5", output_config: { effort: "low" } },
    },
    { why: "an effort that there is not", body: { ...good, output_config: { effort: "heroic" } } },
    { why: "a system prompt of another shape", body: { ...good, system: { text: "x" } } },
    { why: "an empty system block", body: { ...good, system: [text("")] } },
    { why: "a bad tool name", body: { ...good, tools: [{ ...tool, name: "a.b" }] } },
    { why: "two tools of one name", body: { ...good, tools: [tool, tool] } },
    { why: "a tool without an object schema", body: { ...good, tools: [{ name: "t", input_schema: {} }] } },
    { why: "no message", body: { ...good, messages: [] } },
    { why: "an answer as the first message", body: { ...good, messages: [assistant(text("a")), hello] } },
    { why: "a message without content", body: { ...good, messages: [user()] } },
    { why: "an unknown role", body: { ...good, messages: [hello, { role: "system", content: "x" }] } },
    { why: "two messages of one role", body: { ...good, messages: [hello, hello] } },
    { why: "an empty text", body: { ...good, messages: [user(text(""))] } },
    { why: "a blank text", body: { ...good, messages: [user(text(" "))] } },
    { why: "a block with a field more", body: { ...good, messages: [user({ ...text("a"), signature: "s" })] } },
    {
      why: "thinking that it never sent",
      body: {
        ...good,
        messages: [hello, assistant({ type: "thinking", thinking: "a", signature: "s" }, text("a")), hello],
      },
    },
    { why: "a tool use of the user", body: { ...good, messages: [user(use("1"))] } },
    {
      why: "thinking without a signature",
      body: { ...good, messages: [hello, assistant({ type: "thinking", thinking: "a" }, text("a"))] },
    },
    {
      why: "thinking at the end",
      body: { ...good, messages: [hello, assistant({ type: "redacted_thinking", data: "a" })] },
    },
    { why: "an unanswered tool use", body: { ...good, messages: [hello, assistant(use("1")), hello] } },
    { why: "a tool use at the end", body: { ...good, messages: [hello, assistant(use("1"))] } },
    { why: "a result of nothing", body: { ...good, messages: [user(result("1"))] } },
    {
      why: "a result that is not first",
      body: { ...good, messages: [hello, assistant(use("1")), user(text("a"), result("1"))] },
    },
    {
      why: "two results of one use",
      body: { ...good, messages: [hello, assistant(use("1")), user(result("1"), result("1"))] },
    },
    {
      why: "an error without text",
      body: { ...good, messages: [hello, assistant(use("1")), user({ ...result("1"), content: [], is_error: true })] },
    },
    {
      why: "an error with an image",
      body: {
        ...good,
        messages: [hello, assistant(use("1")), user({ ...result("1"), content: [picture], is_error: true })],
      },
    },
    {
      why: "two uses of one id",
      body: { ...good, messages: [hello, assistant(use("1"), use("1")), user(result("1"))] },
    },
    { why: "an odd id", body: { ...good, messages: [hello, assistant(use("a:1")), user(result("a:1"))] } },
    {
      why: "five cache points",
      body: { ...good, messages: [user(...Array.from({ length: 5 }, () => ({ ...text("a"), ...point })))] },
    },
    { why: "half a surrogate pair", body: { ...good, messages: [user(text("\ud83e"))] } },
  ])("refuses $why", async ({ body }) => {
    const { status, text, recorded } = await ask(JSON.stringify(body));
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: recorded?.refusal },
    });
  });

  test("refuses what is no JSON, a request without a key, and one without a version or of an unknown one", async () => {
    expect((await ask("{")).status).toBe(400);
    expect((await ask(JSON.stringify(good), { "anthropic-version": "2026-10-21" })).status).toBe(401);
    expect((await ask(JSON.stringify(good), { "x-api-key": "k" })).status).toBe(400);
    expect((await ask(JSON.stringify(good), { "x-api-key": "k", "anthropic-version": "2025-01-01" })).status).toBe(400);
  });
});
