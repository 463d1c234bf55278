import { systemClock } from "@mdx-ai/base";
import type { Agent, PromptOptions } from "@mdx-ai/runtime";
import { loadTelemetry } from "../../packages/runtime/src/agent/open-agent.ts";
import type { Telemetry } from "../../packages/runtime/src/telemetry/telemetry.ts";
import { type OtlpCollector, otlpCollector } from "./otlp-collector.ts";

/** Opens the telemetry that sends to a collector as JSON; more variables may follow. Throws if it is off. */
export async function telemetryTo(
  collector: OtlpCollector,
  environment: Readonly<Record<string, string>> = {},
  onWarning: (message: string) => void = () => {},
): Promise<Telemetry> {
  const telemetry = await loadTelemetry(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", ...environment },
    { agentName: "Weather", clock: systemClock, onWarning },
  );
  if (telemetry === undefined) throw new Error("telemetry is off");
  return telemetry;
}

/** Runs a prompt in the session "main" and lets telemetry observe it. */
export async function observePrompt(
  agent: Agent,
  telemetry: Telemetry,
  { text = "hello", ...options }: PromptOptions & { readonly text?: string } = {},
): Promise<void> {
  const observer = telemetry.begin({ session: "main", model: agent.model });
  observer.prepare?.({ system: "Be brief.", parameters: { temperature: 0.5, maxTokens: 100 } });
  for await (const event of agent.session().prompt(text, options)) observer.send(event);
}

/** What a collector received when an agent was closed after prompts. */
export async function collected(
  agent: Agent,
  work: (telemetry: Telemetry) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Pick<OtlpCollector, "spans" | "points" | "resource" | "requests">> {
  using collector = otlpCollector();
  const telemetry = await telemetryTo(collector, environment);
  await work(telemetry);
  await agent.close();
  await telemetry.settled();
  const { spans, points, resource, requests } = collector;
  return { spans, points, resource, requests };
}
