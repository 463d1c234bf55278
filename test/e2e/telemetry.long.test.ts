import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { type CollectorReply, type OtlpCollector, otlpCollector } from "../support/otlp-collector.ts";
import type { ReceivedSpan } from "../support/otlp-documents.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const usage = { input: 10, output: 4, cacheRead: 30 };
const replies: readonly Reply[] = [
  overloaded,
  { calls: [{ id: "c1", name: "greet", arguments: { text: "the secret argument" } }], usage },
  { text: "the secret answer", usage },
];

/** An agent with a tool that greets. */
function greeterHome(): TemporaryDirectory {
  const home = temporaryDirectory();
  const greet = toolText("greet", 'return "the secret greeting";');
  writeFiles(home.path, { "agent/agent.mdx": `---\nretries: [0]\n---\n${MINIMAL_AGENT}${greet}` });
  return home;
}

/** Asks the agent once. */
function ask(
  home: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<CliResult> {
  const model = scriptReference(home, replies);
  return runCli(["agent", "agent", "--trust", "--model", model, ...args, "--prompt", "the secret question"], {
    home,
    environment,
  });
}

const exportTo = ({ url }: OtlpCollector, protocol: string): Readonly<Record<string, string>> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_HEADERS: "api-key=top%20secret",
});

/** The operations of spans, each with its error. */
const operations = (spans: readonly ReceivedSpan[]): unknown[] =>
  spans.map(({ attributes }) => [attributes["gen_ai.operation.name"], attributes["error.type"]]);

describe("a collector on loopback", () => {
  test.each(["http/json", "http/protobuf"])("gets the spans and the metrics of a prompt over %s", async (protocol) => {
    using home = greeterHome();
    using collector = otlpCollector();
    expect(await ask(home.path, exportTo(collector, protocol))).toMatchObject({
      exitCode: 0,
      stdout: "the secret answer\n",
    });
    expect(operations(collector.spans)).toStrictEqual([
      ["chat", "529"],
      ["chat", undefined],
      ["execute_tool", undefined],
      ["chat", undefined],
      ["invoke_agent", undefined],
    ]);
    const agent = collector.spans.at(-1);
    const parents = collector.spans.slice(0, -1).map(({ parentSpanId }) => parentSpanId);
    expect(parents).toStrictEqual(Array(4).fill(agent?.spanId));
    expect(agent?.attributes).toMatchObject({
      "gen_ai.conversation.id": "main",
      "gen_ai.usage.input_tokens": 80,
      "gen_ai.usage.cache_read.input_tokens": 60,
    });
    expect(
      collector.points.map(({ metric, count, sum }) => [metric, count, metric.endsWith("usage") && sum]),
    ).toStrictEqual([
      ["gen_ai.client.operation.duration", 1, false],
      ["gen_ai.client.operation.duration", 2, false],
      ["gen_ai.client.token.usage", 2, 80],
      ["gen_ai.client.token.usage", 2, 8],
    ]);
    expect(collector.requests.every(({ headers }) => headers.get("api-key") === "top secret")).toBe(true);
    expect(collector.requests.map(({ text }) => text).join()).not.toContain("secret");
  });

  test("gets contents only if a variable asks for them, with the system prompt", async () => {
    using home = greeterHome();
    using collector = otlpCollector();
    const contents = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
    await ask(home.path, { ...exportTo(collector, "http/json"), ...contents });
    const [, chat, tool, , agent] = collector.spans.map(({ attributes }) => attributes);
    expect(chat?.["gen_ai.input.messages"]).toContain("the secret question");
    expect(chat?.["gen_ai.system_instructions"]).toContain("greet");
    expect(tool?.["gen_ai.tool.call.arguments"]).toBe('{"text":"the secret argument"}');
    expect(tool?.["gen_ai.tool.call.result"]).toBe("the secret greeting");
    expect(agent?.["gen_ai.output.messages"]).toContain("the secret answer");
  });

  test("is found in a file of variables", async () => {
    using home = greeterHome();
    using collector = otlpCollector();
    writeText(join(home.path, "otel.env"), `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}\nOTEL_SERVICE_NAME=greeter\n`);
    await ask(home.path, {}, ["--env-file", "otel.env"]);
    expect(collector.spans).toHaveLength(5);
    expect(collector.resource).toMatchObject({ "service.name": "greeter" });
  });

  test("gets nothing if telemetry is disabled", async () => {
    using home = greeterHome();
    using collector = otlpCollector();
    const { stderr } = await ask(home.path, { ...exportTo(collector, "http/json"), OTEL_SDK_DISABLED: "true" });
    expect(collector.requests).toStrictEqual([]);
    expect(stderr).not.toContain("telemetry");
  });
});

describe("a collector that fails causes a line of warning and nothing else", () => {
  test.each<[string, CollectorReply[], RegExp]>([
    ["it refuses", [{ status: 401 }, { status: 401 }], /status 401/],
    ["it is busy", Array(20).fill({ status: 503 }), /not accepted in time/],
    ["it does not answer", ["hang", "hang"], /not accepted in time/],
  ])("%s", async (_title, answers, reason) => {
    using home = greeterHome();
    using collector = otlpCollector(...answers);
    const { exitCode, stdout, stderr } = await ask(home.path, exportTo(collector, "http/json"));
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 0, stdout: "the secret answer\n" });
    const lines = stderr.split("\n").filter((line) => line.includes("telemetry"));
    expect(lines).toStrictEqual([expect.stringMatching(reason)]);
    expect(stderr).not.toContain("top secret");
  });

  test("it speaks gRPC alone", async () => {
    using home = greeterHome();
    using collector = otlpCollector();
    const { exitCode, stderr } = await ask(home.path, exportTo(collector, "grpc"));
    expect(exitCode).toBe(0);
    expect(stderr.match(/telemetry: OTEL_EXPORTER_OTLP_PROTOCOL=grpc[^\n]*\n/g)).toHaveLength(1);
    expect(collector.requests).toStrictEqual([]);
  });
});
