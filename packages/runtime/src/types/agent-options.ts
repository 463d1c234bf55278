import type { Clock, Environment, Redactor } from "@mdx-ai/base";
import type { AgentEvent, AskApproval, AskBudget, ToolSource, ToolStubs, UserPermissions } from "@mdx-ai/loop";
import type { LanguageModel, ModelParameters } from "@mdx-ai/models";
import type { AgentDirectory, SandboxSettings, WebSearchSettings } from "@mdx-ai/parser";
import type { TrustedImports } from "@mdx-ai/sandbox/imports";
import type { UserEditor } from "@mdx-ai/tools";
import type { CredentialGrant } from "./credential.ts";
import type { AnswerServer, DeclaredServer } from "./mcp.ts";
import type { ProgramModules } from "./module.ts";
import type { SelfEditor } from "./self-edit.ts";
import type { ParentAgent, Subagent } from "./subagent.ts";

/** The code that the user trusts when the agent is opened. */
export interface TrustedCode {
  /**
   * Files that define the agent, relative to the directory, with "/" separators. Some need not exist: a new
   * file or folder there would take effect at once or at the next start.
   */
  readonly files: readonly string[];
  /** A hash of all code that a call runs, by the name of the inline tool. */
  readonly tools: ReadonlyMap<string, string>;
  /** A hash of the code of all modules. */
  readonly modules: string;
  /** The code that modules and tools may import. Default: any code. */
  readonly imports?: TrustedImports;
}

