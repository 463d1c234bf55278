import type { Environment } from "@mdx-ai/models";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import manifest from "../../package.json" with { type: "json" };
import { noRedactor } from "../redaction/redactor.ts";
import type { PromptObserver } from "../types/event.ts";
import { warnOnce } from "../warn-once.ts";
import { ChatMetrics } from "./chat-metrics.ts";
import { SCHEMA_URL } from "./conventions.ts";
import { metricExporter, spanExporter } from "./exporters.ts";
import { type ExporterSettings, signalSettings, variable } from "./otlp-settings.ts";
import { PromptSpans } from "./prompt-spans.ts";
import type { TraceOptions } from "./prompt-trace.ts";
import {
  batchOptions,
  metricTimes,
  parentContext,
  resourceOf,
  samplerOf,
  spanLimits,
  temporalityOf,
} from "./sdk-settings.ts";
import type { ObservedPrompt, Telemetry, TelemetryOptions } from "./telemetry.ts";

/**
 * Opens telemetry as the variables say; undefined if they leave nothing to send it with. Problems with them are reported in
 * one line.
 */
export function openTelemetry(environment: Environment, options: TelemetryOptions): Telemetry | undefined {
  const traces = signalSettings(environment, "traces");
  const metrics = signalSettings(environment, "metrics");
  const problems = new Set([...traces.problems, ...metrics.problems]);
  if (problems.size > 0) options.onWarning(`telemetry: ${[...problems].join("; ")}`);
  if (traces.exporters.length + metrics.exporters.length === 0) return undefined;
  return new SdkTelemetry({ environment, traces: traces.exporters, metrics: metrics.exporters, ...options });
}

interface SdkTelemetryOptions extends TelemetryOptions {
  readonly environment: Environment;
  readonly traces: readonly ExporterSettings[];
  readonly metrics: readonly ExporterSettings[];
}

/** The name under which spans and metrics are made. */
const SCOPE = "mdx-ai";

/** Milliseconds that the end of the program waits for collectors. */
const LAST_WAIT = 2000;

/** Telemetry by the SDK of OpenTelemetry. It registers nothing globally: modules may have an SDK of their own. */
class SdkTelemetry implements Telemetry {
  readonly #providers: readonly [TracerProvider, MeterProvider];
  readonly #exporters: readonly Pick<ReturnType<typeof spanExporter>, "close" | "giveUp">[];
  readonly #spans: TraceOptions;

  constructor({ environment, traces, metrics, agentName, clock, onWarning, ...options }: SdkTelemetryOptions) {
    // A collector that is down stays down: one warning is enough.
    const exporting = { environment, onLine: onWarning, onFailure: warnOnce(onWarning) };
    const spanExporters = traces.map((settings) => spanExporter(settings, exporting));
    const metricExporters = metrics.map((settings) => metricExporter(settings, exporting));
    const resource = resourceOf(environment);
    const temporality = temporalityOf(environment);
    const tracing = new TracerProvider({
      resource,
      sampler: samplerOf(environment),
      spanLimits: spanLimits(environment),
      spanProcessors: spanExporters.map(
        (exporter) => new BatchSpanProcessor({ ...batchOptions(environment), exporter }),
      ),
    });
    const metering = new MeterProvider({
      resource,
      readers: metricExporters.map(
        (exporter) =>
          new PeriodicExportingMetricReader({
            ...metricTimes(environment),
            exporter: Object.assign(exporter, { selectAggregationTemporality: () => temporality }),
          }),
      ),
    });
    this.#providers = [tracing, metering];
    this.#exporters = [...spanExporters, ...metricExporters];
    const schema = { schemaUrl: SCHEMA_URL };
    this.#spans = {
      agentName,
      tracer: tracing.getTracer(SCOPE, manifest.version, schema),
      metrics: new ChatMetrics(metering.getMeter(SCOPE, manifest.version, schema)),
      parent: parentContext(environment),
      hasContents: wantsContents(environment),
      redactor: options.redactor ?? noRedactor,
      now: () => clock.now(),
    };
  }

  begin(prompt: ObservedPrompt): PromptObserver {
    return new PromptSpans(prompt, this.#spans);
  }

  async settled(): Promise<void> {
    const giveUp = (): void => {
      for (const exporter of this.#exporters) exporter.giveUp();
    };
    for (const exporter of this.#exporters) exporter.close();
    const timer = setTimeout(giveUp, LAST_WAIT);
    await Promise.allSettled(this.#providers.map((provider) => provider.shutdown()));
    clearTimeout(timer);
    // Closes the connections.
    giveUp();
  }
}

/** `true`, or one of the values that put contents into spans. */
const CONTENTS: readonly (string | undefined)[] = ["true", "span_only", "span_and_event"];

const wantsContents = (environment: Environment): boolean =>
  CONTENTS.includes(variable(environment, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase());
