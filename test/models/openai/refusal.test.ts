import { describe, expect, test } from "bun:test";
import { failureReply, textReply } from "../../support/openai-replies.ts";
import type { RuledVendor } from "../../support/openai-rules.ts";
import { openAiServer, testKey } from "../../support/openai-server.ts";

const hello = { role: "user", content: "Hello" };
const good = { model: "m", messages: [hello] };
const use = (id: string, rest: object = {}) => ({
  id,
  type: "function",
  function: { name: "t", arguments: "{}" },
  ...rest,
});
const calls = (...tool_calls: unknown[]) => ({ role: "assistant", content: null, tool_calls });
const result = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "ok" });
const tool = { type: "function", function: { name: "t", parameters: { type: "object" } } };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
const bearer = { authorization: `Bearer ${testKey}`, "content-type": "application/json" };

/** What the server answers to a body, at the address of a vendor. */
async function ask(body: string, vendor: RuledVendor = "openai", headers: Readonly<Record<string, string>> = bearer) {
  using server = openAiServer(textReply("Yes."));
  const address = Object.values(server.environment(vendor)).find((value) => value.startsWith("http"));
  const path = vendor === "azure" ? "openai/deployments/d/chat/completions?api-version=2024-02-01" : "chat/completions";
  const response = await fetch(`${address}/${path}`, { method: "POST", body, headers });
  return { status: response.status, text: await response.text(), recorded: server.requests[0] };
}

