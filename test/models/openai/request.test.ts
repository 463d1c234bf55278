import { describe, expect, test } from "bun:test";
import { type ModelRequest, openModel } from "@mdx-ai/models";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  toolResult,
  toolSchema,
  userMessage,
} from "../../support/model-request.ts";
import { answerChunks, chunkOf, textReply } from "../../support/openai-replies.ts";
import type { RuledVendor } from "../../support/openai-rules.ts";
import { openAiServer, testKey } from "../../support/openai-server.ts";

const tools = [toolSchema("bash", "Runs a command", { command: "string" }), toolSchema("list", "Lists")];

/** What the server is sent for a request over chat completions. */
async function sent(request: ModelRequest, reference = "openai/gpt-4.1"): Promise<unknown> {
  using server = openAiServer(textReply("Yes."));
  const [vendor = ""] = reference.split("/");
  if (!isVendor(vendor)) throw new Error(`no such vendor: ${vendor}`);
  const chat = vendor === "openai" ? ({ api: "chat" } as const) : {};
  const model = await openModel(reference, { environment: server.environment(vendor), ...chat });
  const events = await eventsOf(model, request);
  expect(server.requests[0]?.refusal).toBeUndefined();
  expect(endOf(events).type).toBe("done");
  return server.requests[0]?.body;
}

const isVendor = (name: string): name is RuledVendor =>
  ["openai", "azure", "gemini", "mistral", "openrouter", "groq", "deepseek", "xai", "ollama"].includes(name);

const usual = { stream: true, stream_options: { include_usage: true } };
const hello = { role: "user", content: "Hello" };

