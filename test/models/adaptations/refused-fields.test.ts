import { describe, expect, test } from "bun:test";
import type { ModelRequest } from "@mdx-ai/models";
import { askAdapting } from "../../support/adapting-model.ts";
import { modelRequest, toolSchema } from "../../support/model-request.ts";
import { refusingServer } from "../../support/refusing-server.ts";
import { type Wire, wireServer } from "../../support/wire-server.ts";

const done = { parts: [{ text: ["Done."] }] };

const bodyOf = (text: string | undefined): Record<string, unknown> => JSON.parse(text ?? "{}");

const asking: Partial<ModelRequest> = { temperature: 0.5, maxTokens: 4000, effort: "low" };

interface Case {
  readonly wire: Wire;
  readonly model?: string;
  readonly says: string;
  readonly without: string;
  readonly rest?: Partial<ModelRequest>;
}

describe("a field that a server refuses is left out at the next attempt", () => {
  test.each<Case>([
    { wire: "openai", says: "Unknown parameter: 'stream_options'.", without: "stream_options" },
    { wire: "openai", says: "Unrecognized request argument supplied: stream_options", without: "stream_options" },
    { wire: "openai", says: "property 'stream_options' is unsupported", without: "stream_options" },
    {
      wire: "openai",
      says: "Additional properties are not allowed ('stream_options' was unexpected)",
      without: "stream_options",
    },
    { wire: "openai", says: 'json: unknown field "stream_options"', without: "stream_options" },
    { wire: "openai", says: '"m" does not support thinking', without: "reasoning_effort" },
    {
      wire: "openai",
      says: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
      without: "stream_options",
    },
    {
      wire: "openai",
      says: "unknown field `stream_options`, expected one of `model`, `messages`, `temperature`",
      without: "stream_options",
    },
    { wire: "openai", says: "body.stream_options: Extra inputs are not permitted", without: "stream_options" },
    { wire: "openai", says: "stream_options.include_usage: Extra inputs are not permitted", without: "stream_options" },
    {
      wire: "openai",
      says: "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      without: "temperature",
    },
    { wire: "openai", says: "invalid temperature: only 1 is allowed for this model", without: "temperature" },
    { wire: "openai", says: "This model does not support the reasoning_effort parameter", without: "reasoning_effort" },
    {
      wire: "openai",
      says: "litellm.UnsupportedParamsError: x does not support parameters: ['reasoning_effort'], for model=m",
      without: "reasoning_effort",
    },
    { wire: "openai", says: "reasoning effort is not supported by this model", without: "reasoning_effort" },
    {
      wire: "anthropic",
      says: "This model does not support the effort parameter.",
      without: "output_config",
      model: "opus-5-5",
    },
    {
      wire: "anthropic",
      says: "output_config: Extra inputs are not permitted",
      without: "output_config",
      model: "opus-5-5",
    },
    {
      wire: "anthropic",
      says: '"thinking.type.adaptive" is not supported for this model.',
      without: "thinking",
      model: "opus-5-5",
      rest: { thinking: "adaptive" },
    },
    {
      wire: "anthropic",
      says: "thinking: Extra inputs are not permitted",
      without: "thinking",
      model: "opus-5-5",
      rest: { thinking: "adaptive" },
    },
    {
      wire: "responses",
      says: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      without: "reasoning",
      model: "5.4",
    },
    { wire: "responses", says: "Unknown parameter: 'include'.", without: "include", model: "5.4" },
    {
      wire: "responses",
      says: "max_output_tokens is not supported by this server",
      without: "max_output_tokens",
      model: "5.4",
    },
  ])("$wire: $says", async ({ wire, says, without, model, rest }) => {
    using server = wireServer(wire, { status: 400, message: says }, done, done);
    const opened = await server.open(model);
    const request = modelRequest("Hi", {
      ...asking,
      ...(wire === "anthropic" && model !== "other" && { temperature: 0.1 }),
      ...rest,
    });
    const { changes, answer } = await askAdapting(opened, request);
    expect([answer.stopReason, changes]).toEqual(["stop", [expect.stringContaining("is left out from now on")]]);
    const [first, second] = server.requests.map(({ text }) => bodyOf(text));
    expect(first).toHaveProperty(without);
    const { [without]: _, ...kept } = first ?? {};
    expect(second).toEqual(kept);
    await askAdapting(opened, request);
    expect(bodyOf(server.requests.at(-1)?.text)).toEqual(kept);
    expect(server.requests).toHaveLength(3);
  });

  test("also where the cache points of Anthropic's protocol are refused, but not in the schema of a tool", async () => {
    using server = wireServer(
      "anthropic",
      { status: 400, message: "system.0.text.cache_control: Extra inputs are not permitted" },
      done,
    );
    const tools = [toolSchema("t", "Does it", { cache_control: "string" })];
    const { answer } = await askAdapting(await server.open(), modelRequest("Hi", { system: "Be kind.", tools }));
    expect(answer.stopReason).toBe("stop");
    expect(server.requests[0]?.text).toContain('"cache_control":{"type":"ephemeral"}');
    expect(server.requests[1]?.text).not.toContain("ephemeral");
    expect(server.requests[1]?.text).toContain('"cache_control":{"type":"string"}');
  });
});

