import type { Environment } from "@mdx-ai/models";
import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import { samplerOf } from "../settings/sampler.ts";
import type { SignalExport } from "../settings/signal-exports.ts";
import { countVariable } from "../settings/variables.ts";
import { type ExportContext, exportDelegate, type SignalFormat } from "./export-delegate.ts";

const FORMAT: SignalFormat<ReadableSpan[]> = {
  signal: "traces",
  json: JsonTraceSerializer,
  protobuf: ProtobufTraceSerializer,
  metrics: TraceExporterMetricsHelper,
};

export interface TracerProviderSettings extends ExportContext {
  readonly environment: Environment;
  readonly resource: Resource;
  readonly exports: readonly SignalExport[];
}

/** What spans are made with: they are sent in batches, every few seconds and at the end. */
export function tracerProvider({ environment, resource, exports, ...context }: TracerProviderSettings): TracerProvider {
  const batch = batchOptions(environment);
  const valueLimit =
    countVariable(environment, "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT") ??
    countVariable(environment, "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT");
  return new TracerProvider({
    resource,
    sampler: samplerOf(environment),
    spanProcessors: exports.map(
      (way) =>
        new BatchSpanProcessor({ ...batch, exporter: new OTLPExporterBase(exportDelegate(FORMAT, way, context)) }),
    ),
    ...(valueLimit !== undefined && { spanLimits: { attributeValueLengthLimit: valueLimit } }),
  });
}

/** Where a number is not set, the SDK's own counts. */
function batchOptions(environment: Environment): Readonly<Record<string, number>> {
  const given = {
    scheduledDelayMillis: countVariable(environment, "OTEL_BSP_SCHEDULE_DELAY"),
    exportTimeoutMillis: countVariable(environment, "OTEL_BSP_EXPORT_TIMEOUT"),
    maxQueueSize: countVariable(environment, "OTEL_BSP_MAX_QUEUE_SIZE"),
    maxExportBatchSize: countVariable(environment, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