describe("a request to openai", () => {
  test("holds what was asked for and nothing else", async () => {
    expect(await sent(modelRequest("Hello"))).toEqual({ model: "gpt-4.1", ...usual, messages: [hello] });
    expect(await sent(modelRequest("Hello", { system: "Be kind.", tools, temperature: 0, maxTokens: 5 }))).toEqual({
      model: "gpt-4.1",
      ...usual,
      max_completion_tokens: 5,
      temperature: 0,
      tools: [
        {
          type: "function",
          function: { name: "bash", description: "Runs a command", parameters: tools[0]?.parameters },
        },
        { type: "function", function: { name: "list", description: "Lists", parameters: tools[1]?.parameters } },
      ],
      messages: [{ role: "system", content: "Be kind." }, hello],
    });
    expect(await sent(modelRequest("Hello", { stream: false }))).toEqual({
      model: "gpt-4.1",
      stream: false,
      messages: [hello],
    });
  });

  test("passes a tool's schema through as it is", async () => {
    const parameters = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
      additionalProperties: { $ref: "#/$defs/x" },
      $defs: { x: {} },
    };
    const body = await sent(modelRequest("Hi", { tools: [{ name: "odd", description: "", parameters }] }));
    expect(body).toMatchObject({ tools: [{ function: { parameters } }] });
  });

  const thinking = { thinking: "off" } as const;
  const effort = { effort: "high" } as const;
  const budget = { thinking: { budget: 2000 } } as const;
  const warm = { temperature: 0.5 } as const;

  test.each<{ model: string; asked: Partial<ModelRequest>; fields: Readonly<Record<string, unknown>> }>([
    { model: "openai/gpt-5", asked: effort, fields: { reasoning_effort: "high" } },
    { model: "openai/gpt-5", asked: { ...effort, tools }, fields: { reasoning_effort: "high" } },
    { model: "openai/gpt-5", asked: thinking, fields: {} },
    { model: "openai/gpt-5", asked: warm, fields: {} },
    { model: "openai/o3", asked: warm, fields: {} },
    { model: "openai/gpt-4.1", asked: { ...effort, ...warm }, fields: { temperature: 0.5 } },
    {
      model: "openai/gpt-5.1",
      asked: { ...thinking, ...warm },
      fields: { reasoning_effort: "none", temperature: 0.5 },
    },
    { model: "openai/gpt-5.1", asked: { ...effort, ...warm }, fields: { reasoning_effort: "high" } },
    { model: "openai/gpt-5.4", asked: { tools, ...warm }, fields: { reasoning_effort: "none", temperature: 0.5 } },
    { model: "openai/gpt-5.6-sol", asked: { tools, ...effort }, fields: { reasoning_effort: "none" } },
    { model: "openai/gpt-5.6-sol", asked: effort, fields: { reasoning_effort: "high" } },
    { model: "openai/gpt-5.4-pro", asked: thinking, fields: {} },
    { model: "openai/gpt-6-sol", asked: { tools, ...effort }, fields: { reasoning_effort: "none" } },
    { model: "openai/gpt-6.1-sol", asked: { ...thinking, ...warm }, fields: {} },
    { model: "openai/gpt-6.2-astra", asked: thinking, fields: {} },
    { model: "azure/my-deployment", asked: { ...effort, maxTokens: 9 }, fields: { max_tokens: 9 } },
    { model: "gemini/gemini-2.5-flash", asked: thinking, fields: { reasoning_effort: "none" } },
    { model: "gemini/gemini-3.8-flash", asked: { ...thinking, maxTokens: 9 }, fields: { max_tokens: 9 } },
    { model: "gemini/gemini-3.8-flash", asked: effort, fields: { reasoning_effort: "high" } },
    {
      model: "gemini/gemini-2.5-pro",
      asked: budget,
      fields: { extra_body: { google: { thinking_config: { thinking_budget: 2000 } } } },
    },
    {
      model: "mistral/mistral-small-latest",
      asked: { ...effort, maxTokens: 9 },
      fields: { reasoning_effort: "high", max_tokens: 9 },
    },
    { model: "mistral/mistral-large-latest", asked: { ...effort, ...warm }, fields: warm },
    { model: "mistral/mistral-medium-3-5", asked: thinking, fields: { reasoning_effort: "none" } },
    { model: "mistral/mistral-large-4", asked: { ...effort, ...warm }, fields: { reasoning_effort: "high", ...warm } },
    { model: "mistral/mistral-large-4-0", asked: thinking, fields: {} },
    { model: "openrouter/openrouter/auto", asked: effort, fields: { reasoning: { effort: "high" } } },
    { model: "openrouter/openrouter/auto", asked: thinking, fields: { reasoning: { effort: "none" } } },
    {
      model: "openrouter/openrouter/auto",
      asked: { ...budget, maxTokens: 9 },
      fields: { reasoning: { max_tokens: 2000 }, max_tokens: 9 },
    },
    { model: "openrouter/openrouter/auto", asked: { thinking: "adaptive" }, fields: { reasoning: { enabled: true } } },
    {
      model: "groq/openai/gpt-oss-20b",
      asked: { ...effort, maxTokens: 9 },
      fields: { reasoning_effort: "high", max_completion_tokens: 9 },
    },
    { model: "groq/llama-3.3-70b-versatile", asked: effort, fields: {} },
    { model: "groq/qwen/qwen3.8-27b", asked: thinking, fields: { reasoning_effort: "none" } },
    {
      model: "deepseek/deepseek-flash",
      asked: { ...thinking, maxTokens: 9 },
      fields: { thinking: { type: "disabled" }, max_tokens: 9 },
    },
    {
      model: "deepseek/deepseek-flash",
      asked: { thinking: "adaptive", ...effort },
      fields: { thinking: { type: "enabled" }, reasoning_effort: "high" },
    },
    {
      model: "xai/grok-4.7",
      asked: { ...effort, maxTokens: 9 },
      fields: { reasoning_effort: "high", max_completion_tokens: 9 },
    },
    { model: "xai/grok-4-0709", asked: effort, fields: {} },
    { model: "xai/grok-4.20-reasoning", asked: effort, fields: {} },
    {
      model: "ollama/qwen3:8b",
      asked: { ...thinking, maxTokens: 9 },
      fields: { reasoning_effort: "none", max_tokens: 9 },
    },
  ])("says to $model what it has a word for: $asked", async ({ model, asked, fields }) => {
    const wireTools = "tools" in asked ? { tools: expect.anything() } : {};
    const counting = /^(?:azure|mistral)/.test(model) ? {} : { stream_options: { include_usage: true } };
    expect<unknown>(await sent(modelRequest("Hello", asked), model)).toEqual({
      model: model.slice(model.indexOf("/") + 1),
      stream: true,
      ...counting,
      ...wireTools,
      ...fields,
      messages: [hello],
    });
  });

  test("carries the key in its header alone, and nothing of the environment's making", async () => {
    using server = openAiServer(textReply("Yes."), textReply("Yes."), textReply("Yes."));
    const program = `
      import { openModel } from "@mdx-ai/models";
      const messages = [{ role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 0 }];
      const environments = ${JSON.stringify({ "openai/llama": server.environment("openai"), "azure/d": server.environment("azure"), "ollama/q": server.environment("ollama") })};
      for (const [reference, environment] of Object.entries(environments)) {
        const model = await openModel(reference, { environment });
        for await (const event of model.stream({ system: "", tools: [], messages }, new AbortController().signal)) {
          if (event.type === "error") throw event.error;
        }
      }
    `;
    const hostile = {
      OPENAI_API_KEY: "sk-other",
      OPENAI_ADMIN_KEY: "sk-other",
      AZURE_OPENAI_API_KEY: "sk-other",
      AZURE_OPENAI_ENDPOINT: "http://127.0.0.1:1/other",
      OPENAI_BASE_URL: "http://127.0.0.1:1/other",
      OPENAI_API_VERSION: "other",
      OPENAI_ORG_ID: "other",
      OPENAI_PROJECT_ID: "other",
      OPENAI_WEBHOOK_SECRET: "other",
      OPENAI_LOG: "debug",
      OPENAI_CUSTOM_HEADERS:
        "x-injected: 1\nx-stainless-other: 1\nauthorization: Bearer sk-other\napi-key: other\naccept: other\ncontent-type: other\nuser-agent: other",
    };
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: `${import.meta.dir}/../../..`,
      env: { ...process.env, ...hostile },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/openai/v1/chat/completions",
      "/azure/openai/deployments/d/chat/completions?api-version=2024-02-01",
      "/ollama/v1/chat/completions",
    ]);
    for (const { headers, text, path } of server.requests) {
      const given = [...headers].map((header) => header.join(": ")).join("\n");
      for (const word of ["injected", "other", "stainless", "openai-"]) expect(given).not.toContain(word);
      expect(given.includes(testKey)).toBe(!path.startsWith("/ollama"));
      expect(text).not.toContain(testKey);
    }
  });
});

