import type { Answer, Question } from "@mdx-ai/loop";
import type { SandboxSettings } from "@mdx-ai/parser";
import type { ParentPermissions } from "@mdx-ai/permissions";
import type { StepGate, UsageLine } from "@mdx-ai/sessions";
import type { Agent } from "./agent.ts";

/** An agent that works as a tool of another one. */
export interface Subagent {
  /** The name of the tool. */
  readonly name: string;
  /** When to call it. */
  readonly description: string;
  /** Whether a call returns at once, and its result comes later as a message. */
  readonly isBackground: boolean;
  /** Its directory, which its parent may read. Absolute. */
  readonly folder: string;
  /** Opens it for its first call. It must be opened with `parent` in its options. The model receives the text of an error. */
  open(parent: ParentAgent): Promise<OpenSubagent>;
}

/** An open agent that works as a tool. */
export interface OpenSubagent {
  readonly agent: Agent;
  /** Closes it; its running prompts stay interrupted. Never rejects. */
  close(): Promise<void>;
}

/** The agent that another one works for, as that one sees it. */
export interface ParentAgent {
  readonly permissions: ParentPermissions;
  /** What the parent's sandbox allows. */
  readonly sandbox: SandboxSettings;
  /** The number of agents above: 1 for one that works for the first. */
  readonly depth: number;
  /** The working directory of the parent's tools. Absolute. */
  readonly workspace: string;
  /** The call that a session works for; undefined if there is none. */
  callOf(session: string): ParentCall | undefined;
}

/** The call of an agent that works as a tool. */
export interface ParentCall {
  /** Counts the running steps of the first agent and of all that work for it. */
  readonly gate: StepGate;
  /** Whether a limit of the parent is in US dollars, so that prices must be known. */
  readonly isPriced: boolean;
  /** Called before each prompt of the session, with its key. */
  begin(sessionKey: string): void;
  /** Asks in the parent's session. Never rejects. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Counts an answer of a model for the parent's limits, and stops the call if one is reached. */
  spend(line: UsageLine): void;
  /** Waits while a limit of the parent is reached that its user may raise. Resolves when `signal` fires, too. Never rejects. */
  ready(signal: AbortSignal): Promise<void>;
}