const extra = (name: string) => ({
  type: "extra_forbidden",
  loc: ["body", name],
  msg: "Extra inputs are not permitted",
});

test.each([
  ["a list of what is wrong", { detail: [extra("stream_options")] }],
  ["such a list as a message", { object: "error", message: { detail: [extra("stream_options")] } }],
  ["a list of errors", { errors: [{ message: "Unrecognized request argument supplied: stream_options" }] }],
  ["errors by the fields", { title: "Validation failed.", errors: { stream_options: ["This is not supported."] } }],
  ["the text of another field", { code: 400, msg: "stream_options is not supported" }],
  ["an object as detail", { detail: { message: "stream_options is not supported" } }],
  ["the field beside the text", { error: { message: "This is not supported.", param: "stream_options" } }],
])("a refusal that names the field in %s is understood", async (_, refusal) => {
  using server = refusingServer((body) => ("stream_options" in body ? refusal : undefined), 422);
  const { changes, answer } = await askAdapting(await server.open());
  expect(answer.stopReason).toBe("stop");
  expect(changes).toEqual(["the server does not accept stream_options, which is left out from now on"]);
});

test("several fields are left out one after the other, with the server's words each time", async () => {
  const fields = ["temperature", "stream_options", "reasoning_effort"];
  using server = refusingServer((body) => {
    const field = fields.find((name) => name in body);
    return field === undefined ? undefined : { error: { message: `${field}: Extra inputs are not permitted` } };
  });
  const { changes, answer } = await askAdapting(await server.open(), modelRequest("Hi", asking));
  expect([answer.stopReason, changes.length]).toEqual(["stop", 3]);
});

describe("the limit of an answer under its other name", () => {
  const unsupported = (name: string, other: string) => ({
    error: {
      message: `Unsupported parameter: '${name}' is not supported with this model. Use '${other}' instead.`,
      param: name,
    },
  });

  test.each([
    ["groq/m", "max_completion_tokens", "max_tokens"],
    ["openai/m", "max_tokens", "max_completion_tokens"],
    ["deepseek/m", "max_tokens", "max_completion_tokens"],
  ])("%s: %s is sent as %s", async (reference, name, other) => {
    using server = refusingServer((body) => (name in body ? unsupported(name, other) : undefined));
    const { changes, answer } = await askAdapting(await server.open(reference), modelRequest("Hi", asking));
    expect([answer.stopReason, changes]).toEqual([
      "stop",
      [`the server does not accept ${name}, which is sent as ${other} from now on`],
    ]);
    expect(server.bodies[1]).toMatchObject({ [other]: 4000 });
    expect(Object.keys(server.bodies[1] ?? {})).toEqual(
      Object.keys(server.bodies[0] ?? {}).map((key) => (key === name ? other : key)),
    );
  });

  test("is max_tokens for models of others at the user's own address, and OpenAI's own name for its models", async () => {
    using server = refusingServer(() => undefined);
    for (const model of ["llama3", "gpt-audio"])
      await askAdapting(await server.open(`openai/${model}`), modelRequest("Hi", { maxTokens: 9 }));
    expect(server.bodies).toMatchObject([{ max_tokens: 9 }, { max_completion_tokens: 9 }]);
  });

  test("is left out by a server that takes neither", async () => {
    using server = refusingServer((body) => {
      const name = Object.keys(body).find((key) => key.endsWith("_tokens"));
      return name === undefined ? undefined : { error: { message: `unknown parameter ${name}` } };
    });
    const { changes, answer } = await askAdapting(await server.open(), modelRequest("Hi", asking));
    expect([answer.stopReason, changes.length]).toEqual(["stop", 2]);
  });

  test("is needed by Anthropic's protocol", async () => {
    using server = wireServer("anthropic", { status: 400, message: "max_tokens: Extra inputs are not permitted" });
    const { changes, answer } = await askAdapting(await server.open());
    expect([answer.stopReason, changes]).toEqual(["error", []]);
  });
});

test("a server that does not stream a model is asked for the whole answer", async () => {
  const message = "Your organization must be verified to stream this model.";
  using server = refusingServer((body) =>
    body["stream"] ? { error: { message, param: "stream", code: "unsupported_value" } } : undefined,
  );
  const { changes, answer } = await askAdapting(await server.open());
  expect([answer.stopReason, changes]).toEqual(["stop", [expect.stringContaining("in one piece")]]);
  expect(server.bodies[1]).not.toHaveProperty("stream_options");
});

test.each([
  "temperature must be between 0 and 1",
  "Invalid schema for function 'weather': 'temperature' is not supported",
  "tools.0.input_schema: temperature is not supported",
  "model: not supported",
  "messages.0: this role is not supported",
  "The model does not support tools",
  "upstream: this is not supported",
])("a refusal of something else stays what it is: %s", async (message) => {
  using server = refusingServer(() => ({ error: { message } }));
  const { changes, answer } = await askAdapting(await server.open(), modelRequest("Hi", { temperature: 0.5 }));
  expect([answer.failure?.isTransient, changes, answer.errorMessage]).toEqual([
    false,
    [],
    `openai answered 400: ${message}`,
  ]);
});
