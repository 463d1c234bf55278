import type { LanguageModel } from "@mdx-ai/models";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../types/agent.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";

/** A prompt that is about to be worked off. */
export interface ObservedPrompt {
  /** The session's id. */
  readonly session: string;
  /** The model that is asked first. */
  readonly model: Pick<LanguageModel, "provider" | "name">;
}

/** What an agent tells OpenTelemetry. Nothing here throws, rejects or waits for a collector, but `settled`, for two seconds. */
export interface Telemetry {
  /** To be called when work on a prompt begins; the observer makes its spans and metrics. */
  begin(prompt: ObservedPrompt): PromptObserver;
  /** Sends what was not sent yet. To be called once, at the end; what is told afterwards is lost. */
  settled(): Promise<void>;
}

export interface TelemetryOptions {
  readonly agentName: string;
  readonly clock: Clock;
  /** What it takes out does not leave; nothing where absent. */
  readonly redactor?: Redactor;
  /** Told what is wrong with the variables, once, and that something could not be sent, once: one line each. */
  readonly onWarning: (message: string) => void;
}
