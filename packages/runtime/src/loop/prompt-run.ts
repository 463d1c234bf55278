import type { AssistantMessage, LanguageModel, ModelParameters } from "@mdx-ai/models";
import type { PromptLimits } from "@mdx-ai/parser";
import type { ContextPolicy } from "../context/context-policy.ts";
import type { AgentEvent, Spending } from "../types/event.ts";
import type { PermissionGate } from "../types/permission.ts";
import type { SkillMarks } from "../types/skill-marks.ts";
import type { Step } from "../types/step.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import type { Steering } from "./steering.ts";

/** What came before a prompt and counts against its limits. */
interface SpentBefore {
  readonly session: Spending;
  readonly day: Spending;
}

/** All that the loop needs to work off one prompt; it touches nothing else. */
export interface PromptRun {
  readonly step: Step;
  /**
   * The steps to which an earlier process came before a crash. As far as they lead, the loop goes the same way again,
   * whatever settings, clock and signal say by now: what is journaled behind a fork must not be lost at it.
   */
  readonly recorded: ReadonlySet<string>;
  /** The first is asked; each other one when those before are unavailable. Not empty. */
  readonly models: readonly LanguageModel[];
  readonly parameters: ModelParameters;
  /** Seconds before each repetition of a failed call; undefined where the loop chooses. */
  readonly retries: readonly (number | undefined)[];
  readonly tools: ToolRegistry;
  /** Decides which calls may run. */
  readonly gate: PermissionGate;
  /** The id of the session. */
  readonly session: string;
  readonly system: string;
  readonly input: string;
  /** The number of the input in the session's queue, where it waited there. */
  readonly queued?: number;
  /** What the user says while the prompt runs. */
  readonly steering: Steering;
  readonly limits: PromptLimits & { readonly turns: number };
  readonly context: ContextPolicy;
  readonly skills: SkillMarks;
  readonly spentBefore: SpentBefore;
  /** Ends the prompt; fires with `deadline`, too. */
  readonly signal: AbortSignal;
  /** Fires when the prompt's seconds are over. */
  readonly deadline?: AbortSignal;
  /** Milliseconds since 1970; read within steps alone. */
  now(): number;
  /** Resolves after so many milliseconds, or when the prompt ends. */
  sleep(milliseconds: number): Promise<void>;
  /** Notes what an answer came to; gives US dollars where its price is known. Never rejects. */
  spend(answer: AssistantMessage): Promise<number | undefined>;
  /** Tokens that a model's window holds; undefined where nobody knows. Never rejects. */
  windowOf(model: LanguageModel): Promise<number | undefined>;
  /** Receives each answer to a request for a summary. */
  readonly onSummary?: (answer: AssistantMessage) => void;
  /** Tells the user what no event carries. */
  warn(message: string): void;
  emit(event: AgentEvent): void;
}
