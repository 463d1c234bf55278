// The types of this package alone, since the types for authors reach them.
import type { Clock, Redactor } from "@mdx-ai/base";
import type { PromptObserver } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";

/** A prompt that is about to run. */
export interface ObservedPrompt {
  readonly session: string;
  /** The first model of the plan, if known. */
  readonly model?: Pick<LanguageModel, "provider" | "name">;
}

/** Sends an agent's spans and metrics to OpenTelemetry. No method throws or rejects. Only `settled` waits for a collector, for at most two seconds. */
export interface Telemetry {
  /** Call it when a prompt begins. The returned observer makes its spans and metrics. */
  begin(prompt: ObservedPrompt): PromptObserver;
  /** Sends pending spans and metrics. Call it once, at the end; later events are lost. */
  settled(): Promise<void>;
}

export interface TelemetryOptions {
  readonly agentName: string;
  readonly clock: Clock;
  /** Redacts contents before they are sent. Absent: contents are sent unchanged. */
  readonly redactor?: Redactor;
  /** Receives one line about wrong variables, and one about the first failed export. */
  readonly onWarning: (message: string) => void;
}
