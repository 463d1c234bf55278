import { describe, expect, test } from "bun:test";
import { type LanguageModel, type ModelRequest, openModel } from "@mdx-ai/models";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  toolResult,
  toolSchema,
  userMessage,
} from "../../support/model-request.ts";

const tools = [toolSchema("bash", "Runs a command", { command: "string" }), toolSchema("list", "Lists")];
const cached = { cache_control: { type: "ephemeral" } };

/** What the server is sent for a request. */
async function sent(request: ModelRequest, model = "claude-test"): Promise<unknown> {
  using server = anthropicServer(textReply("Yes."));
  const events = await eventsOf(await openModel(model, { environment: server.environment }), request);
  expect(endOf(events).type).toBe("done");
  return server.requests[0]?.body;
}

describe("a request to anthropic", () => {
  test("holds what was asked for, what the API demands and cache points, and nothing else", async () => {
    expect(await sent(modelRequest("Hello"))).toEqual({
      model: "claude-test",
      max_tokens: 64_000,
      stream: true,
      messages: [{ role: "user", content: [{ type: "text", text: "Hello", ...cached }] }],
    });
    expect(await sent(modelRequest("Hello", { system: "Be kind.", tools, maxTokens: 5 }))).toEqual({
      model: "claude-test",
      max_tokens: 5,
      stream: true,
      tools: [
        { name: "bash", description: "Runs a command", input_schema: tools[0]?.parameters },
        { name: "list", description: "Lists", input_schema: tools[1]?.parameters, ...cached },
      ],
      system: [{ type: "text", text: "Be kind.", ...cached }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello", ...cached }] }],
    });
  });

  test.each([
    ["claude-3-haiku-20240307", 4096],
    ["claude-3-5-sonnet-latest", 8192],
    ["claude-3-7-sonnet-latest", 64_000],
    ["claude-opus-4-20250514", 32_000],
    ["claude-opus-4-1-20250805", 32_000],
    ["claude-opus-4-5-20251101", 64_000],
    ["claude-opus-4-8", 128_000],
    ["claude-opus-5-5", 128_000],
    ["claude-sonnet-4-20250514", 64_000],
    ["claude-sonnet-4-5", 64_000],
    ["claude-sonnet-4-6", 128_000],
    ["claude-sonnet-5-5", 128_000],
    ["claude-haiku-4-5-20251001", 64_000],
    ["claude-haiku-5-5", 128_000],
    ["claude-of-tomorrow", 64_000],
  ])("lets %s answer with up to %d tokens where nothing was set", async (model, limit) => {
    expect(await sent(modelRequest("Hello"), model)).toMatchObject({ max_tokens: limit });
  });

  test.each([
    { asked: { thinking: "adaptive" }, sent: { thinking: { type: "adaptive", display: "summarized" } } },
    { asked: { thinking: "off" }, sent: { thinking: { type: "disabled" } } },
    { asked: { thinking: { budget: 2000 } }, sent: { thinking: { type: "enabled", budget_tokens: 2000 } } },
    { asked: { thinking: { budget: 1e6 } }, sent: { thinking: { type: "enabled", budget_tokens: 62_976 } } },
    { asked: { thinking: { budget: 1 } }, sent: { thinking: { type: "enabled", budget_tokens: 1024 } } },
    {
      asked: { thinking: { budget: 4096 }, maxTokens: 4096 },
      sent: { thinking: { type: "enabled", budget_tokens: 3072 }, max_tokens: 4096 },
    },
    {
      asked: { thinking: { budget: 4096 }, maxTokens: 1025 },
      sent: { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 1025 },
    },
    { asked: { thinking: { budget: 4096 }, maxTokens: 1024 }, sent: { max_tokens: 1024 } },
    { asked: { effort: "high" }, sent: { output_config: { effort: "high" } } },
    { asked: { stream: true }, sent: { stream: true } },
  ] as const)(
    "says how to think as it was asked to, in limits that the API accepts: %j",
    async ({ asked, sent: all }) => {
      const messages = [{ role: "user", content: [{ type: "text", text: "Hello", ...cached }] }];
      const body = { model: "claude-test", max_tokens: 64_000, stream: true, messages, ...all };
      expect(await sent(modelRequest("Hello", asked))).toEqual(body);
    },
  );

  const adaptive = { thinking: { type: "adaptive", display: "summarized" } };
  const disabled = { thinking: { type: "disabled" } };
  const budget = { thinking: { type: "enabled", budget_tokens: 2000 } };

  test.each<[string, object, object, object, object]>([
    ["claude-haiku-4-5-20251001", {}, disabled, budget, {}],
    ["claude-sonnet-4-5", {}, disabled, budget, {}],
    ["claude-opus-4-1-20250805", {}, disabled, budget, {}],
    ["claude-opus-4-5-20251101", {}, disabled, budget, { output_config: { effort: "high" } }],
    ["claude-sonnet-4-6", adaptive, disabled, budget, { output_config: { effort: "high" } }],
    ["claude-opus-4-8", adaptive, disabled, adaptive, { output_config: { effort: "high" } }],
    ["claude-sonnet-5", adaptive, disabled, adaptive, { output_config: { effort: "high" } }],
    ["claude-haiku-5-5", adaptive, disabled, adaptive, { output_config: { effort: "high" } }],
    [
      "claude-sonnet-5-5",
      adaptive,
      { thinking: { type: "between_tools" } },
      adaptive,
      { output_config: { effort: "high" } },
    ],
    ["claude-opus-5-5", adaptive, {}, adaptive, { output_config: { effort: "high" } }],
    ["claude-fable-5-2", adaptive, {}, adaptive, { output_config: { effort: "high" } }],
  ])("says to %s only what it takes: adaptive, off, a budget, an effort", async (model, ...expected) => {
    const asked: readonly Partial<ModelRequest>[] = [
      { thinking: "adaptive" },
      { thinking: "off" },
      { thinking: { budget: 2000 } },
      { effort: "high" },
    ];
    for (const [index, one] of asked.entries()) {
      const { thinking, output_config } = Object(await sent(modelRequest("Hello", one), model));
      const said = {
        ...(thinking !== undefined && { thinking }),
        ...(output_config !== undefined && { output_config }),
      };
      expect<unknown>(said).toEqual(expected[index]);
    }
  });

  test("has a temperature for a server of other models alone: Anthropic's own take none", async () => {
    const warm = modelRequest("Hello", { temperature: 0.5 });
    expect(await sent(warm, "anthropic/claude-sonnet-4-5")).not.toHaveProperty("temperature");
    expect(await sent(warm, "anthropic/claude-sonnet-5-5")).not.toHaveProperty("temperature");
    expect(await sent(warm, "anthropic/other-model")).toHaveProperty("temperature", 0.5);
    const thoughtful = await sent(
      modelRequest("Hello", { temperature: 0.5, thinking: "adaptive" }),
      "anthropic/other-model",
    );
    expect(thoughtful).not.toHaveProperty("temperature");
    expect(thoughtful).toHaveProperty("thinking", { type: "adaptive" });
  });

  test("does not ask for a stream where none is wanted", async () => {
    expect(await sent(modelRequest("Hello", { stream: false }))).not.toHaveProperty("stream");
  });

  test("carries the key in its header alone, and no header of the environment's making", async () => {
    using server = anthropicServer(textReply("Yes."));
    const program = `
      import { openModel } from "@mdx-ai/models";
      const model = await openModel("claude-x", { environment: ${JSON.stringify(server.environment)} });
      const messages = [{ role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 0 }];
      for await (const event of model.stream({ system: "", tools: [], messages }, new AbortController().signal)) {
        if (event.type === "error") throw event.error;
      }
    `;
    const hostile = {
      ANTHROPIC_API_KEY: "sk-other",
      ANTHROPIC_AUTH_TOKEN: "other-token",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      ANTHROPIC_CUSTOM_HEADERS: "x-injected: 1\nauthorization: Bearer sk-other\nanthropic-beta: other",
      ANTHROPIC_LOG: "debug",
      OTEL_TRACES_EXPORTER: "otlp",
    };
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: `${import.meta.dir}/../../..`,
      env: { ...process.env, ...hostile },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
    const { headers, text } = server.requests[0] ?? { headers: new Headers(), text: "" };
    expect(headers.get("authorization") ?? headers.get("x-api-key")).toMatch(/^(?:Bearer )?sk-ant-test-key$/);
    expect(text).not.toContain("sk-ant-test-key");
    const given = [...headers].map((header) => header.join(": ")).join("\n");
    for (const word of ["injected", "other", "anthropic-beta"]) expect(given).not.toContain(word);
  });

  test("fixes unpaired surrogates, which a cut through an emoji leaves, and nothing else", async () => {
    const history = [
      userMessage("cut \ud83e"),
      assistantMessage([{ type: "toolCall", id: "t", name: "bash", arguments: { command: "\udd8a" } }]),
      toolResult("t", "literal \\ud83e, whole 🦊"),
    ];
    expect(await sent(modelRequest(history))).toMatchObject({
      messages: [
        { content: [{ text: "cut \ufffd" }] },
        { content: [{ input: { command: "\ufffd" } }] },
        { content: [{ content: [{ text: "literal \\ud83e, whole 🦊" }] }] },
      ],
    });
  });

  test("passes a tool's schema through as it is", async () => {
    const parameters = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
      $defs: {},
    };
    const body = await sent(modelRequest("Hi", { tools: [{ name: "odd", description: "", parameters }] }));
    expect(body).toMatchObject({ tools: [{ input_schema: parameters }] });
  });
});

