import { describe, expect, test } from "bun:test";
import { type ModelRequest, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, toolSchema } from "../../support/model-request.ts";
import { textReply } from "../../support/responses-replies.ts";
import { responsesServer } from "../../support/responses-server.ts";

const tools = [toolSchema("bash", "Runs a command", { command: "string" })];
const hello = [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }];
const include = ["reasoning.encrypted_content"];

/** What the server is sent for a request, which it does not refuse. */
async function sent(asked: Partial<ModelRequest> = {}, model = "gpt-5.4"): Promise<unknown> {
  using server = responsesServer(textReply("Yes."));
  const { environment } = server;
  const events = await eventsOf(await openModel(`openai/${model}`, { environment }), modelRequest("Hello", asked));
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined]);
  expect(endOf(events).type).toBe("done");
  return server.requests[0]?.body;
}

describe("a request to the responses interface", () => {
  test("holds what was asked for, stores nothing and asks for encrypted thinking", async () => {
    const usual = { model: "gpt-5.4", stream: true, store: false, include, input: hello };
    expect(await sent()).toEqual(usual);
    expect(await sent({ stream: false })).toEqual({ ...usual, stream: false });
    expect(await sent({ system: "Be kind.", tools, maxTokens: 500, effort: "high" })).toEqual({
      ...usual,
      max_output_tokens: 500,
      reasoning: { effort: "high" },
      instructions: "Be kind.",
      tools: [
        {
          type: "function",
          name: "bash",
          description: "Runs a command",
          parameters: tools[0]?.parameters,
          strict: false,
        },
      ],
    });
  });

  const warm = { temperature: 0.5 } as const;
  const off = { thinking: "off" } as const;
  const high = { effort: "high" } as const;
  const keyed = { prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/) };

  test.each<[string, Partial<ModelRequest>, Readonly<Record<string, unknown>>]>([
    ["gpt-5.4", { ...high, tools }, { include, reasoning: { effort: "high" } }],
    ["gpt-5.4", { ...off, ...warm }, { include, reasoning: { effort: "none" }, ...warm }],
    ["gpt-5.4", { ...high, ...warm }, { include, reasoning: { effort: "high" } }],
    ["gpt-5.4", { thinking: "adaptive", ...high }, { include, reasoning: { effort: "high", summary: "auto" } }],
    ["gpt-5.4", { thinking: { budget: 2000 } }, { include }],
    ["gpt-5", { ...off, ...warm }, { include }],
    ["o3", { ...high, ...warm }, { include, reasoning: { effort: "high" } }],
    ["gpt-4.1", { ...high, ...warm, thinking: "adaptive" }, warm],
    ["ft:gpt-4.1-mini:mine::1", { ...high, ...warm }, warm],
    ["ft:gpt-5.4:mine::1", high, { include, reasoning: { effort: "high" } }],
    ["chatgpt-4o-latest", { ...high, ...warm }, warm],
    ["gpt-4.1", { maxTokens: 5 }, { max_output_tokens: 16 }],
    ["gpt-6-sol", { ...off, ...warm, tools }, { ...keyed, include, reasoning: { effort: "none" }, ...warm }],
    ["gpt-6.1-terra", off, { ...keyed, include, reasoning: { effort: "none" } }],
    ["gpt-6-astra", { ...off, ...warm }, { ...keyed, include }],
    ["gpt-6.1-sol", { ...off, ...warm }, { ...keyed, include }],
    ["gpt-6.2-sol", { ...high, ...warm }, { ...keyed, include, reasoning: { effort: "high" } }],
    ["gpt-5.6-cyber", off, { ...keyed, include }],
  ])("says to %s what it has a word for: %j", async (model, asked, fields) => {
    const wireTools = "tools" in asked ? { tools: expect.anything() } : {};
    expect<unknown>(await sent(asked, model)).toEqual({
      ...{ model, stream: true, store: false, input: hello },
      ...wireTools,
      ...fields,
    });
  });
});

test("the key of the prompt's cache is one for all requests that begin alike", async () => {
  const keyOf = async (asked: Partial<ModelRequest>): Promise<unknown> =>
    Object(await sent(asked, "gpt-6.1-sol"))["prompt_cache_key"];
  const key = await keyOf({ system: "Be kind.", tools });
  expect(await keyOf({ system: "Be kind.", tools, effort: "low", maxTokens: 99 })).toBe(key);
  expect(await keyOf({ system: "Be quick.", tools })).not.toBe(key);
  expect(await keyOf({ system: "Be kind." })).not.toBe(key);
});

describe("the system prompt", () => {
  const developer = { type: "message", role: "developer", content: [{ type: "input_text", text: "Be kind." }] };

  test.each(["gpt-5.4", "gpt-6-astra", "gpt-6.1-sol", "o3"])("of %s is its instructions", async (model) => {
    expect(await sent({ system: "Be kind." }, model)).toMatchObject({ instructions: "Be kind.", input: hello });
  });

  // These models place instructions after the input.
  test.each(["gpt-6.2-astra", "gpt-6.2-sol", "gpt-6.10-sol", "gpt-7"])(
    "of %s comes before the input",
    async (model) => {
      const body = await sent({ system: "Be kind." }, model);
      expect(body).toHaveProperty("input", [developer, ...hello]);
      expect(body).not.toHaveProperty("instructions");
      expect(await sent({ system: " " }, model)).toHaveProperty("input", hello);
    },
  );
});

describe("the interface of a model", () => {
  /** The path that a model is asked at. */
  async function pathOf(reference: string, api?: "chat" | "responses"): Promise<string> {
    let path = "";
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        path = new URL(request.url).pathname;
        return Response.json({ error: { message: "no" } }, { status: 400 });
      },
    });
    const options = { environment: {}, apiKey: "k", baseUrl: `${server.url.origin}/v1`, ...(api && { api }) };
    await eventsOf(await openModel(reference, options));
    return path;
  }

  test.each([
    "gpt-4.1",
    "gpt-5.4",
    "gpt-test",
    "o1",
    "o3",
    "o4-mini",
    "chatgpt-4o-latest",
    "codex-mini-latest",
    "ft:gpt-4.1:a::b",
  ])("of OpenAI's own name %s is responses", async (name) => {
    expect(await pathOf(`openai/${name}`)).toBe("/v1/responses");
  });

  test.each([
    "openai/llama3",
    "openai/gpt-oss-20b",
    "openai/org/gpt-4.1",
    "openai/gpt-4o-audio-preview",
    "openai/gpt-4o-search-preview",
    "openai/gpt-5-search-api",
    "openai/ollama-3",
    "groq/gpt-5.4",
    "openrouter/gpt-5.4",
    "ollama/gpt-5.4",
  ])("of %s is chat completions", async (reference) => {
    expect(await pathOf(reference)).toBe("/v1/chat/completions");
  });

  test("is the one that is set", async () => {
    expect(await pathOf("openai/gpt-5.4", "chat")).toBe("/v1/chat/completions");
    expect(await pathOf("openai/llama3", "responses")).toBe("/v1/responses");
  });

  test("of Azure's deployments is chat completions, and only OpenAI's can be set", async () => {
    expect(await pathOf("azure/gpt-5.4")).toBe("/v1/openai/deployments/gpt-5.4/chat/completions");
    for (const reference of ["azure/gpt-5.4", "groq/m", "claude-test"])
      expect(pathOf(reference, "chat")).rejects.toThrow("only the vendor openai has a choice of APIs");
  });
});
