/** The limits of a prompt, a session or a day, across all its model calls. */
export interface UsageLimits {
  /** Input and output together, cached input included. */
  readonly tokens?: number;
  readonly usd?: number;
}

/** Limits of usage, and what happens when one is reached: the prompt ends (default), or the user is asked for as much again. */
interface Budget extends UsageLimits {
  readonly on?: "stop" | "ask";
}

/**
 * The limits of a prompt. Reaching a limit ends the prompt. Only `toolCalls` does not: further calls are answered with an error. `on` is for
 * `turns`, `tokens` and `usd`, and the default of `session`, `day` and `agent`.
 */
export interface PromptLimits extends Budget {
  readonly turns?: number;
  readonly toolCalls?: number;
  readonly seconds?: number;
  /** Identical calls with identical results in a row. */
  readonly repeats?: number;
  /** Sessions of the agent that may run side by side. */
  readonly sessions?: number;
  /** Of a session, over all its prompts. */
  readonly session?: Budget;
  /** Of a day of the local time zone, over all sessions of the agent. */
  readonly day?: Budget;
  /** Of the agent, over all its days. */
  readonly agent?: Budget;
}

/** Which part of a session is sent to the model. */
export interface ContextSettings {
  /** The most messages that are sent: the last ones, starting at a message of the user. */
  readonly messages?: number;
  /** The part of the model's window, from 0 to 1, beyond which older messages are replaced by a summary. */
  readonly compactAt?: number | "off";
  /** The size of the model's context window in tokens, if it is not known. */
  readonly window?: number;
}

/** How long logs are kept. */
interface LogSettings {
  /** Logs without new lines for longer are removed. */
  readonly days?: number;
}

/** The decision about a call: it runs, the user is asked, or it is refused. */
export type PermissionAction = "allow" | "ask" | "deny";

/** For one tool, patterns of what a call accesses, by what happens to it. */
export type AccessPermissions = { readonly [action in PermissionAction]?: readonly string[] };

/**
 * By patterns such as `bash`, `bash(git *)`, `write_file(out/**)` or `mcp.*`, what becomes of a call. Of those that match,
 * the last one decides.
 */
export type PermissionSettings = { readonly [pattern: string]: PermissionAction | AccessPermissions };

/**
 * What tools may do without a question: `ask` asks about writes in the workspace, `edits` does not, `plan` allows reading alone, and
 * `all` asks about nothing that stays in the workspace, the agent directory and the sandbox.
 */
export type PermissionMode = "ask" | "edits" | "plan" | "all";

/** All modes, from the strictest to the most permissive. */
export const PERMISSION_MODES: readonly PermissionMode[] = ["plan", "ask", "edits", "all"];

/** Whether the shell and the tools run in a sandbox: if possible, always (or no run), or never. */
export type SandboxMode = "auto" | "required" | "off";

export interface SandboxSettings {
  readonly mode?: SandboxMode;
  /** The hosts that the shell may reach; none by default. */
  readonly network?: "all" | readonly string[];
  /** The user's alone: files and folders that are shown read-only, although they would be hidden. */
  readonly read?: readonly string[];
  /** The user's alone: files and folders that are shown and may be written. */
  readonly write?: readonly string[];
}

/** A key for requests to a host. */
export interface CredentialDefinition {
  /** The variable that holds a placeholder in the sandbox; in the user's settings, also the one that holds the key by default. */
  readonly env: string;
  /** `Authorization` by default. */
  readonly header?: string;
  /** The value of the header, with `{}` in place of the key. */
  readonly format?: string;
  /** The user of Basic authentication. */
  readonly user?: string;
  /** The user's alone: the entry of the system's keyring that holds the key. */
  readonly keyring?: { readonly service: string; readonly account?: string };
  /** The user's alone: a command that prints the key. */
  readonly command?: string;
  /** The user's alone: which agents get the key. */
  readonly agents?: "wishing" | "all";
}

/** By host, such as `api.example.com` or `localhost:8443`. */
export type CredentialSettings = Readonly<Record<string, CredentialDefinition>>;

/** Which skills an agent has besides those of its folder `skills/`, and how a model learns of them. */
export interface SkillsSettings {
  /** More folders with skills, such as `.agents/skills` or `~/.claude/skills`; a nearer one hides a skill of the same name. */
  readonly paths?: readonly string[];
  /** `xml` (default): the Agent Skills catalog; `tiers`: the catalog and the headings of birdie. */
  readonly catalog?: "xml" | "tiers";
}

/** What an agent remembers across sessions, and where. */
export interface MemorySettings {
  /** The id or the title of a vault; it is made if there is none. */
  readonly vault?: string;
  /** The id or the title of a memory in the vault; it is made if there is none. */
  readonly memory?: string;
  /** A file in `state/` (default), or the server of a memory service. */
  readonly store?: "embedded" | McpServerDefinition;
  /** The model that remembers, as `provider/name`; the agent's own if absent. */
  readonly model?: string;
  /** The embedding model of an embedded store, as `provider/name`; if absent, entries are found by words alone. */
  readonly embeddings?: string;
}

/** The events at which hooks of the settings run, by the names that Claude Code gives them. */
export const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "Notification",
  "Stop",
  "SubagentStop",
  "SessionEnd",
] as const;

export type HookEventName = (typeof HOOK_EVENTS)[number];

/** A command that runs at an event. It gets the event as JSON on standard input. */
export interface HookDefinition {
  readonly type: "command";
  readonly command: string;
  /** Seconds that it may take. Default: 60. */
  readonly timeout?: number;
}