describe("the cache points of a tool loop", () => {
  /** Bodies of a loop of so many turns, each with calls side by side. */
  async function loopBodies(turns: number): Promise<string[]> {
    const calls = (turn: number) =>
      ["a", "b", "c"].map((id) => ({ id: `${id}${turn}`, name: "bash", input: { command: id } }));
    using server = anthropicServer(...Array.from({ length: turns }, (_, turn) => toolReply(...calls(turn))));
    const model = await openModel("claude-test", { environment: server.environment });
    const messages: ModelRequest["messages"][number][] = [userMessage("Go.")];
    for (let turn = 0; turn < turns; turn++) await takeTurn(model, messages);
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: turns }, () => undefined));
    return server.requests.map(({ text }) => text);
  }

  async function takeTurn(model: LanguageModel, messages: ModelRequest["messages"][number][]): Promise<void> {
    const { message } = endOf(await eventsOf(model, modelRequest([...messages], { system: "Be kind.", tools })));
    const results = message.content.flatMap((block) =>
      block.type === "toolCall" ? [toolResult(block.id, "done")] : [],
    );
    messages.push(message, ...results);
  }

  const point = ',"cache_control":{"type":"ephemeral"}';

  test("leave the prefix byte for byte the same from turn to turn", async () => {
    const bodies = (await loopBodies(6)).map((body) => body.replaceAll(point, ""));
    for (const [turn, body] of bodies.entries()) {
      const next = bodies[turn + 1];
      if (next !== undefined) expect(next.startsWith(body.slice(0, -"]}".length))).toBe(true);
    }
  });

  test("are four: the last tool, the system prompt, this turn's end, and the last turn's end, where it stood then", async () => {
    const bodies = await loopBodies(4);
    expect(bodies.map((body) => body.split(point).length - 1)).toEqual([3, 4, 4, 4]);
    for (const [turn, body] of bodies.slice(0, -1).entries()) {
      const cachedThen = body.slice(0, body.lastIndexOf(point)).replaceAll(point, "").length;
      const next = bodies[turn + 1] ?? "";
      const pieces = next.split(point);
      const ends = pieces.map((_, count) => pieces.slice(0, count + 1).join("").length);
      expect(ends).toContain(cachedThen);
    }
  });
});

test("many streams on one signal leave no warning behind", async () => {
  using server: AnthropicServer = anthropicServer(...Array.from({ length: 30 }, () => textReply("Yes.")));
  const program = `
    import { openModel } from "@mdx-ai/models";
    const model = await openModel("claude-x", { environment: ${JSON.stringify(server.environment)} });
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
