import { describe, expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { words } from "../../support/conversation.ts";
import { collected, observePrompt } from "../../support/observed-prompt.ts";
import { otlpCollector } from "../../support/otlp-collector.ts";
import type { ReceivedSpan } from "../../support/otlp-documents.ts";
import { overloaded, type Reply, scriptReference } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const BROKEN = toolText("broken", 'throw new Error("the secret cause");');

/** What a collector receives of prompts to an agent that plays replies. */
async function spansOf(
  replies: readonly Reply[],
  environment: Readonly<Record<string, string>> = {},
  prompts: readonly string[] = ["hello"],
): Promise<Awaited<ReturnType<typeof collected>>> {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + BROKEN, "note.txt": "the secret note" });
  const agent = await openScriptAgent(directory.path, replies, { retries: [0] });
  const observe = async (telemetry: Parameters<typeof observePrompt>[1]): Promise<void> => {
    for (const text of prompts) await observePrompt(agent, telemetry, { text });
  };
  return await collected(agent, observe, environment);
}

const note: Reply = { calls: [{ id: "c1", name: "read_file", arguments: { path: "note.txt" } }] };

/** The spans of an operation, in their order. */
const named = (spans: readonly ReceivedSpan[], operation: string): ReceivedSpan[] =>
  spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === operation);

describe("a prompt is an invoke_agent span", () => {
  test("with its model and its usage", async () => {
    const { spans, resource } = await spansOf([{ text: "done", usage: { input: 3, output: 2 } }]);
    const [agent] = named(spans, "invoke_agent");
    expect(agent).toMatchObject({
      name: "invoke_agent Weather",
      kind: "INTERNAL",
      parentSpanId: undefined,
      isError: false,
      schemaUrl: "https://opentelemetry.io/schemas/1.41.1",
      attributes: {
        "gen_ai.provider.name": "script",
        "gen_ai.agent.name": "Weather",
        "gen_ai.conversation.id": "main",
        "gen_ai.request.model": expect.stringContaining("script-"),
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 2,
      },
    });
    expect(resource).toMatchObject({ "service.name": "mdx-ai", "telemetry.sdk.name": "opentelemetry" });
  });

  test("with a chat for each answer and an execute_tool for each call", async () => {
    const { spans } = await spansOf([note, { text: "done" }]);
    const [agent] = named(spans, "invoke_agent");
    const children = spans.filter((span) => span !== agent);
    expect(children.map(({ attributes }) => attributes["gen_ai.operation.name"])).toStrictEqual([
      "chat",
      "execute_tool",
      "chat",
    ]);
    for (const { parentSpanId, traceId } of children) {
      expect({ parentSpanId, traceId }).toStrictEqual({
        parentSpanId: agent?.spanId ?? "",
        traceId: agent?.traceId ?? "",
      });
    }
    const times = children.flatMap(({ start, end }) => [start, end]);
    expect(times.toSorted()).toStrictEqual(times);
    expect(agent?.start).toBeLessThanOrEqual(times[0] ?? 0n);
    expect(agent?.end).toBeGreaterThanOrEqual(times.at(-1) ?? 0n);
  });

  test("of a separate trace", async () => {
    const { spans } = await spansOf([{ text: "one" }, { text: "two" }], {}, ["a", "b"]);
    const traces = named(spans, "invoke_agent").map(({ traceId }) => traceId);
    expect(new Set(traces).size).toBe(2);
    expect(named(spans, "chat").map(({ traceId }) => traceId)).toStrictEqual(traces);
  });

  test("within the span in which the process was started", async () => {
    const { spans } = await spansOf([{ text: "done" }], {
      TRACEPARENT: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
      TRACESTATE: "a=b",
    });
    expect(named(spans, "invoke_agent")).toMatchObject([
      { traceId: "0123456789abcdef0123456789abcdef", parentSpanId: "0123456789abcdef" },
    ]);
  });

  test("with the failure that ended it", async () => {
    const { spans } = await spansOf([{ error: { message: "no", status: 401 } }]);
    expect(
      spans.map(({ name, isError, attributes }) => [name.split(" ")[0], isError, attributes["error.type"]]),
    ).toStrictEqual([
      ["chat", true, "401"],
      ["invoke_agent", true, "401"],
    ]);
  });

  test("with the limit that ended it", async () => {
    using directory = agentDirectory({ "note.txt": "x" });
    const agent = await openScriptAgent(directory.path, [note, note], { maxTurns: 1 });
    const { spans } = await collected(agent, (telemetry) => observePrompt(agent, telemetry));
    expect(named(spans, "invoke_agent")).toMatchObject([
      { isError: true, attributes: { "error.type": "limit:turns" } },
    ]);
  });

  test("that an abort ends, and with it the chat that ran", async () => {
    using directory = agentDirectory();
    const stop = new AbortController();
    const agent = await openScriptAgent(directory.path, [{ deltas: ["a", "b"], deltaDelay: 30_000 }]);
    const { spans } = await collected(agent, async (telemetry) => {
      const observer = telemetry.begin({ session: "main", model: agent.model });
      for await (const event of agent.session().prompt("hello", { signal: stop.signal })) {
        observer.send(event);
        if (event.type === "message_update") stop.abort();
      }
    });
    expect(spans.map(({ name, attributes }) => [name.split(" ")[0], attributes["error.type"]])).toStrictEqual([
      ["chat", "aborted"],
      ["invoke_agent", "aborted"],
    ]);
  });

  test("with the error of a prompt that could not run", async () => {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, []);
    const { spans } = await collected(agent, async (telemetry) => {
      const observer = telemetry.begin({ session: "main", model: agent.model });
      observer.send({ type: "agent_start", promptId: "p" });
      observer.send({ type: "tool_execution_start", toolCallId: "1", toolName: "bash", args: {} });
      observer.fail(new RangeError("the secret reason"));
    });
    expect(spans.map(({ name, attributes }) => [name, attributes["error.type"]])).toStrictEqual([
      ["execute_tool bash", "tool_error"],
      ["invoke_agent Weather", "RangeError"],
    ]);
  });
});

