import type { Environment } from "@mdx-ai/models";
import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import {
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { SignalExport } from "../settings/signal-exports.ts";
import { countVariable, variable } from "../settings/variables.ts";
import { type ExportContext, exportDelegate, type SignalFormat } from "./export-delegate.ts";

const FORMAT: SignalFormat<ResourceMetrics> = {
  signal: "metrics",
  json: JsonMetricsSerializer,
  protobuf: ProtobufMetricsSerializer,
  metrics: MetricsExporterMetricsHelper,
};

const DEFAULT_INTERVAL = 60_000;
const DEFAULT_TIMEOUT = 30_000;

export interface MeterProviderSettings extends ExportContext {
  readonly environment: Environment;
  readonly resource: Resource;
  readonly exports: readonly SignalExport[];
}

/** What is measured with: the figures are sent every minute and at the end. */
export function meterProvider({ environment, resource, exports, ...context }: MeterProviderSettings): MeterProvider {
  const interval = countVariable(environment, "OTEL_METRIC_EXPORT_INTERVAL") ?? DEFAULT_INTERVAL;
  const timeout = countVariable(environment, "OTEL_METRIC_EXPORT_TIMEOUT") ?? DEFAULT_TIMEOUT;
  const temporality = temporalityOf(environment);
  const readers = exports.map(
    (way) =>
      new PeriodicExportingMetricReader({
        exporter: new MetricExporter(exportDelegate(FORMAT, way, context), temporality),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(timeout, interval),
      }),
  );
  return new MeterProvider({ resource, readers });
}

class MetricExporter extends OTLPExporterBase<ResourceMetrics> implements PushMetricExporter {
  readonly #temporality: AggregationTemporality;

  constructor(delegate: ReturnType<typeof exportDelegate<ResourceMetrics>>, temporality: AggregationTemporality) {
    super(delegate);
    this.#temporality = temporality;
  }

  selectAggregationTemporality(): AggregationTemporality {
    return this.#temporality;
  }
}

/** That of histograms; there are no other metrics. */
function temporalityOf(environment: Environment): AggregationTemporality {
  const preference = variable(environment, "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE")?.toLowerCase();
  return preference === "delta" || preference === "lowmemory"
    ? AggregationTemporality.DELTA
    : AggregationTemporality.CUMULATIVE;
}