describe("the test server for chat completions", () => {
  test.each([
    good,
    { ...good, stream: true, stream_options: { include_usage: true }, temperature: 2, tools: [tool], max_tokens: 5 },
    {
      ...good,
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: [{ type: "text", text: "a" }, image] },
      ],
    },
    { ...good, messages: [hello, calls(use("1"), use("2")), result("2"), result("1"), hello, hello] },
    { ...good, messages: [hello, { role: "assistant", content: "Hi." }, hello] },
  ])("takes %j", async (body) => {
    const { status, text, recorded } = await ask(JSON.stringify(body));
    expect([status, recorded?.refusal]).toEqual([200, undefined]);
    expect(text).toContain("stream" in body ? "data: [DONE]" : '"finish_reason":"stop"');
  });

  test.each<{ why: string; vendor?: RuledVendor; body: object }>([
    { why: "a missing model", body: { ...good, model: undefined } },
    { why: "a field that the API does not know", body: { ...good, max_output: 1 } },
    { why: "both limits of tokens", body: { ...good, max_tokens: 1, max_completion_tokens: 1 } },
    { why: "a limit of no tokens", body: { ...good, max_tokens: 0 } },
    { why: "a temperature out of range", body: { ...good, temperature: 2.5 } },
    { why: "options of a stream without one", body: { ...good, stream_options: { include_usage: true } } },
    { why: "an empty list of tools", body: { ...good, tools: [] } },
    { why: "a tool of no type", body: { ...good, tools: [{ function: tool.function }] } },
    { why: "a bad tool name", body: { ...good, tools: [{ ...tool, function: { ...tool.function, name: "a.b" } }] } },
    { why: "two tools of one name", body: { ...good, tools: [tool, tool] } },
    {
      why: "a tool without an object schema",
      body: { ...good, tools: [{ ...tool, function: { name: "t", parameters: {} } }] },
    },
    { why: "thinking beside tools", body: { ...good, model: "gpt-5.4", tools: [tool], reasoning_effort: "low" } },
    {
      why: "no effort of a model that always thinks",
      body: { ...good, model: "gpt-6.1-sol", reasoning_effort: "none" },
    },
    { why: "tools of a model that thinks here", body: { ...good, model: "gpt-6-sol", tools: [tool] } },
    { why: "a temperature for a model that thinks", body: { ...good, model: "o3", temperature: 0 } },
    { why: "no message", body: { ...good, messages: [] } },
    { why: "an unknown role", body: { ...good, messages: [{ role: "robot", content: "x" }] } },
    {
      why: "a system message that comes later",
      body: { ...good, messages: [hello, { role: "system", content: "x" }] },
    },
    { why: "an empty text", body: { ...good, messages: [{ role: "user", content: "" }] } },
    { why: "a list without a part", body: { ...good, messages: [{ role: "user", content: [] }] } },
    { why: "an answer of nothing", body: { ...good, messages: [hello, { role: "assistant", content: null }] } },
    {
      why: "an empty list of calls",
      body: { ...good, messages: [hello, { role: "assistant", content: "a", tool_calls: [] }] },
    },
    { why: "an unanswered call", body: { ...good, messages: [hello, calls(use("1"), use("2")), result("1"), hello] } },
    { why: "a call at the end", body: { ...good, messages: [hello, calls(use("1"))] } },
    { why: "a result of nothing", body: { ...good, messages: [hello, result("1")] } },
    {
      why: "a result of another call",
      body: { ...good, messages: [hello, calls(use("1")), result("1"), result("2")] },
    },
    { why: "a result that comes too late", body: { ...good, messages: [hello, calls(use("1")), hello, result("1")] } },
    { why: "two results of one call", body: { ...good, messages: [hello, calls(use("1")), result("1"), result("1")] } },
    {
      why: "two calls of one id",
      body: { ...good, messages: [hello, calls(use("1")), result("1"), calls(use("1")), result("1")] },
    },
    {
      why: "an id that is too long",
      body: { ...good, messages: [hello, calls(use("x".repeat(41))), result("x".repeat(41))] },
    },
    {
      why: "arguments that are no text",
      body: { ...good, messages: [hello, calls(use("1", { function: { name: "t", arguments: {} } })), result("1")] },
    },
    {
      why: "arguments that are no JSON",
      body: { ...good, messages: [hello, calls(use("1", { function: { name: "t", arguments: "{" } })), result("1")] },
    },
    {
      why: "a called name beyond the alphabet",
      body: {
        ...good,
        messages: [hello, calls(use("1", { function: { name: "a.b", arguments: "{}" } })), result("1")],
      },
    },
    {
      why: "a signature that is not its own",
      body: { ...good, messages: [hello, calls(use("1", { extra_content: {} })), result("1")] },
    },
    {
      why: "thinking that is not its own",
      vendor: "groq",
      body: { ...good, messages: [hello, { role: "assistant", content: "a", reasoning_content: "b" }] },
    },
    {
      why: "an image in a result",
      body: { ...good, messages: [hello, calls(use("1")), { ...result("1"), content: [image] }] },
    },
    { why: "half a surrogate pair", body: { ...good, messages: [{ role: "user", content: "\ud83e" }] } },
    {
      why: "an unwanted option",
      vendor: "mistral",
      body: { ...good, stream: true, stream_options: { include_usage: true } },
    },
    {
      why: "a long id",
      vendor: "mistral",
      body: { ...good, messages: [hello, calls(use("call_1")), result("call_1")] },
    },
    {
      why: "the user after a result",
      vendor: "mistral",
      body: { ...good, messages: [hello, calls(use("abcdefgh1")), result("abcdefgh1"), hello] },
    },
    {
      why: "a call without its thinking",
      vendor: "deepseek",
      body: { ...good, messages: [hello, calls(use("1")), result("1")] },
    },
    {
      why: "a call without its signature",
      vendor: "gemini",
      body: { ...good, messages: [hello, calls(use("1")), result("1")] },
    },
    { why: "the newer limit of tokens", vendor: "ollama", body: { ...good, max_completion_tokens: 1 } },
  ])("refuses $why for $vendor", async ({ vendor = "openai", body }) => {
    const headers = vendor === "ollama" ? { "content-type": "application/json" } : bearer;
    const { status, text, recorded } = await ask(JSON.stringify(body), vendor, headers);
    expect(recorded?.refusal).toBeString();
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { type: "invalid_request_error", message: recorded?.refusal } },
    ]);
  });

  test.each<{ why: string; vendor: RuledVendor; headers: Readonly<Record<string, string>>; status: number }>([
    { why: "no key", vendor: "openai", headers: { "content-type": "application/json" }, status: 401 },
    { why: "another key", vendor: "openai", headers: { ...bearer, authorization: "Bearer sk-other" }, status: 401 },
    { why: "a key in the wrong header", vendor: "azure", headers: bearer, status: 401 },
    { why: "a key where none is asked for", vendor: "ollama", headers: bearer, status: 401 },
    { why: "no content type", vendor: "openai", headers: { ...bearer, "content-type": "text/plain" }, status: 400 },
  ])("refuses $why at $vendor", async ({ vendor, headers, status }) => {
    expect((await ask(JSON.stringify(good), vendor, headers)).status).toBe(status);
  });

  test.each([
    "openai/deployments/d/chat/completions?api-version=2023-01-01",
    "openai/deployments/d/chat/completions",
    "chat/completions",
  ])("knows no path of azure like %s", async (path) => {
    using server = openAiServer(textReply("Yes."));
    const headers = { "api-key": testKey, "content-type": "application/json" };
    const { AZURE_OPENAI_ENDPOINT } = server.environment("azure");
    const response = await fetch(`${AZURE_OPENAI_ENDPOINT}/${path}`, {
      method: "POST",
      body: JSON.stringify(good),
      headers,
    });
    expect(response.status).toBe(404);
  });

  test("plays its replies, and fails when none is left", async () => {
    using server = openAiServer(failureReply(529, "overloaded"));
    const ask = () =>
      fetch(`${server.environment("openai")["OPENAI_BASE_URL"]}/chat/completions`, {
        method: "POST",
        body: JSON.stringify(good),
        headers: bearer,
      });
    expect([(await ask()).status, (await ask()).status]).toEqual([529, 500]);
  });
});