describe("an answer is a chat span", () => {
  test("with its parameters and its usage", async () => {
    const usage = { input: 10, output: 8, cacheRead: 100, cacheWrite: 1000, thinking: 5 };
    const { spans } = await spansOf([{ text: "done", usage }]);
    const [chat] = named(spans, "chat");
    expect(chat).toMatchObject({ kind: "CLIENT", isError: false });
    expect(chat?.attributes).toStrictEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "script",
      "gen_ai.request.model": chat?.name.slice("chat ".length),
      "gen_ai.conversation.id": "main",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.stream": true,
      "gen_ai.response.model": chat?.name.slice("chat ".length),
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.usage.input_tokens": 1110,
      "gen_ai.usage.output_tokens": 8,
      "gen_ai.usage.cache_read.input_tokens": 100,
      "gen_ai.usage.cache_creation.input_tokens": 1000,
      "gen_ai.usage.reasoning.output_tokens": 5,
    });
  });

  test("for each attempt, the failed ones too", async () => {
    const { spans } = await spansOf([overloaded, { text: "done" }]);
    expect(named(spans, "chat").map(({ isError, attributes }) => [isError, attributes["error.type"]])).toStrictEqual([
      [true, "529"],
      [false, undefined],
    ]);
    expect(named(spans, "invoke_agent")).toMatchObject([{ isError: false }]);
  });

  test("with the model that was asked after another one failed", async () => {
    using directory = agentDirectory();
    using scripts = temporaryDirectory();
    const other = scriptReference(scripts.path, [{ text: "done" }]);
    const fallbacks = [await openModel(other, { environment: {} })];
    const agent = await openScriptAgent(directory.path, [{ error: { message: "no", status: 401 } }], { fallbacks });
    const { spans } = await collected(agent, (telemetry) => observePrompt(agent, telemetry));
    expect(named(spans, "chat").map(({ name }) => name)).toStrictEqual([
      `chat ${agent.model.name}`,
      `chat ${fallbacks[0]?.name}`,
    ]);
  });

  test("with the model that answered", async () => {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
    const { spans } = await collected(agent, async (telemetry) => {
      const observer = telemetry.begin({ session: "main", model: agent.model });
      for await (const event of agent.session().prompt("hello")) {
        const isAnswer = event.type === "message_end" && event.message.role === "assistant";
        observer.send(isAnswer ? { ...event, message: { ...event.message, responseModel: "version-2" } } : event);
      }
    });
    expect(named(spans, "chat").map(({ attributes }) => attributes["gen_ai.response.model"])).toStrictEqual([
      "version-2",
    ]);
    expect(named(spans, "chat")[0]?.attributes["gen_ai.request.model"]).toBe(agent.model.name);
  });

  test("for a summary, too", async () => {
    using collector = otlpCollector();
    const frontmatter = "---\ncontext: { window: 8000, compactAt: 0.5 }\n---\n";
    using directory = agentDirectory({ "agent.mdx": frontmatter + MINIMAL_AGENT, "long.txt": words(1500) });
    const read = (id: string, input: number): Reply => ({
      calls: [{ id, name: "read_file", arguments: { path: "long.txt" } }],
      usage: { input, output: 5 },
    });
    const summary: Reply = { text: "They read.", usage: { input: 2000, output: 7 } };
    const agent = await openScriptAgent(
      directory.path,
      [read("a", 1000), read("b", 2900), overloaded, summary, { text: "done", usage: { input: 2500, output: 5 } }],
      { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, retries: [0], parameters: { maxTokens: 4000 } },
    );
    for await (const event of agent.session().prompt("hello")) expect(event).toBeDefined();
    await agent.close();
    const chats = named(collector.spans, "chat");
    expect(
      chats.map(({ attributes }) => [attributes["gen_ai.usage.input_tokens"], attributes["gen_ai.request.max_tokens"]]),
    ).toStrictEqual([
      [1000, 4000],
      [2900, 4000],
      [undefined, undefined],
      [2000, undefined],
      [2500, 4000],
    ]);
    expect(chats.map(({ attributes }) => attributes["error.type"])).toStrictEqual([
      undefined,
      undefined,
      "529",
      undefined,
      undefined,
    ]);
    const times = chats.flatMap(({ start, end }) => [start, end]);
    expect(times.toSorted()).toStrictEqual(times);
    expect(named(collector.spans, "invoke_agent")).toMatchObject([
      { attributes: { "gen_ai.usage.input_tokens": 8400, "gen_ai.usage.output_tokens": 22 } },
    ]);
  });

  test("as long as the model took", async () => {
    const { spans } = await spansOf([{ text: "done", delay: 60 }]);
    const [chat] = named(spans, "chat");
    expect((chat?.end ?? 0n) - (chat?.start ?? 0n)).toBeGreaterThanOrEqual(55_000_000n);
  });

  test("without counts if the provider sends none", async () => {
    const { spans, points } = await spansOf([{ text: "done" }]);
    const sent = [...spans, ...points].flatMap(({ attributes }) => Object.keys(attributes));
    expect(sent.filter((name) => name.startsWith("gen_ai.usage"))).toStrictEqual([]);
    expect(points.map(({ metric }) => metric)).toStrictEqual(["gen_ai.client.operation.duration"]);
  });
});