/** The same message as a later process reads it from its journal. */
const reloaded = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

test("the signature of a call goes back to gemini byte for byte, after a reload too", async () => {
  const extra = { google: { thought_signature: "CrICAd+/=\u2028ü" }, more: [1, null, { a: 1e21 }] };
  const chunks = answerChunks([{ id: "f1", name: "bash", json: ["{}"], extra }]);
  using server = openAiServer({ chunks }, textReply("Done."));
  const model = await openModel("gemini/gemini-3.8-flash", { environment: server.environment("gemini") });
  const { message } = endOf(await eventsOf(model));
  expect(message.content).toMatchObject([{ type: "toolCall", signature: JSON.stringify(extra) }]);
  await eventsOf(model, modelRequest([userMessage("Hi"), reloaded(message), toolResult("f1", "ok")], { tools }));
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
  expect(server.requests[1]?.text).toContain(`"extra_content":${JSON.stringify(extra)}`);
});

test.each(["Invalid thought signature.", "Corrupted thought signature."])(
  "a signature that gemini cannot read costs one attempt, and goes with no further one: %s",
  async (message) => {
    const extra = { google: { thought_signature: "b2xk" } };
    const call = { id: "f1", name: "bash", json: ["{}"], extra };
    const refusal = { status: 400, body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }] };
    using server = openAiServer({ chunks: answerChunks([call]) }, refusal, textReply("Done."), refusal);
    const model = await openModel("gemini/gemini-3.8-flash", { environment: server.environment("gemini") });
    const answer = endOf(await eventsOf(model)).message;
    const request = modelRequest([userMessage("Hi"), answer, toolResult("f1", "ok")], { tools });
    const { failure } = endOf(await eventsOf(model, request)).message;
    expect(failure).toMatchObject({
      status: 400,
      isTransient: true,
      retryAfter: 0,
      adapted: expect.stringContaining("the model's earlier thinking"),
    });
    expect(endOf(await eventsOf(model, request)).message.content).toMatchObject([{ text: "Done." }]);
    expect(server.requests.map(({ text }) => text.includes("b2xk"))).toEqual([false, true, false]);
    // Without signatures the same refusal is final.
    expect(endOf(await eventsOf(model, request)).message.failure).toMatchObject({ status: 400, isTransient: false });
  },
);

