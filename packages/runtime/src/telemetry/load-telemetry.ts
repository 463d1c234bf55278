import type { Environment } from "@mdx-ai/base";
import type { Telemetry, TelemetryOptions } from "./open-telemetry.ts";

/** Each of these variables turns telemetry on. Others, such as `OTEL_SERVICE_NAME`, only configure it. */
const SWITCHES = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
  "OTEL_TRACES_EXPORTER",
  "OTEL_METRICS_EXPORTER",
] as const;

/** Whether the user's variables turn telemetry on. */
export function wantsTelemetry(environment: Environment): boolean {
  if (!SWITCHES.some((name) => environment[name]?.trim())) return false;
  return environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() !== "true";
}

/**
 * Opens the telemetry that the standard `OTEL_*` variables configure; undefined if they do not turn it on. The OpenTelemetry
 * packages are loaded only if they do.
 */
export async function loadTelemetry(
  environment: Environment,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  if (!wantsTelemetry(environment)) return undefined;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(environment, options);
}