describe("a call is an execute_tool span", () => {
  test("with its tool and its id", async () => {
    const { spans } = await spansOf([note, { text: "done" }]);
    const [tool] = named(spans, "execute_tool");
    expect(tool).toMatchObject({ name: "execute_tool read_file", kind: "INTERNAL", isError: false });
    expect(tool?.attributes).toStrictEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read_file",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.type": "function",
    });
  });

  test("with an error if it failed, and if there is no such tool", async () => {
    const calls = [
      { id: "1", name: "broken", arguments: {} },
      { id: "2", name: "unknown", arguments: {} },
    ];
    const { spans } = await spansOf([{ calls }, { text: "done" }]);
    expect(
      named(spans, "execute_tool").map(({ name, isError, attributes }) => [name, isError, attributes["error.type"]]),
    ).toStrictEqual([
      ["execute_tool broken", true, "tool_error"],
      ["execute_tool unknown", true, "tool_error"],
    ]);
  });

  test("beside those that ran at the same time", async () => {
    const call = (id: string, command: string) => ({ id, name: "bash", arguments: { command } });
    const wait = (own: string, other: string): string => `touch ${own}; until test -e ${other}; do sleep 0.01; done`;
    const { spans } = await spansOf([
      { calls: [call("1", wait("a", "b")), call("2", wait("b", "a"))] },
      { text: "done" },
    ]);
    const [one, two] = named(spans, "execute_tool");
    expect(one?.start).toBeLessThan(two?.end ?? 0n);
    expect(two?.start).toBeLessThan(one?.end ?? 0n);
  });
});

describe("the metrics", () => {
  test("count tokens and seconds of model calls, failed ones apart", async () => {
    const usage = { input: 5, output: 3, cacheRead: 2 };
    const { points } = await spansOf([overloaded, { ...note, usage }, { text: "done", usage }]);
    const figures = points.map(({ metric, unit, count, attributes }) => {
      return [metric, unit, attributes["gen_ai.token.type"] ?? attributes["error.type"] ?? "", count];
    });
    expect(figures).toStrictEqual([
      ["gen_ai.client.operation.duration", "s", "529", 1],
      ["gen_ai.client.operation.duration", "s", "", 2],
      ["gen_ai.client.token.usage", "{token}", "input", 2],
      ["gen_ai.client.token.usage", "{token}", "output", 2],
    ]);
    expect(points.slice(2).map(({ sum }) => sum)).toStrictEqual([14, 6]);
    expect(points[0]?.bounds.slice(0, 3)).toStrictEqual([0.01, 0.02, 0.04]);
    expect(points[2]?.bounds.slice(0, 3)).toStrictEqual([1, 4, 16]);
    for (const { attributes } of points) {
      expect(attributes).toMatchObject({ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "script" });
    }
  });
});

