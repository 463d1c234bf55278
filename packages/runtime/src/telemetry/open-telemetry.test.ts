import { describe, expect, test } from "bun:test";
import { systemClock } from "@mdx-ai/base";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { collected, observePrompt } from "../../../../test/support/observed-prompt.ts";
import { otlpCollector } from "../../../../test/support/otlp-collector.ts";
import type { ReceivedSpan } from "../../../../test/support/otlp-documents.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { loadTelemetry } from "../agent/open-agent.ts";
import type { Telemetry } from "./telemetry.ts";

type Variables = Readonly<Record<string, string>>;

/** What a collector receives of one short prompt. */
async function sentWith(environment: Variables): ReturnType<typeof collected> {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "done", usage: { input: 1, output: 1 } }]);
  return await collected(agent, (telemetry) => observePrompt(agent, telemetry), environment);
}

/** A span without what differs each time. */
const steady = ({
  traceId: _,
  spanId: __,
  parentSpanId: ___,
  start: ____,
  end: _____,
  ...span
}: ReceivedSpan): unknown => ({
  ...span,
  name: span.name.split(" ")[0],
  attributes: Object.keys(span.attributes).sort(),
});

test("both protocols carry the same", async () => {
  const json = await sentWith({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  const protobuf = await sentWith({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" });
  expect(json.spans).toHaveLength(2);
  expect(protobuf.spans.map(steady)).toStrictEqual(json.spans.map(steady));
  expect(json.points).toHaveLength(3);
  const figures = [json, protobuf].map(({ points }) =>
    points.map(({ metric, count, bounds }) => [metric, count, bounds]),
  );
  expect(figures[1]).toStrictEqual(figures[0]);
  expect(protobuf.resource).toStrictEqual(json.resource);
  const types = [json, protobuf].flatMap(({ requests }) => requests.map(({ headers }) => headers.get("content-type")));
  expect(new Set(types)).toStrictEqual(new Set(["application/json", "application/x-protobuf"]));
});

test("headers go with every request, and into no span", async () => {
  const { requests } = await sentWith({ OTEL_EXPORTER_OTLP_HEADERS: "api-key=top%20secret" });
  expect(requests.map(({ path, headers }) => [path, headers.get("api-key")]).sort()).toStrictEqual([
    ["/v1/metrics", "top secret"],
    ["/v1/traces", "top secret"],
  ]);
  for (const { text } of requests) expect(text).not.toContain("secret");
});

describe("who sends", () => {
  test.each<[string, Variables, Variables]>([
    [
      "is named by the variables",
      { OTEL_SERVICE_NAME: "s", OTEL_RESOURCE_ATTRIBUTES: "service.name=t, deployment.environment.name=a%2Cb" },
      { "service.name": "s", "deployment.environment.name": "a,b" },
    ],
    ["may be named among the attributes", { OTEL_RESOURCE_ATTRIBUTES: "service.name=t" }, { "service.name": "t" }],
    [
      "has its usual name if they are broken",
      { OTEL_RESOURCE_ATTRIBUTES: "service.name=t,x" },
      { "service.name": "mdx-ai" },
    ],
    [
      "has its usual name if their encoding is broken",
      { OTEL_RESOURCE_ATTRIBUTES: "a=%E0%A4" },
      { "service.name": "mdx-ai" },
    ],
  ])("%s", async (_title, environment, expected) => {
    const { resource } = await sentWith(environment);
    expect(resource).toMatchObject(expected);
    expect(Object.keys(resource).filter((name) => !name.startsWith("telemetry.sdk."))).toStrictEqual(
      Object.keys(expected),
    );
  });
});

describe("the sampler", () => {
  const parent = (flags: string): Variables => ({
    TRACEPARENT: `00-0123456789abcdef0123456789abcdef-0123456789abcdef-${flags}`,
  });

  test.each<[string, Variables, number]>([
    ["keeps all by default", {}, 2],
    ["keeps what the parent keeps", parent("01"), 2],
    ["drops what the parent drops", parent("00"), 0],
    ["always_on keeps all", { ...parent("00"), OTEL_TRACES_SAMPLER: "always_on" }, 2],
    ["always_off drops all", { OTEL_TRACES_SAMPLER: "always_off" }, 0],
    ["traceidratio 0 drops all", { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, 0],
    [
      "traceidratio keeps all if its share is not a number",
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "x" },
      2,
    ],
    ["parentbased_always_off drops all without a parent", { OTEL_TRACES_SAMPLER: "parentbased_always_off" }, 0],
    [
      "parentbased_traceidratio keeps its share",
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "1" },
      2,
    ],
    ["of another name keeps all", { OTEL_TRACES_SAMPLER: "jaeger_remote" }, 2],
  ])("%s", async (_title, environment, expected) => {
    const { spans, points } = await sentWith(environment);
    expect(spans).toHaveLength(expected);
    expect(points).toHaveLength(3);
  });
});

test("metrics are differences if that is preferred", async () => {
  const isDelta = async (environment: Variables): Promise<readonly boolean[]> =>
    (await sentWith(environment)).points.map((point) => point.isDelta);
  expect(await isDelta({})).toStrictEqual([false, false, false]);
  expect(await isDelta({ OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" })).toStrictEqual([
    true,
    true,
    true,
  ]);
});

test("one signal may be left out", async () => {
  const traces = await sentWith({ OTEL_METRICS_EXPORTER: "none" });
  expect(traces.requests.map(({ path }) => path)).toStrictEqual(["/v1/traces"]);
  const metrics = await sentWith({ OTEL_TRACES_EXPORTER: "none" });
  expect(metrics.requests.map(({ path }) => path)).toStrictEqual(["/v1/metrics"]);
});

test("the console exporter writes lines of JSON", async () => {
  using directory = agentDirectory();
  const lines: string[] = [];
  const environment = { OTEL_TRACES_EXPORTER: "console", OTEL_METRICS_EXPORTER: "console" };
  const onWarning = (line: string): void => void lines.push(line);
  const telemetry = await loadTelemetry(environment, { agentName: "A", clock: systemClock, onWarning });
  if (telemetry === undefined) throw new Error("telemetry is off");
  const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
  await observePrompt(agent, telemetry);
  await agent.close();
  await telemetry.settled();
  expect(lines.map((line) => Object.keys(JSON.parse(line))).sort()).toStrictEqual([
    ["resourceMetrics"],
    ["resourceSpans"],
  ]);
  expect(lines.join("")).not.toContain("\n");
});

describe("a collector that accepts nothing", () => {
  async function warningsOf(telemetry: Telemetry, warnings: readonly string[]): Promise<readonly string[]> {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
    await observePrompt(agent, telemetry);
    await agent.close();
    await telemetry.settled();
    return warnings;
  }

  test("causes one warning, without its password", async () => {
    const warnings: string[] = [];
    const gone = otlpCollector();
    gone[Symbol.dispose]();
    const url = gone.url.replace("http://", "http://me:secret@");
    const options = { agentName: "A", clock: systemClock, onWarning: (line: string) => void warnings.push(line) };
    const telemetry = await loadTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}?key=secret` }, options);
    if (telemetry === undefined) throw new Error("telemetry is off");
    const [warning = "", ...more] = await warningsOf(telemetry, warnings);
    expect(warning).toMatch(
      /^telemetry: (traces|metrics) could not be sent to http:\/\/127\.0\.0\.1:\d+\/\S*: ECONNREFUSED$/,
    );
    expect(more).toStrictEqual([]);
  });
});
