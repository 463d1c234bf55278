import type { Environment } from "@mdx-ai/base";
import { type Context, defaultTextMapGetter, ROOT_CONTEXT } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { countVariable, variable } from "./otlp-settings.ts";

/** The span provider that the variables configure; the SDK's defaults apply to unset ones. */
export function tracerProvider(environment: Environment, exporters: readonly SpanExporter[]): TracerProvider {
  const batching = counts(environment, {
    scheduledDelayMillis: "OTEL_BSP_SCHEDULE_DELAY",
    exportTimeoutMillis: "OTEL_BSP_EXPORT_TIMEOUT",
    maxQueueSize: "OTEL_BSP_MAX_QUEUE_SIZE",
    maxExportBatchSize: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
  });
  return new TracerProvider({
    resource: resourceOf(environment),
    sampler: samplerOf(environment),
    spanLimits: {
      ...counts(environment, { attributeValueLengthLimit: "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT" }),
      ...counts(environment, { attributeValueLengthLimit: "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT" }),
    },
    spanProcessors: exporters.map((exporter) => new BatchSpanProcessor({ ...batching, exporter })),
  });
}

/** The metric provider, in the same way. */
export function meterProvider(
  environment: Environment,
  exporters: readonly Omit<PushMetricExporter, "selectAggregationTemporality">[],
): MeterProvider {
  const temporality = temporalityOf(environment);
  const exportIntervalMillis = countVariable(environment, "OTEL_METRIC_EXPORT_INTERVAL") ?? 60_000;
  const timeout = countVariable(environment, "OTEL_METRIC_EXPORT_TIMEOUT") ?? 30_000;
  // The SDK rejects a longer timeout.
  const exportTimeoutMillis = Math.min(timeout, exportIntervalMillis);
  const readers = exporters.map((one) => {
    const exporter = Object.assign(one, { selectAggregationTemporality: () => temporality });
    return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis });
  });
  return new MeterProvider({ resource: resourceOf(environment), readers });
}

/** The variables that contain a count, by the name of their option. */
const counts = (environment: Environment, names: Readonly<Record<string, string>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([option, name]) => {
      const count = countVariable(environment, name);
      return count === undefined ? [] : [[option, count]];
    }),
  );

/**
 * The sender, from `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. The SDK's detectors are not used: they send the
 * command line, which may contain the prompt.
 */
function resourceOf(environment: Environment): Resource {
  const service = variable(environment, "OTEL_SERVICE_NAME");
  const attributes = {
    "service.name": "mdx-ai",
    ...resourceAttributes(variable(environment, "OTEL_RESOURCE_ATTRIBUTES") ?? ""),
    ...(service !== undefined && { "service.name": service }),
  };
  return defaultResource().merge(resourceFromAttributes(attributes));
}

/** Parses `key=value,key=value`, percent-encoded. One malformed pair discards all, as the specification requires. */
function resourceAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  try {
    return Object.fromEntries(pairs.map(resourceAttribute));
  } catch (error) {
    if (error instanceof URIError || error instanceof SyntaxError) return {};
    throw error;
  }
}

function resourceAttribute(pair: string): readonly [string, string] {
  const [key = "", value, ...rest] = pair.split("=").map((side) => decodeURIComponent(side.trim()));
  if (key === "" || value === undefined || rest.length > 0) throw new SyntaxError(`not key=value: ${pair}`);
  return [key, value];
}

const SAMPLER = /^(parentbased_)?(always_on|always_off|traceidratio)$/;

/** The sampler of `OTEL_TRACES_SAMPLER`; an unknown one counts as the default, `parentbased_always_on`. */
function samplerOf(environment: Environment): Sampler {
  const name = variable(environment, "OTEL_TRACES_SAMPLER")?.toLowerCase() ?? "";
  const [, prefix, kind] = SAMPLER.exec(name) ?? ["", "parentbased_", "always_on"];
  const sampler = kind === "always_off" ? new AlwaysOffSampler() : ratioSampler(kind, environment);
  return prefix === undefined ? sampler : new ParentBasedSampler({ root: sampler });
}

/** Samples the share in `OTEL_TRACES_SAMPLER_ARG`, from 0 to 1; all traces if the variable is unset or invalid. */
function ratioSampler(kind: string | undefined, environment: Environment): Sampler {
  const ratio = Number(variable(environment, "OTEL_TRACES_SAMPLER_ARG") ?? 1);
  const isShare = kind === "traceidratio" && ratio >= 0 && ratio <= 1;
  return isShare ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

/** The span that started the process, from `TRACEPARENT` and `TRACESTATE`; the root context without them. */
export function parentContext(environment: Environment): Context {
  const carrier = {
    traceparent: variable(environment, "TRACEPARENT"),
    tracestate: variable(environment, "TRACESTATE"),
  };
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}

/** The temporality of histograms, the only kind of metric. */
function temporalityOf(environment: Environment): AggregationTemporality {
  const preference = variable(environment, "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE")?.toLowerCase();
  return preference === "delta" || preference === "lowmemory"
    ? AggregationTemporality.DELTA
    : AggregationTemporality.CUMULATIVE;
}
