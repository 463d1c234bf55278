import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "@mdx-ai/base";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { loadTelemetry, wantsTelemetry } from "../agent/open-agent.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ["no variables", {}, false],
  ["a name of the service alone", { OTEL_SERVICE_NAME: "x", OTEL_RESOURCE_ATTRIBUTES: "a=b" }, false],
  ["an endpoint", endpoint, true],
  ["an endpoint for spans", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9" }, true],
  ["an endpoint for metrics", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://127.0.0.1:9" }, true],
  ["an exporter of spans", { OTEL_TRACES_EXPORTER: "otlp" }, true],
  ["an exporter of metrics", { OTEL_METRICS_EXPORTER: "console" }, true],
  ["an empty endpoint", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, false],
  ["a disabled SDK", { ...endpoint, OTEL_SDK_DISABLED: "TRUE" }, false],
  ["an SDK that is not disabled", { ...endpoint, OTEL_SDK_DISABLED: "false" }, true],
])("the variables decide whether there is telemetry: %s", (_title, environment, expected) => {
  expect(wantsTelemetry(environment)).toBe(expected);
});

describe("variables that leave no exporter", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["none", { ...endpoint, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }, []],
    [
      "gRPC",
      { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      ["telemetry: OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported; set it to http/protobuf or http/json"],
    ],
    [
      "an address that is not a URL; it may hold a password and is not shown",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "me:secret@host:4318" },
      ["telemetry: OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL"],
    ],
    [
      "exporters of other systems",
      { OTEL_TRACES_EXPORTER: "zipkin", OTEL_METRICS_EXPORTER: "prometheus" },
      [
        'telemetry: OTEL_TRACES_EXPORTER names "zipkin"; the known exporters are otlp, console and none; OTEL_METRICS_EXPORTER names "prometheus"; the known exporters are otlp, console and none',
      ],
    ],
  ])("turn telemetry off and are reported in one line: %s", async (_title, environment, expected) => {
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    expect(await loadTelemetry(environment, { agentName: "A", clock: systemClock, onWarning })).toBeUndefined();
    expect(warnings).toStrictEqual([...expected]);
  });
});

/** The packages of OpenTelemetry that an agent loads from its opening to its end, in a process of its own. */
function loadedPackages(directory: string, environment: Readonly<Record<string, string>>): readonly string[] {
  const program = `
    const { openScriptAgent } = await import(${JSON.stringify(join(import.meta.dir, "../../../../test/support/script-agent.ts"))});
    const { loadTelemetry } = await import(${JSON.stringify(join(import.meta.dir, "../agent/open-agent.ts"))});
    const { systemClock } = await import("@mdx-ai/runtime");
    const agent = await openScriptAgent(${JSON.stringify(directory)}, [{ text: "done" }]);
    const telemetry = await loadTelemetry(process.env, { agentName: "A", clock: systemClock, onWarning: () => {} });
    for await (const _ of agent.session().prompt("hello"));
    await agent.close();
    const paths = Object.keys(require.cache).filter((path) => path.includes("/@opentelemetry/"));
    console.log(JSON.stringify(paths.map((path) => path.split("/@opentelemetry/").at(-1).split("/")[0])));
    process.exit();
  `;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: join(import.meta.dir, "../../../.."),
    env: { PATH: process.env["PATH"], ...environment },
  });
  if (stdout.length === 0) throw new Error(stderr.toString());
  const packages: readonly string[] = JSON.parse(stdout.toString());
  return [...new Set(packages)];
}

test("an agent without the variables loads nothing of OpenTelemetry", () => {
  using directory = agentDirectory();
  expect(loadedPackages(directory.path, { OTEL_SERVICE_NAME: "x" })).toStrictEqual([]);
});

test("an agent with the variables loads its packages", () => {
  using directory = agentDirectory();
  expect(loadedPackages(directory.path, endpoint)).toContain("sdk-trace");
});
