import type { AssistantMessage, LanguageModel, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { NamedText } from "./context/largest-part.ts";
import type { NumberedEvents } from "./event-numbers.ts";
import type { Host } from "./host.ts";
import type { PlannedModel, PromptBegin, PromptPlan } from "./plan.ts";
import type { CallStep } from "./steps.ts";
import type { SkillMarks } from "./types/compaction.ts";
import type { PromptOutcome } from "./types/event.ts";
import type { LimitName, SpentElsewhere } from "./types/limit.ts";
import type { PermissionGate } from "./types/question.ts";
import type { ToolRegistry } from "./types/tool-registry.ts";

/** The outcome of a prompt, for hooks. */
interface HookedEnd {
  readonly outcome: PromptOutcome;
  /** The model's last text. */
  readonly text: string;
  /** The messages of the user. */
  readonly inputs: readonly string[];
  /** The wire names of tools that returned a result, each once. */
  readonly tools: readonly string[];
}

/** The hooks of an agent's modules. No method rejects: failures are logged. */
export interface PromptHooks {
  /** The texts that the modules add for the model, in order, or why one denies the prompt. */
  beforePrompt(
    input: string,
    signal: AbortSignal,
  ): Promise<{ readonly texts: readonly string[]; readonly denied?: string }>;
  /** Why a module refuses a call; undefined if none does. */
  beforeTool(call: ToolCall, signal: AbortSignal): Promise<string | undefined>;
  /** The texts that the modules add for the model, in order. */
  afterTool(call: ToolCall, result: ToolResultMessage, signal: AbortSignal): Promise<readonly string[]>;
  /** Why modules want the model to continue, in order. `isContinued`: whether they did so before in this prompt. */
  beforeEnd(text: string, isContinued: boolean, signal: AbortSignal): Promise<readonly string[]>;
  afterPrompt(end: HookedEnd): Promise<void>;
}

/** What a prompt may spend. Used within steps. */
export interface BudgetEffects {
  /** What is spent elsewhere, and what the user has added to limits. Never rejects. */
  spent(): Promise<SpentElsewhere>;
  /** When a question about a limit is answered with no, in milliseconds since 1970. */
  deadline(): number | undefined;
  /** Adds to a limit. `id` is that of the question: the same one adds once. Never rejects. */
  raise(limit: LimitName, by: number, id: string): Promise<SpentElsewhere>;
  /** Waits until the agents that this one works for may spend more. Resolves when `signal` fires, too. */
  ready(signal: AbortSignal): Promise<void>;
}

/** The services that the steps of a prompt use. The loop uses them only within steps and bases no decision on them. */
export interface PromptEffects {
  /** Returns the input, the time and the plan. */
  begin(): Promise<PromptBegin>;
  readonly system: string;
  /** The parts of the system prompt, by names that the agent's author recognizes; for messages. */
  readonly texts?: () => readonly NamedText[];
  readonly tools: ToolRegistry;
  /** The id of the session. */
  readonly session: string;
  /** Decides which calls may run. */
  readonly gate: PermissionGate;
  readonly hooks: PromptHooks;
  /** Recognizes the contents of skills, for summaries. */
  skills(): SkillMarks;
  /** The texts of the plan's skills, which accompany the input. Never throws. */
  skillContexts(names: readonly string[]): readonly string[];
  /** The model at an index of the plan; another one if it is no longer available. */
  modelAt(index: number, planned: PlannedModel): LanguageModel;
  /** Records the usage of an answer; resolves to its cost in US dollars, if the price is known. Never rejects. */
  spend(answer: AssistantMessage, planned: PlannedModel): Promise<number | undefined>;
  /** Absent: limits count only the results of the prompt, and nobody is asked. */
  readonly budget?: BudgetEffects;
  /** Receives the answer to each summary request. */
  onSummary?(answer: AssistantMessage): void;
  /** The model begins to call a tool (wire name), so resources for the call can be prepared. Never throws. */
  expectCall?(wireName: string): void;
  /**
   * Why a call that an earlier process journaled must no longer run, for example because the user denies it now; undefined if it
   * may. Used within the step of the call.
   */
  journaledRefusal(step: CallStep): Promise<string | undefined>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Warns the user about a problem that no event reports. */
  warn(message: string): void;
}

/** A running prompt: its number in the session, host, events, plan, and services. */
export interface PromptRun {
  readonly prompt: number;
  readonly host: Host;
  readonly events: NumberedEvents;
  /** Set anew when the deadline moves. */
  plan: PromptPlan;
  readonly effects: PromptEffects;
}
