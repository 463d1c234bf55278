import { describe, expect, test } from "bun:test";
import type { OtlpEndpoint } from "../../../../packages/runtime/src/telemetry/settings/otlp-endpoint.ts";
import { signalExports } from "../../../../packages/runtime/src/telemetry/settings/signal-exports.ts";

type Variables = Readonly<Record<string, string>>;

const defaults: OtlpEndpoint = {
  url: "http://localhost:4318/v1/traces",
  headers: {},
  protocol: "http/protobuf",
  timeout: 10_000,
  isCompressed: false,
};

describe("spans go", () => {
  test.each<[string, Variables, Partial<OtlpEndpoint>]>([
    ["to the usual place where none is named", { OTEL_TRACES_EXPORTER: "otlp" }, {}],
    [
      "below a common endpoint",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://a.example/otlp/" },
      { url: "https://a.example/otlp/v1/traces" },
    ],
    [
      "to an endpoint of their own as it is",
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
      "as their own protocol says",
      {
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      },
      { protocol: "http/json" },
    ],
    [
      "compressed, with a time of their own",
      {
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_COMPRESSION: "GZIP",
        OTEL_EXPORTER_OTLP_TIMEOUT: "5",
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "7",
      },
      { isCompressed: true, timeout: 7 },
    ],
    [
      "in the usual time where the variable holds none",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_TIMEOUT: "soon" },
      {},
    ],
  ])("%s", (_title, environment, expected) => {
    const endpoint = { ...defaults, ...expected };
    expect(signalExports(environment, "traces")).toStrictEqual({ exports: [{ to: "otlp", endpoint }], problems: [] });
  });

  test.each<[string, Variables]>([
    ["without variables", {}],
    ["where only metrics have an endpoint", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://a" }],
    ["where they are turned off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a", OTEL_TRACES_EXPORTER: "none" }],
  ])("nowhere %s", (_title, environment) => {
    expect(signalExports(environment, "traces")).toStrictEqual({ exports: [], problems: [] });
  });

  test("several ways where several exporters are named", () => {
    const { exports } = signalExports({ OTEL_TRACES_EXPORTER: "console, otlp,console," }, "traces");
    expect(exports.map(({ to }) => to)).toStrictEqual(["console", "otlp"]);
  });

  test("nowhere over a protocol that is not spoken, which is told", () => {
    expect(
      signalExports({ OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }, "traces"),
    ).toStrictEqual({
      exports: [],
      problems: ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc cannot be sent; set it to http/protobuf or http/json"],
    });
  });
});
