import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { Environment } from "@mdx-ai/models";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPMetricExporter as JsonMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import type { OTLPExporterNodeConfigBase } from "@opentelemetry/otlp-exporter-base/node-http";
import { type ISerializer, JsonMetricsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { type ExporterSettings, type OtlpSettings, otlpHeaders, type Signal } from "./otlp-settings.ts";

/** What every exporter of OpenTelemetry does with a batch. */
export interface BatchExporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** What an exporter needs to know of the one that bounds it. */
export interface ExportBounds {
  /** Fires when nobody waits for exports any longer: nothing more may be sent. */
  readonly over: AbortSignal;
  /** Must be called with the error of a connection that fails. */
  readonly onConnectionError: (error: Error) => void;
}

export interface StockExporterOptions extends ExportBounds {
  readonly environment: Environment;
  /** Receives each line of the console exporter. */
  readonly onLine: (line: string) => void;
}

export function spanExporter(settings: ExporterSettings, options: StockExporterOptions): BatchExporter<ReadableSpan[]> {
  if (settings.to === "console") return lineExporter(JsonTraceSerializer, options.onLine);
  const Exporter = settings.protocol === "http/json" ? JsonTraceExporter : ProtobufTraceExporter;
  return new Exporter(configurationOf("traces", settings, options));
}

export function metricExporter(
  settings: ExporterSettings,
  options: StockExporterOptions,
): BatchExporter<ResourceMetrics> {
  if (settings.to === "console") return lineExporter(JsonMetricsSerializer, options.onLine);
  const Exporter = settings.protocol === "http/json" ? JsonMetricExporter : ProtobufMetricExporter;
  return new Exporter(configurationOf("metrics", settings, options));
}

/** Exports lines of OTLP's JSON. The console exporters of the SDK write to standard output, which holds the answer. */
const lineExporter = <Items>(
  serializer: ISerializer<Items, unknown>,
  onLine: (line: string) => void,
): BatchExporter<Items> => ({
  export(items: Items, done: (result: ExportResult) => void): void {
    onLine(new TextDecoder().decode(serializer.serializeRequest(items)));
    done({ code: ExportResultCode.SUCCESS });
  },
});

/** Every option that an exporter would otherwise take from `process.env`, which need not be the agent's environment. */
function configurationOf(
  signal: Signal,
  settings: OtlpSettings,
  options: StockExporterOptions,
): OTLPExporterNodeConfigBase {
  const headers = { ...withoutValues(otlpHeaders(process.env, signal)), ...settings.headers };
  return {
    url: settings.url,
    timeoutMillis: settings.timeoutMillis,
    compression: settings.isCompressed ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    headers: async () => {
      // Asked for before each attempt: ends retries that nobody waits for.
      options.over.throwIfAborted();
      return { ...headers };
    },
    httpAgentOptions: (protocol) => openAgent(protocol, options),
  };
}

/** An exporter adds the headers of `process.env` to those that it is given: their values, which may be keys, are emptied. */
const withoutValues = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, ""]));

/** The connections of one exporter, through the proxy that the environment names. */
function openAgent(protocol: string, { environment, over, onConnectionError }: StockExporterOptions): Agent {
  const options = { keepAlive: true, proxyEnv: environment };
  const agent = protocol === "https:" ? new SecureAgent(options) : new Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (to, callback) => connect(to, callback)?.once("error", onConnectionError);
  over.addEventListener("abort", () => agent.destroy(), { once: true });
  return agent;
}
