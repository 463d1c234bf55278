import type { AssistantMessage, LanguageModel, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { NamedText } from "./context/largest-part.ts";
import type { NumberedEvents } from "./event-numbers.ts";
import type { Host } from "./host.ts";
import type { PlannedModel, PromptBegin, PromptPlan } from "./plan.ts";
import type { CallStep } from "./steps.ts";
import type { SkillMarks } from "./types/compaction.ts";
import type { PromptOutcome } from "./types/event.ts";
import type { PermissionGate } from "./types/question.ts";
import type { ToolRegistry } from "./types/tool-registry.ts";

/** How a prompt ended, for hooks. */
interface HookedEnd {
  readonly outcome: PromptOutcome;
  /** The model's last text. */
  readonly text: string;
  /** The messages of the user. */
  readonly inputs: readonly string[];
  /** The wire names of tools that gave a result, each once. */
  readonly tools: readonly string[];
}

/** The hooks of an agent's modules. Nothing here rejects: a hook's failure is logged. */
export interface PromptHooks {
  /** The texts that the modules add for the model, in their order. */
  beforePrompt(input: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Why a module refuses a call; undefined if none does. */
  beforeTool(call: ToolCall, signal: AbortSignal): Promise<string | undefined>;
  afterTool(call: ToolCall, result: ToolResultMessage, signal: AbortSignal): Promise<void>;
  afterPrompt(end: HookedEnd): Promise<void>;
}

/** What the steps of a prompt act on. The loop uses it only within steps; no decision follows from it. */
export interface PromptEffects {
  /** Draws the input, the time and the plan. */
  begin(): Promise<PromptBegin>;
  readonly system: string;
  /** The texts of which the system prompt consists, by names that the agent's author recognizes; for messages. */
  readonly texts?: () => readonly NamedText[];
  readonly tools: ToolRegistry;
  /** The id of the session. */
  readonly session: string;
  /** Decides which calls may run. */
  readonly gate: PermissionGate;
  readonly hooks: PromptHooks;
  /** What a summary must know of skills. */
  skills(): SkillMarks;
  /** The texts of skills that come with an input, by the names of the plan. Never throws. */
  skillContexts(names: readonly string[]): readonly string[];
  /** The model of the plan at an index; another one if it is not available any more. */
  modelAt(index: number, planned: PlannedModel): LanguageModel;
  /** Notes the cost of an answer; returns US dollars if its price is known. Never rejects. */
  spend(answer: AssistantMessage, planned: PlannedModel): Promise<number | undefined>;
  /** Receives the answer of each request for a summary. */
  onSummary?(answer: AssistantMessage): void;
  /** The model begins to call a tool, by its wire name: resources that the call needs may be started. Never throws. */
  expectCall?(wireName: string): void;
  /**
   * Why a call that an earlier process journaled must not run any more, such as since the user denies it now; undefined if it
   * may. Used within the step of the call.
   */
  journaledRefusal(step: CallStep): Promise<string | undefined>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Warns the user about a problem that no event reports. */
  warn(message: string): void;
}

/** A prompt that runs: its number in the session, its host, its events, its plan, and the effects of its steps. */
export interface PromptRun {
  readonly prompt: number;
  readonly host: Host;
  readonly events: NumberedEvents;
  readonly plan: PromptPlan;
  readonly effects: PromptEffects;
}
