import {
  createOtlpNetworkExportDelegate,
  ExporterMetrics,
  type IExporterTransport,
  type IOtlpExportDelegate,
} from "@opentelemetry/otlp-exporter-base";
import type { IExporterMetricsHelper, ISerializer } from "@opentelemetry/otlp-transformer";
import type { Signal } from "../settings/otlp-endpoint.ts";
import type { SignalExport } from "../settings/signal-exports.ts";
import type { ExportLife } from "./export-life.ts";
import { LineTransport } from "./line-transport.ts";
import { OtlpTransport } from "./otlp-transport.ts";

export interface ExportContext {
  readonly life: ExportLife;
  /** Told why something could not be sent: one line. */
  readonly onFailure: (message: string) => void;
  /** Told what is exported to the console: one line. */
  readonly onLine: (line: string) => void;
}

/** How the items of a signal become bytes. */
export interface SignalFormat<Items> {
  readonly signal: Signal;
  readonly json: ISerializer<Items, unknown>;
  readonly protobuf: ISerializer<Items, unknown>;
  readonly metrics: IExporterMetricsHelper<Items>;
}

/** Exports under way at a time. */
const CONCURRENCY = 30;
const CONSOLE_TIMEOUT = 1000;

/** Makes items into bytes and sends them a given way. */
export function exportDelegate<Items>(
  format: SignalFormat<Items>,
  way: SignalExport,
  context: ExportContext,
): IOtlpExportDelegate<Items> {
  const isText = way.to === "console" || way.endpoint.protocol === "http/json";
  return createOtlpNetworkExportDelegate(
    {
      timeoutMillis: way.to === "otlp" ? way.endpoint.timeout : CONSOLE_TIMEOUT,
      concurrencyLimit: CONCURRENCY,
      compression: "none",
    },
    isText ? format.json : format.protobuf,
    silentMetrics(format),
    transportOf(format.signal, way, context),
  );
}

/** The exporter counts nothing about itself. */
const silentMetrics = <Items>({ metrics }: SignalFormat<Items>): ExporterMetrics<Items> =>
  new ExporterMetrics({
    componentType: "otlp_http_exporter",
    metricsHelper: metrics,
    url: undefined,
    meterProvider: undefined,
    responseAttributesFromError: () => ({}),
  });

function transportOf(signal: Signal, way: SignalExport, { life, ...context }: ExportContext): IExporterTransport {
  if (way.to === "console") return new LineTransport(context.onLine);
  const { endpoint } = way;
  const onFailure = (reason: string): void => {
    context.onFailure(`telemetry: ${signal} could not be sent to ${placeOf(endpoint.url)}: ${reason}`);
  };
  return new OtlpTransport({ endpoint, life, onFailure });
}

/** A URL without what may be secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
