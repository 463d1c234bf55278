import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { Environment } from "@mdx-ai/base";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import {
  type IExporterMetricsHelper,
  type ISerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { ExporterSettings } from "./otlp-settings.ts";

/** The common interface of OpenTelemetry exporters. */
export interface BatchExporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** The part of the bounding exporter that a stock exporter uses. */
export interface ExportBounds {
  /** Fires when exports must stop: nothing more may be sent. */
  readonly over: AbortSignal;
  /** Must be called with the error of a connection that fails. */
  readonly onConnectionError: (error: Error) => void;
}

export interface StockExporterOptions extends ExportBounds {
  readonly environment: Environment;
  readonly onLine: (line: string) => void;
}

export const spanExporter = (
  settings: ExporterSettings,
  options: StockExporterOptions,
): BatchExporter<ReadableSpan[]> =>
  exporter(settings, options, {
    "http/json": JsonTraceSerializer,
    "http/protobuf": ProtobufTraceSerializer,
    metrics: TraceExporterMetricsHelper,
  });

export const metricExporter = (
  settings: ExporterSettings,
  options: StockExporterOptions,
): BatchExporter<ResourceMetrics> =>
  exporter(settings, options, {
    "http/json": JsonMetricsSerializer,
    "http/protobuf": ProtobufMetricsSerializer,
    metrics: MetricsExporterMetricsHelper,
  });

interface Format<Items> {
  readonly "http/json": ISerializer<Items, unknown>;
  readonly "http/protobuf": ISerializer<Items, unknown>;
  readonly metrics: IExporterMetricsHelper<Items>;
}

const CONTENT_TYPES = { "http/json": "application/json", "http/protobuf": "application/x-protobuf" } as const;

/** Not the SDK's exporter classes: they read `process.env`, which may differ from the agent's environment. */
function exporter<Items>(
  settings: ExporterSettings,
  options: StockExporterOptions,
  format: Format<Items>,
): BatchExporter<Items> {
  if (settings.to === "console") return lineExporter(format["http/json"], options.onLine);
  const { url, protocol, timeoutMillis } = settings;
  const configuration = {
    url,
    timeoutMillis,
    concurrencyLimit: 30,
    compression: settings.compression,
    headers: async () => {
      // Called before each attempt: ends pointless retries.
      options.over.throwIfAborted();
      return { ...settings.headers, "Content-Type": CONTENT_TYPES[protocol] };
    },
    agentFactory: (to: string) => openAgent(to, options),
  };
  return createOtlpHttpExportDelegate(configuration, format[protocol], "otlp_http_exporter", format.metrics, undefined);
}

/** Exports lines of OTLP's JSON. The SDK's console exporters would write to stdout, among the answer. */
const lineExporter = <Items>(
  serializer: ISerializer<Items, unknown>,
  onLine: (line: string) => void,
): BatchExporter<Items> => ({
  export(items: Items, done: (result: ExportResult) => void): void {
    onLine(new TextDecoder().decode(serializer.serializeRequest(items)));
    done({ code: ExportResultCode.SUCCESS });
  },
});

/** Connections for one exporter, through the proxy that the environment names. */
function openAgent(protocol: string, { environment, over, onConnectionError }: StockExporterOptions): Agent {
  const options = { keepAlive: true, proxyEnv: environment };
  const agent = protocol === "https:" ? new SecureAgent(options) : new Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (to, callback) => connect(to, callback)?.once("error", onConnectionError);
  over.addEventListener("abort", () => agent.destroy(), { once: true });
  return agent;
}
