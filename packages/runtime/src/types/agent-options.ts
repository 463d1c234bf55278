import type { Clock, Environment, Redactor } from "@mdx-ai/base";
import type { AgentEvent, AskApproval, ToolSource, ToolStubs, UserPermissions } from "@mdx-ai/loop";
import type { LanguageModel, ModelParameters } from "@mdx-ai/models";
import type { AgentDirectory, SandboxSettings } from "@mdx-ai/parser";
import type { TrustedImports } from "@mdx-ai/sandbox/imports";
import type { AnswerServer, DeclaredServer } from "./mcp.ts";
import type { ProgramModules } from "./module.ts";

/** The code that the user trusts when the agent is opened. */
export interface TrustedCode {
  /**
   * Files of the directory, relative to it, separated by "/"; changing one is changing the agent. Some do not exist: a new
   * file or folder there would run or be obeyed, at once or at the next start.
   */
  readonly files: readonly string[];
  /** By the names of inline tools, a hash of all code that a call of it runs. */
  readonly tools: ReadonlyMap<string, string>;
  /** The same of all modules together. */
  readonly modules: string;
  /** The code that modules and tools may import; without it, any code. */
  readonly imports?: TrustedImports;
}

export interface AgentOptions {
  readonly directory: AgentDirectory;
  /** The folder of sessions, state and logs; the agent directory if absent. Absolute. */
  readonly dataDirectory?: string;
  readonly model: LanguageModel;
  /** Asked in this order while the model is unavailable. */
  readonly fallbacks?: readonly LanguageModel[];
  /** Sources of more tools, after those of the directory. A tool whose name is taken is left out. Their origin is `custom:NAME`. */
  readonly tools?: readonly ToolSource[];
  /** MCP servers of the user's, after those of the directory. One whose name is taken is left out, with a warning. */
  readonly servers?: readonly DeclaredServer[];
  /** Whether MCP servers with `connect: eager` connect at once; default true. */
  readonly connects?: boolean;
  /**
   * Whether a prompt waits for each MCP server until it is connected or has failed, some 30 seconds at most; default true. If false, it
   * waits 3 seconds for those without `connect: eager`, whose tools then join a later prompt.
   */
  readonly waitsForServers?: boolean;
  /** The folder in which MCP servers keep what a sign-in gave them; no tool can reach it. Absolute. Default: in memory alone. */
  readonly tokensDirectory?: string;
  /** Answers the questions of MCP servers. Without it, they are declined. */
  readonly onServerQuestion?: AnswerServer;
  /** Shows the address at which the user signs in to an MCP server. Without it, a server that wants a sign-in is not available. */
  readonly onSignIn?: (server: string, url: string) => void;
  /** Where the user is: permissions and the sandbox let tools read it. Absolute. Default: `workspace`, else the current folder. */
  readonly cwd?: string;
  /** Where tools work (`ToolContext.cwd`), if that is not the agent directory. Absolute. */
  readonly workspace?: string;
  /**
   * The command that starts a tool host process. Default: this program, as it is installed. An executable that was compiled with this
   * library names one: `[process.execPath, …]`, which runs `runToolHostProcess`.
   */
  readonly toolHostCommand?: readonly string[];
  /** Limits tools of agent.mdx to their own loopback network, by a sandbox, whatever its mode is. */
  readonly toolNetwork?: "none";
  /** What tools of agent.mdx have in place of `fetch` and the clock, as an `<Example>` declares it. Default: the true ones. */
  readonly toolStubs?: ToolStubs;
  /** The variables of the user; a tool sees those that its `env` names and a few that programs need. Default: `process.env`. */
  readonly environment?: Environment;
  /** Secrets that are not in a variable, such as keys of a configuration. They are redacted like those. */
  readonly secrets?: readonly string[];
  /** Takes these secrets and those of the variables out of texts. Default: one that is made of both. */
  readonly redactor?: Redactor;
  /** Parameters of model calls; the directory's settings apply to the others. */
  readonly parameters?: ModelParameters;
  /** The number of retries of a failed model call, or the seconds before each. Default: the settings', else 2. */
  readonly retries?: number | readonly number[];
  /** The most turns of a prompt. Default: the settings', else 50. */
  readonly maxTurns?: number;
  /** Writes no session, state or log. Usage is still recorded if a daily limit needs it. */
  readonly ephemeral?: boolean;
  /** Modules of the program, before those of the directory. */
  readonly programModules?: ProgramModules;
  /** Whether modules wake by themselves (the heartbeat); false under `--prompt`. */
  readonly wakes?: boolean;
  readonly clock?: Clock;
  /** The user's permissions, which override the directory's. */
  readonly permissions?: UserPermissions;
  /** Asks the user. Without it, calls that need an answer are denied. */
  readonly onApproval?: AskApproval;
  /**
   * The seconds that a question waits for an answer from anywhere, such as `session.answer` or `mdx-ai answer`; `Infinity`: without an
   * end. When they are over, the answer is "no". Without it, a question waits only if somebody can be asked here.
   */
  readonly answersWithin?: number;
  /**
   * The folder that keeps open questions and answers to them, which other processes of the user give, also while none runs the
   * session; no tool can reach it. Absolute. Without it, questions are answered in this process alone.
   */
  readonly questionsDirectory?: string;
  /**
   * The folder that keeps the user's approvals when the process ends; no tool can reach it. Absolute. Without it, approvals
   * last as long as the agent is open.
   */
  readonly approvalsDirectory?: string;
  /**
   * A secret of the user, the same in every process, which marks the sessions that the agent begins. A session without this mark is
   * untrusted: prompts that an earlier process left in it run only if `resume` or `resumesUntrusted` says so, and are ended otherwise, and an
   * undo restores no file. Without a key no session is untrusted.
   */
  readonly journalKey?: string;
  /** Whether prompts also finish foreign ones before they run; `resume` always does. Default: false. */
  readonly resumesUntrusted?: boolean;
  /** The user's sandbox settings. The directory's can only narrow them. */
  readonly sandbox?: SandboxSettings;
  /** The code that the user's trust covers. */
  readonly trusted?: TrustedCode;
  /** The session that modules and the heartbeat speak in; default "main". */
  readonly session?: string;
  /**
   * Called before each prompt to get changes of the agent; undefined: none. Modules whose code changed are then stopped and
   * loaded again. If one of them cannot be imported, all stay as they are, with a warning. Sessions continue.
   */
  readonly refresh?: (signal: AbortSignal) => Promise<AgentChanges | undefined>;
  /** Receives warnings that are not events: one line each, without a newline. */
  readonly onWarning?: (message: string) => void;
  /**
   * Receives each line of the log for people as it is written, and one for each answer of a model: one line each, without the
   * time, redacted. An ephemeral agent has these lines, too.
   */
  readonly onLog?: (line: string) => void;
  /** Receives the events of prompts that no user sent: those of modules and the heartbeat. */
  readonly onBackgroundEvent?: (event: AgentEvent) => void;
}

/** The parts that may change while an agent is open: the directory, and the values derived from its settings. */
export type AgentChanges = Pick<AgentOptions, "directory"> &
  Partial<Pick<AgentOptions, "model" | "fallbacks" | "parameters" | "retries" | "trusted">>;