/** Hooks for the events that match: calls of some tools, sessions that begin in some way and so on. */
export interface HookGroup {
  /** Names separated by `|`, or a regular expression. Absent, empty or `*`: all. */
  readonly matcher?: string;
  readonly hooks: readonly HookDefinition[];
}

export type HookSettings = { readonly [event in HookEventName]?: readonly HookGroup[] };

/** The line below the input of a conversation. */
export type StatusbarStyle = "full" | "birdie" | "off";

/** How much a conversation shows of the results of tools. */
export type ToolOutputMode = "full" | "short" | "off";

/** The user's settings of the terminal, which agents have no part in but for the first two. */
export interface TerminalSettings {
  readonly statusbar?: StatusbarStyle;
  readonly tool_output?: ToolOutputMode;
  /** How a question that waits and the end of a long prompt are reported. */
  readonly notify?: "bell" | "osc9" | "off";
  readonly theme?: "dark" | "light" | "ansi";
  /** Whether conversations are plain lines. */
  readonly plain?: "on" | "off";
}

/** How the tool `web_search` searches: the model's provider does, or the user's endpoint. */
export type WebSearchSettings = "provider" | SearchEndpoint;

/** The user's search endpoint. */
export interface SearchEndpoint {
  /** Answers `q` with the JSON of SearXNG or Brave. */
  readonly url: string;
  /** `${NAME}` is a variable of the user's. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The settings that only the user's own file has. */
export interface OwnSettings extends TerminalSettings {
  readonly web_search?: WebSearchSettings;
}

/** The settings of the frontmatter that this version acts on. Absent means: not set by the author. */
export interface AgentSettings {
  readonly name?: string;
  readonly description?: string;
  /** Without sections all prose is one text, which the model receives as it is written. */
  readonly sections?: "on" | "off";
  /** `provider/name`; in a list, each is the fallback of the one before it. */
  readonly model?: string | readonly string[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly thinking?: "adaptive" | "off" | { readonly budget: number };
  readonly reasoning_effort?: string;
  readonly stream?: boolean;
  /** How often a failed model call is repeated, or the seconds to wait before each repetition. */
  readonly retries?: number | readonly number[];
  /** Seconds of silence after which a model's answer counts as broken. */
  readonly timeout?: number;
  /** Whether the offline model answers if no model is configured. */
  readonly offline?: boolean;
  readonly limits?: PromptLimits;
  readonly context?: ContextSettings;
  readonly logs?: LogSettings;
  /** The builtin tools that the agent has, without groups; absent: the default, see `offeredBuiltins`. */
  readonly builtins?: readonly string[];
  /** The tools that the agent has, of all that its files bring; absent: all. */
  readonly tools?: readonly string[];
  /**
   * Whether a model has to look for the tools of MCP servers and skills; absent: if they would take much of its window. Written as
   * `tools.deferred`.
   */
  readonly deferredTools?: boolean;
  readonly permissions?: PermissionSettings;
  /** Written as `permissions.mode`. That of a directory can only narrow what the user allows. */
  readonly mode?: PermissionMode;
  /** Where tools work: the current working directory; absent: the agent directory. */
  readonly workspace?: "cwd";
  /** Whether the agent may propose changes of its own files: `ask` asks about each, `on` only about those by which it may do more. */
  readonly self_edit?: "ask" | "on";
  readonly skills?: SkillsSettings;
  readonly mcp?: McpSettings;
  readonly hooks?: HookSettings;
  /** Absent: as the user's own settings say, else off. */
  readonly memory?: MemorySettings | "off";
  readonly sandbox?: SandboxMode | SandboxSettings;
  /** The keys that the agent wishes for. */
  readonly credentials?: CredentialSettings;
  /** An interval as in heartbeat.md, such as `30m`. */
  readonly schedule?: string;
  /** An IANA time zone for the schedule. */
  readonly timezone?: string;
  /** The user's own setting counts first. */
  readonly statusbar?: StatusbarStyle;
  /** The user's own setting counts first. */
  readonly tool_output?: ToolOutputMode;
}

/** How a client reaches an MCP server. */
export type McpTransport = "stdio" | "http" | "sse" | "tcp";

/** What a client knows of its registration with an authorization server, with the keys of the settings. */
export interface McpOAuthDefinition {
  /** Of a client that was registered by hand. */
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The address of a client id metadata document, for servers that accept one instead of a registration. */
  readonly client_metadata_url?: string;
  /** Scopes to ask for, separated by blanks, instead of those that the server names. */
  readonly scope?: string;
}

/** An MCP server as its author declares it. Texts may hold `${VAR}`, which stands for a variable of the user. */
export interface McpServerDefinition {
  readonly transport: McpTransport;
  /** The program of a server that speaks over stdio. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables that the program sees besides the few that every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the program runs, relative to the agent directory. Default: the agent directory. */
  readonly cwd?: string;
  /** `http://…`, `https://…`, or `tcp://HOST:PORT`. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a server over HTTP that wants a sign-in. Absent: the client registers itself. */
  readonly oauth?: McpOAuthDefinition;
  /** Seconds without a sign of life after which a call has failed. Default 120. */
  readonly timeout?: number;
  /** Seconds that it has to connect. Default 30. */
  readonly connect_timeout?: number;
  /** `eager`: at the start; `lazy` (default): when its tools are first needed. */
  readonly connect?: "eager" | "lazy";
  /** Folders that the server may work in, relative to the agent directory. Absent: see `rootsFor`. */
  readonly roots?: "off" | readonly string[];
  /** The tools to offer, by their names on the server; absent: all. */
  readonly tools?: readonly string[];
}

/** The MCP servers of an agent by name, in the order of the file. */
export type McpSettings = Readonly<Record<string, McpServerDefinition>>;
