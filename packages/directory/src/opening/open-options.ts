import type { LanguageModel } from "@mdx-ai/models";
import type { Agent, AgentOptions, CloseOptions, ParentAgent } from "@mdx-ai/runtime";
import type { SaidMessage } from "@mdx-ai/sessions";
import type { FrontEnd } from "../front-end.ts";
import type { HookSource } from "../hooks/run-hooks.ts";
import type { RunModels } from "../models/open-models.ts";
import type { ReloadListener } from "../reloading/reloader.ts";
import type { RunSettings } from "../settings/run-settings.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";

/**
 * The receivers of events and questions, additional tools, stubs for the tools of agent.mdx, whether the heartbeat
 * runs, and whether prompts resume untrusted ones.
 */
type RunCallbacks = Pick<
  AgentOptions,
  | "onWarning"
  | "onLog"
  | "onBackgroundEvent"
  | "onApproval"
  | "onBudget"
  | "wakes"
  | "onlyTask"
  | "connects"
  | "waitsForServers"
  | "waitsForAgents"
  | "onServerQuestion"
  | "onSignIn"
  | "resumesUntrusted"
  | "tools"
  | "toolStubs"
  | "editor"
>;

/** The options of the front end that opens an agent. */
export interface OpenOptions extends RunCallbacks {
  readonly frontEnd: FrontEnd;
  /** Aborts the wait for a session. After that, closing the agent does not wait for work that the next run can finish. */
  readonly signal: AbortSignal;
  /** Replaces the models from flags and settings. */
  readonly model?: LanguageModel;
  /** Whether no model will be called, so that no configuration is needed. */
  readonly isModelless?: boolean;
  /** Whether an ephemeral run still has its memory, to show what a model receives. */
  readonly showsMemory?: boolean;
  /** The agent that this one works for, and its models, which this one has unless its settings name others. */
  readonly parent?: ParentAgent;
  readonly inherited?: RunModels;
  /** The hooks of the agents that this one works for, which run for its calls, too. */
  readonly callerHooks?: readonly HookSource[];
  /** Receives the results of reloads. Without it, the agent is never reloaded. */
  readonly onReload?: ReloadListener;
}

/**
 * Sessions that many processes share: an engine keeps them, and `dataDirectory` has a copy of those that were refreshed. Methods reject
 * with `StoreUnavailableError` or `JournalError`.
 */
export interface SharedSessions {
  /** Brings the copy of a session up to date. Rejects with `UnknownSessionError`, too. */
  refresh(id: string): Promise<void>;
  /** The same for all sessions. */
  refreshAll(): Promise<void>;
  /** Creates a session; without an id, with a new one. Resolves to its id. Rejects with `SessionExistsError`, too. */
  create(id: string | undefined, title: string | undefined): Promise<string>;
  /** Creates a session that begins with messages of another program. Resolves to its id. */
  createAfter(said: readonly SaidMessage[]): Promise<string>;
  retitle(id: string, title: string): Promise<void>;
}

/** An agent whose sessions others run, for a front end on a machine of its own. Methods reject as those of `SharedSessions` do. */
export interface SharedAgent {
  /** The agent with its sessions elsewhere. Its session is a new one, or the one with an id. Also rejects with `UnknownSessionError`. */
  open(local: OpenDirectory, id: string | undefined): Promise<OpenDirectory>;
  /** Copies all sessions; resolves to the data directory with the copies. Absolute. */
  copyAll(): Promise<string>;
  /** Deletes a session, if it exists. Also rejects with `SessionBusyError`. */
  delete(id: string): Promise<void>;
  /** Removes the copies. */
  close(): void;
}

/** An open agent and the handles that a front end needs. */
export interface OpenDirectory {
  readonly agent: Agent;
  /** The current directory with its diagnostics. A reload replaces it. */
  readonly directory: ReadDirectory;
  readonly settings: RunSettings;
  /** With sessions, state and logs. Absolute. */
  readonly dataDirectory: string;
  /** The working directory of tools. Absolute. */
  readonly folder: string;
  /** The session of prompts that name no other. */
  readonly session: string;
  /** Absent if only this machine has the sessions. */
  readonly shared?: SharedSessions;
  /** Closes the agent. Removes a session that was created for the run and has no prompt. */
  close(options?: CloseOptions): Promise<void>;
}
