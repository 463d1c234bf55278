import type { Environment } from "@mdx-ai/models";
import { signalExports } from "./settings/signal-exports.ts";
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

/** Opens telemetry as the variables say; undefined where nothing is left to send it with. What is wrong with them is told in one line. */
export async function openTelemetry(
  environment: Environment,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  const traces = signalExports(environment, "traces");
  const metrics = signalExports(environment, "metrics");
  const problems = new Set([...traces.problems, ...metrics.problems]);
  if (problems.size > 0) options.onWarning(`telemetry: ${[...problems].join("; ")}`);
  if (traces.exports.length + metrics.exports.length === 0) return undefined;
  const { SdkTelemetry } = await import("./sdk-telemetry.ts");
  return new SdkTelemetry({ environment, traces: traces.exports, metrics: metrics.exports, ...options });
}