describe("contents", () => {
  const broken: Reply = { calls: [{ id: "c2", name: "broken", arguments: { text: "the secret argument" } }] };
  const replies: readonly Reply[] = [
    overloaded,
    note,
    broken,
    { thinking: "secret thoughts", text: "the secret answer" },
  ];

  test("are not sent by default", async () => {
    const { requests } = await spansOf(replies, {}, ["the secret question"]);
    const sent = requests.map(({ text }) => text).join("\n");
    expect(sent).toContain("execute_tool read_file");
    expect(sent).not.toContain("secret");
    expect(sent).not.toContain("Be brief.");
  });

  test("are on the spans if a variable asks for them", async () => {
    const { spans } = await spansOf(replies, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" }, [
      "the secret question",
    ]);
    const content = (span: ReceivedSpan | undefined, name: string): unknown =>
      JSON.parse(String(span?.attributes[name]));
    const question = { role: "user", parts: [{ type: "text", content: "the secret question" }] };
    const chats = named(spans, "chat");
    expect(content(chats[0], "gen_ai.system_instructions")).toStrictEqual([{ type: "text", content: "Be brief." }]);
    expect(chats.slice(0, 2).map((chat) => content(chat, "gen_ai.input.messages"))).toStrictEqual([
      [question],
      [question],
    ]);
    expect(content(chats[2], "gen_ai.input.messages")).toStrictEqual([
      question,
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "c1", name: "read_file", arguments: { path: "note.txt" } }],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "the secret note" }] },
    ]);
    const answer = [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "secret thoughts" },
          { type: "text", content: "the secret answer" },
        ],
        finish_reason: "stop",
      },
    ];
    expect(content(chats[3], "gen_ai.output.messages")).toStrictEqual(answer);
    const [tool] = named(spans, "execute_tool");
    expect(content(tool, "gen_ai.tool.call.arguments")).toStrictEqual({ path: "note.txt" });
    expect(tool?.attributes["gen_ai.tool.call.result"]).toBe("the secret note");
    const [agent] = named(spans, "invoke_agent");
    expect(content(agent, "gen_ai.input.messages")).toStrictEqual([question]);
    expect(content(agent, "gen_ai.output.messages")).toStrictEqual(answer);
  });

  test.each(["span_only", "SPAN_AND_EVENT", "event_only", "no_content", "false"])(
    "are sent or not by the other values of the variable, too: %s",
    async (word) => {
      const { requests } = await spansOf(
        [{ text: "done" }],
        { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: word },
        ["the secret question"],
      );
      const sent = requests.map(({ text }) => text).join("\n");
      expect(sent.includes("secret")).toBe(word.toLowerCase().startsWith("span"));
    },
  );

  test("are cut if the variables say so", async () => {
    const { spans } = await spansOf([{ text: "done" }], {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: "12",
    });
    const [chat] = named(spans, "chat");
    expect(chat?.attributes["gen_ai.input.messages"]).toBe('[{"role":"us');
  });

  test("that are not Unicode arrive all the same", async () => {
    const { spans } = await spansOf([{ text: "\ud800 \u0000 🎉" }], {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    });
    expect(named(spans, "chat")[0]?.attributes["gen_ai.output.messages"]).toContain("🎉");
  });
});

test("what an earlier process did of a prompt is not sent again", async () => {
  using directory = agentDirectory({ "note.txt": "x" });
  const usage = { input: 5, output: 3 };
  const agent = await openScriptAgent(directory.path, [
    { ...note, usage },
    { text: "done", usage },
  ]);
  const { spans, points } = await collected(agent, async (telemetry) => {
    const events = [];
    for await (const event of agent.session().prompt("hello")) events.push(event);
    await Bun.sleep(5);
    const observer = telemetry.begin({ session: "main", model: agent.model });
    observer.send({ type: "prompt_resumed", prompt: 1, input: "hello", state: "interrupted", tools: [] });
    for (const event of events) observer.send(event);
  });
  expect(spans.map(({ name }) => name)).toStrictEqual(["invoke_agent Weather"]);
  expect(points).toStrictEqual([]);
});
