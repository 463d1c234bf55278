import type { LanguageModel } from "@mdx-ai/models";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../types/agent.ts";
import type { PromptObserver } from "../types/event.ts";

/** A prompt that is about to run. */
export interface ObservedPrompt {
  /** The session's id. */
  readonly session: string;
  /** The model that is asked first. */
  readonly model: Pick<LanguageModel, "provider" | "name">;
}

/** What an agent sends to OpenTelemetry. Nothing here throws, rejects or waits for a collector, except `settled`, for two seconds. */
export interface Telemetry {
  /** Call it when a prompt begins; the observer makes its spans and metrics. */
  begin(prompt: ObservedPrompt): PromptObserver;
  /** Sends what was not sent yet. Call it once, at the end; what is observed later is lost. */
  settled(): Promise<void>;
}

export interface TelemetryOptions {
  readonly agentName: string;
  readonly clock: Clock;
  /** Redacts contents before they are sent; absent: contents are sent unchanged. */
  readonly redactor?: Redactor;
  /** Receives one line about wrong variables, and one about the first export that failed. */
  readonly onWarning: (message: string) => void;
}