export interface AgentOptions {
  readonly directory: AgentDirectory;
  /** The folder of sessions, state and logs; the agent directory if absent. Absolute. */
  readonly dataDirectory?: string;
  readonly model: LanguageModel;
  /** Opens a model that heartbeat.md names. Default: one that needs no configuration besides the environment. */
  readonly openModel?: (reference: string) => Promise<LanguageModel>;
  /** Asked in this order while the model is unavailable. */
  readonly fallbacks?: readonly LanguageModel[];
  /** Sources of additional tools, after the directory's. A tool whose name is taken is left out. Their origin is `custom:NAME`. */
  readonly tools?: readonly ToolSource[];
  /** Changes the agent's own files. With it, and if its settings say so, the agent has the tool `edit_self`. */
  readonly selfEdit?: SelfEditor;
  /** Agents that work as tools of this one. */
  readonly agents?: readonly Subagent[];
  /** The agent that this one works for. Its questions, permissions, sandbox and limits then belong to the session that called. */
  readonly parent?: ParentAgent;
  /** The user's MCP servers, after the directory's. A server whose name is taken is left out, with a warning. */
  readonly servers?: readonly DeclaredServer[];
  /** Whether MCP servers with `connect: eager` connect at once; default true. */
  readonly connects?: boolean;
  /**
   * Whether a prompt waits until each MCP server is connected or has failed, about 30 seconds at most; default true. If false, it
   * waits 3 seconds for those without `connect: eager`, whose tools then join a later prompt.
   */
  readonly waitsForServers?: boolean;
  /** Whether a prompt ends only when its background agents have ended, so that its answer can use their results; default true. */
  readonly waitsForAgents?: boolean;
  /** The folder for the tokens of MCP sign-ins. No tool can reach it. Absolute. Default: kept in memory only. */
  readonly tokensDirectory?: string;
  /** Answers the questions of MCP servers. Without it, they are declined. */
  readonly onServerQuestion?: AnswerServer;
  /** Shows the address where the user signs in to an MCP server. Without it, a server that requires a sign-in is not available. */
  readonly onSignIn?: (server: string, url: string) => void;
  /** The user's current folder. Permissions and the sandbox let tools read it. Absolute. Default: `workspace`, else the process's current folder. */
  readonly cwd?: string;
  /** The working directory of tools (`ToolContext.cwd`). Absolute. Default: the agent directory. */
  readonly workspace?: string;
  /** The workspace is a folder for the agent's own files, not a project: its builtin tools are those of an agent without a workspace. */
  readonly isOwnFolder?: boolean;
  /**
   * More folders that count as the workspace for file tools. Commands in a sandbox can only read them; the user is asked before one
   * writes there. Absolute.
   */
  readonly additionalDirectories?: readonly string[];
  /**
   * The command that starts a tool host process. Default: the installed program. An executable that was compiled with this
   * library passes `[process.execPath, …]` and calls `runToolHostProcess` there.
   */
  readonly toolHostCommand?: readonly string[];
  /** Limits tools of agent.mdx to their own loopback network in a sandbox, in every sandbox mode. */
  readonly toolNetwork?: "none";
  /** Replacements for `fetch` and the clock in tools of agent.mdx, as an `<Example>` declares them. Default: the real ones. */
  readonly toolStubs?: ToolStubs;
  /** The user's environment variables. A tool sees those that its `env` names and a few that programs need. Default: `process.env`. */
  readonly environment?: Environment;
  /** Secrets from outside the variables, such as keys of a configuration. They are redacted in the same way. */
  readonly secrets?: readonly string[];
  /** Redacts these secrets and the secrets in the variables. Default: a redactor made from both. */
  readonly redactor?: Redactor;
  /** Parameters of model calls. They override the directory's settings. */
  readonly parameters?: ModelParameters;
  /** The number of retries of a failed model call, or the seconds before each retry. Default: as in the settings, else 2. */
  readonly retries?: number | readonly number[];
  /** The maximum number of turns of a prompt. Default: as in the settings, else 50. */
  readonly maxTurns?: number;
  /** Writes no session, state or log. Usage is still recorded if a daily limit needs it. */
  readonly ephemeral?: boolean;
  /** Modules of the program. They run before the directory's. */
  readonly programModules?: ProgramModules;
  /** The user's editor: builtin tools read and write its unsaved texts, and run commands in its terminals, as far as it offers that. */
  readonly editor?: UserEditor;
  /** Whether the heartbeat wakes the agent on its schedule; false under `--prompt`. */
  readonly wakes?: boolean;
  /** The only task of the heartbeat that runs, once it is asked for. Default: all. */
  readonly onlyTask?: string;
  readonly clock?: Clock;
  /** The user's permissions, which override the directory's. */
  readonly permissions?: UserPermissions;
  /** Asks the user for approval. Without it, calls that need approval are denied. */
  readonly onApproval?: AskApproval;
  /** Asks the user whether a prompt may spend more than a limit. Without it, and without `answersWithin`, the prompt ends. */
  readonly onBudget?: AskBudget;
  /**
   * The seconds that a question waits for an answer from any source, such as `session.answer` or `mdx-ai answer`; `Infinity`: no
   * deadline. After the deadline the answer is "no". Without it, a question waits only if this process can ask the user.
   */
  readonly answersWithin?: number;
  /**
   * The folder for open questions and their answers. Other processes of the user can answer there, even while no process runs the
   * session. No tool can reach it. Absolute. Without it, questions can be answered in this process only.
   */
  readonly questionsDirectory?: string;
  /**
   * The folder that stores the user's approvals across processes. No tool can reach it. Absolute. Without it, approvals
   * last as long as the agent is open.
   */
  readonly approvalsDirectory?: string;
  /**
   * A secret of the user, the same in every process, that signs the sessions that the agent begins. A session without this signature is
   * untrusted: unfinished prompts in it run only with `resume` or `resumesUntrusted` and are closed otherwise, and an
   * undo restores no file. Without a key, all sessions are trusted.
   */
  readonly journalKey?: string;
  /** Whether a prompt first finishes untrusted ones that were left unfinished; `resume` always does. Default: false. */
  readonly resumesUntrusted?: boolean;
  /** The user's sandbox settings. The directory's settings can only narrow them. */
  readonly sandbox?: SandboxSettings;
  /** Keys that commands and tools in the sandbox use without seeing them, if the agent's frontmatter names their hosts. */
  readonly credentials?: readonly CredentialGrant[];
  /** Receives each key of `credentials` before it is used, so that `redactor` can redact it. Must not throw. */
  readonly onKey?: (key: string) => void;
  /**
   * Where the tool `web_search` searches; `provider`: the models' providers search instead, if the agent has the tool. Without it,
   * there is no such tool.
   */
  readonly webSearch?: WebSearchSettings;
  /** The code that the user's trust covers. */
  readonly trusted?: TrustedCode;
  /** The session that modules and the heartbeat use; default "main". */
  readonly session?: string;
  /**
   * Called before each prompt; returns the changed agent, or undefined if nothing changed. Modules whose code changed are then stopped and
   * reloaded. If one of them cannot be imported, all keep running unchanged, with a warning. Sessions continue.
   */
  readonly refresh?: (signal: AbortSignal) => Promise<AgentChanges | undefined>;
  /**
   * Registers a function that is asked about each error that no code awaits, such as one in a timer, and that returns whether a module is
   * reported for it, so that the process continues. Returns a function that ends this; an error of a file in one of `folders` is the
   * process's failure even then not, since a timer may outlive its module. Default: such errors are the process's.
   */
  readonly watchErrors?: (claim: (error: unknown) => boolean, folders: readonly string[]) => () => void;
  /** Receives warnings that are not events: one line each, without a newline. */
  readonly onWarning?: (message: string) => void;
  /**
   * Receives each line of the readable log as it is written, and a line for each model answer: one line each, without the
   * time, redacted. An ephemeral agent sends these lines, too.
   */
  readonly onLog?: (line: string) => void;
  /** Receives the events of prompts that modules and the heartbeat sent. */
  readonly onBackgroundEvent?: (event: AgentEvent) => void;
}

/** The parts that may change while an agent is open: the directory, and the values derived from its settings. */
export type AgentChanges = Pick<AgentOptions, "directory"> &
  Partial<Pick<AgentOptions, "agents" | "model" | "fallbacks" | "parameters" | "retries" | "trusted">>;
