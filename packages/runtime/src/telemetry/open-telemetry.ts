import { type Environment, noRedactor, warnOnce } from "@mdx-ai/base";
import { inputTokens } from "@mdx-ai/models";
import type { Histogram, Meter } from "@opentelemetry/api";
import manifest from "../../package.json" with { type: "json" };
import { ATTRIBUTE, METRIC, OPERATION, providerName, SCHEMA_URL } from "./conventions.ts";
import { metricExporter, spanExporter } from "./exporters.ts";
import { exporterSettings, variable } from "./otlp-settings.ts";
import { PromptSpans, type PromptSpansOptions } from "./prompt-spans.ts";
import { meterProvider, parentContext, tracerProvider } from "./sdk-providers.ts";
import { answerErrorType, isCounted } from "./span-attributes.ts";
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

/** The instrumentation scope of all spans and metrics. */
const SCOPE = ["mdx-ai", manifest.version, { schemaUrl: SCHEMA_URL }] as const;

/** How long the exit waits for collectors, in milliseconds. */
const LAST_WAIT = 2000;

/**
 * Opens the telemetry that the variables configure; undefined if they name no usable exporter. Problems are reported in
 * one line. Registers nothing globally: modules may use their own SDK.
 */
export function openTelemetry(
  environment: Environment,
  { agentName, clock, redactor = noRedactor, onWarning }: TelemetryOptions,
): Telemetry | undefined {
  const problems = new Set<string>();
  const traces = exporterSettings(environment, "traces", (problem) => problems.add(problem));
  const metrics = exporterSettings(environment, "metrics", (problem) => problems.add(problem));
  if (problems.size > 0) onWarning(`telemetry: ${[...problems].join("; ")}`);
  if (traces.length + metrics.length === 0) return undefined;

  // One warning is enough for a collector that is down.
  const exporting = { environment, onLine: onWarning, onFailure: warnOnce(onWarning) };
  const spanExporters = traces.map((settings) => spanExporter(settings, exporting));
  const metricExporters = metrics.map((settings) => metricExporter(settings, exporting));
  const tracing = tracerProvider(environment, spanExporters);
  const metering = meterProvider(environment, metricExporters);
  const spans: PromptSpansOptions = {
    agentName,
    tracer: tracing.getTracer(...SCOPE),
    recordChat: chatRecorder(metering.getMeter(...SCOPE)),
    parent: parentContext(environment),
    hasContents: wantsContents(environment),
    redactor,
    now: () => clock.now(),
  };
  return {
    begin: (prompt) => new PromptSpans(prompt, spans),
    settled: () => shutdown([tracing, metering], [...spanExporters, ...metricExporters]),
  };
}

/** Records the metrics of one model call and its duration in milliseconds. */
function chatRecorder(meter: Meter): PromptSpansOptions["recordChat"] {
  const duration = histogram(meter, METRIC.duration);
  const tokens = histogram(meter, METRIC.tokens);
  return (message, milliseconds) => {
    const error = answerErrorType(message);
    const call = {
      [ATTRIBUTE.operation]: OPERATION.chat,
      [ATTRIBUTE.provider]: providerName(message.provider),
      [ATTRIBUTE.requestModel]: message.model,
    };
    duration.record(milliseconds / 1000, { ...call, ...(error !== undefined && { [ATTRIBUTE.errorType]: error }) });
    const { usage } = message;
    if (!isCounted(usage)) return;
    tokens.record(inputTokens(usage), { ...call, [ATTRIBUTE.tokenType]: "input" });
    tokens.record(usage.output, { ...call, [ATTRIBUTE.tokenType]: "output" });
  };
}

const histogram = (meter: Meter, { name, bounds, ...options }: (typeof METRIC)[keyof typeof METRIC]): Histogram =>
  meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: [...bounds] } });

/** `true`, or one of the values that put contents into spans. */
const CONTENTS: readonly (string | undefined)[] = ["true", "span_only", "span_and_event"];

const wantsContents = (environment: Environment): boolean =>
  CONTENTS.includes(variable(environment, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase());

async function shutdown(
  providers: readonly { shutdown(): Promise<void> }[],
  exporters: readonly Pick<ReturnType<typeof spanExporter>, "close" | "giveUp">[],
): Promise<void> {
  const giveUp = (): void => {
    for (const exporter of exporters) exporter.giveUp();
  };
  for (const exporter of exporters) exporter.close();
  const timer = setTimeout(giveUp, LAST_WAIT);
  await Promise.allSettled(providers.map((provider) => provider.shutdown()));
  clearTimeout(timer);
  // Closes the connections.
  giveUp();
}