test("details of reasoning go back to openrouter in one piece, after a reload too", async () => {
  const detail = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
  const encrypted = { type: "reasoning.encrypted", data: "ZW5j", id: "rs_1", index: 1 };
  const deltas = [
    { reasoning: "Hm", reasoning_details: [{ ...detail, text: "Hm" }] },
    { reasoning: "m.", reasoning_details: [{ ...detail, text: "m.", signature: null }] },
    { reasoning_details: [{ ...detail, signature: "c2ln" }, encrypted] },
    { content: "Yes." },
  ];
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  using server = openAiServer({ chunks: [...deltas.map(chunkOf), end] }, textReply("Done."));
  const model = await openModel("openrouter/auto", { environment: server.environment("openrouter") });
  const { message } = endOf(await eventsOf(model));
  expect(message.content).toMatchObject([{ type: "thinking", thinking: "Hmm." }, { text: "Yes." }]);
  await eventsOf(model, modelRequest([userMessage("Hi"), reloaded(message), userMessage("On.")]));
  expect(server.requests[1]).toMatchObject({
    refusal: undefined,
    body: { messages: [{}, { reasoning_details: [{ ...detail, text: "Hmm.", signature: "c2ln" }, encrypted] }, {}] },
  });
});

test("details of reasoning that say nothing to people are kept all the same", async () => {
  const encrypted = { type: "reasoning.encrypted", data: "ZW5j", id: "rs_1", index: 0 };
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  using server = openAiServer({
    chunks: [chunkOf({ reasoning_details: [encrypted] }), chunkOf({ content: "Yes." }), end],
  });
  const model = await openModel("openrouter/auto", { environment: server.environment("openrouter") });
  expect(endOf(await eventsOf(model)).message.content).toEqual([
    { type: "thinking", thinking: "", signature: JSON.stringify([encrypted]) },
    { type: "text", text: "Yes." },
  ]);
});

test("what deepseek thought goes back with its calls", async () => {
  const chunks = answerChunks([{ thinking: ["Hm."] }, { id: "c1", name: "bash", json: ["{}"] }]);
  using server = openAiServer({ chunks }, textReply("Done."));
  const model = await openModel("deepseek", { environment: server.environment("deepseek") });
  const { message } = endOf(await eventsOf(model));
  await eventsOf(
    model,
    modelRequest([
      userMessage("Hi"),
      message,
      toolResult("c1", "ok"),
      assistantMessage([{ type: "text", text: "So." }]),
      userMessage("On."),
    ]),
  );
  expect(server.requests[1]).toMatchObject({
    refusal: undefined,
    body: { messages: [{}, { reasoning_content: "Hm." }, {}, {}, {}] },
  });
});

test("many streams on one signal leave no warning behind", async () => {
  using server = openAiServer(...Array.from({ length: 30 }, () => textReply("Yes.")));
  const program = `
    import { openModel } from "@mdx-ai/models";
    const model = await openModel("openai/llama", { environment: ${JSON.stringify(server.environment("openai"))} });
    const { signal } = new AbortController();
    for (let turn = 0; turn < 30; turn++) for await (const _ of model.stream({ system: "", tools: [], messages: [{ role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 0 }] }, signal));
  `;
  const child = Bun.spawn([process.execPath, "-e", program], {
    cwd: `${import.meta.dir}/../../..`,
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  expect(server.requests.length).toBe(30);
});
