import { describe, expect, test } from "bun:test";
import { exporterSettings, type OtlpSettings } from "./otlp-settings.ts";

type Variables = Readonly<Record<string, string>>;

/** The exporters of spans, and what is wrong with the variables. */
function traceSettings(environment: Variables) {
  const problems: string[] = [];
  return { exporters: exporterSettings(environment, "traces", (problem) => problems.push(problem)), problems };
}

const defaults: OtlpSettings = {
  to: "otlp",
  protocol: "http/protobuf",
  url: "http://localhost:4318/v1/traces",
  headers: {},
  timeoutMillis: 10_000,
  compression: "none",
};

describe("spans go", () => {
  test.each<[string, Variables, Partial<OtlpSettings>]>([
    ["to the usual address by default", { OTEL_TRACES_EXPORTER: "otlp" }, {}],
    [
      "below a common endpoint",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://a.example/otlp/" },
      { url: "https://a.example/otlp/v1/traces" },
    ],
    [
      "to an endpoint of their own, unchanged",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b:1/in?x=1" },
      { url: "http://b:1/in?x=1" },
    ],
    [
      "with headers of both kinds",
      {
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1, b = two%20words",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=3,broken,=x",
      },
      { headers: { a: "3", b: "two words" } },
    ],
    [
      "by their own protocol",
      {
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      },
      { protocol: "http/json" },
    ],
    [
      "compressed, with a timeout of their own",
      {
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_COMPRESSION: "GZIP",
        OTEL_EXPORTER_OTLP_TIMEOUT: "5",
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "7",
      },
      { compression: "gzip", timeoutMillis: 7 },
    ],
    [
      "with the usual timeout if the variable holds no number",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_TIMEOUT: "soon" },
      {},
    ],
  ])("%s", (_title, environment, expected) => {
    const exporters = [{ ...defaults, ...expected }];
    expect(traceSettings(environment)).toStrictEqual({ exporters, problems: [] });
  });

  test.each<[string, Variables]>([
    ["without variables", {}],
    ["if only metrics have an endpoint", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://a" }],
    ["if they are turned off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a", OTEL_TRACES_EXPORTER: "none" }],
  ])("nowhere %s", (_title, environment) => {
    expect(traceSettings(environment)).toStrictEqual({ exporters: [], problems: [] });
  });

  test("to several exporters if several are named", () => {
    const { exporters } = traceSettings({ OTEL_TRACES_EXPORTER: "console, otlp,console," });
    expect(exporters.map(({ to }) => to)).toStrictEqual(["console", "otlp"]);
  });

  test("nowhere over a protocol that is not supported, which is reported", () => {
    expect(traceSettings({ OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" })).toStrictEqual({
      exporters: [],
      problems: ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc is not supported; set it to http/protobuf or http/json"],
    });
  });
});
