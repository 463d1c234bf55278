import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { PermissionAction, ToolEffect, ToolExample } from "@mdx-ai/parser";
import type { SandboxGrants, ToolAccess } from "./permission.ts";
import type { AskingCall } from "./question.ts";
import type { ToolLabel } from "./tool-label.ts";
import type { ToolOrigin } from "./tool-origin.ts";

/** The folders of a call. */
export interface ToolDirectories {
  /** Absolute. */
  readonly agentDir: string;
  /** Where tools work: the workspace, else the agent directory. Absolute. */
  readonly cwd: string;
}

/** The context that a tool receives with its arguments. */
export interface ToolContext extends ToolDirectories {
  /** Fires when the prompt is aborted or the tool's time is over. */
  readonly signal: AbortSignal;
  /** The session in which it is called; "none" if there is none, as in `mdx-ai tool`. */
  readonly sessionId: string;
  /** Identifies this call among all of the session. */
  readonly callId: string;
  /** The access that the call was permitted; absent if no permission was needed. */
  readonly access?: ToolAccess;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Shows the user a partial result; the model never sees it. Does nothing after the call has ended. Throws if the value is
   * not JSON.
   */
  update(partial: string | ToolResult): void;
}

/** The context that a builtin tool, one of a skill or one of an MCP server receives with its arguments. */
export interface BuiltinToolContext extends ToolContext {
  /** The accesses beyond the sandbox that the user allows commands; absent outside of a session. */
  readonly grants?: SandboxGrants;
  /** Keeps the end of the output so far, which the model receives if the call is stopped before it ends. */
  readonly keepOutput?: (text: string) => void;
  /** Keeps the content of files that the call is about to replace, and what it sees of files; absent outside of a session. */
  readonly keeper?: FileKeeper;
  /** The call itself, for a tool that somebody else runs; absent outside of a session. */
  readonly asking?: AskingCall;
}

/** A file that a builtin tool is about to replace or create. */
interface ReplacedFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** A path by which it can be read now, if it exists. */
  readonly existing: string;
  /** Its content now, if that was read already. */
  readonly before?: Uint8Array;
  /** Its new content. */
  readonly content: Uint8Array;
}

/** What a session has seen of a file. */
export interface SeenContent {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Of the file's size, time and identity; absent if the session wrote the content that `hash` is for. */
  readonly version?: string;
  /** Absent if only a part was read. */
  readonly hash?: string;
}

/** Journals what is needed to undo the change of a file, and to notice changes by others. */
export interface FileKeeper {
  /** Journals what the session has read of a file, also for later processes. Never throws. */
  saw(content: SeenContent): void;
  /** What the session has seen last of each file, by its path. Never throws. */
  seen(): ReadonlyMap<string, SeenContent>;
  /** Keeps the content of a file; call it before the file changes. Rejects with `JournalError`: the file must not change then. */
  keep(file: ReplacedFile): Promise<void>;
}

/** The result of a tool. */
export interface ToolResult {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError?: boolean;
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
}

/**
 * A tool that a model may call: a builtin, an inline one of agent.mdx, one of a module, or one that a program adds. `Arguments` is
 * the type that `parameters` describes.
 */
export interface AgentTool<Arguments = JsonObject> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. `execute` sees only arguments that it accepts, under names that it has, with its defaults filled in. */
  readonly parameters: JsonObject;
  /** Whether it changes nothing; after a crash it may then be run again. Default false. */
  readonly readOnly?: boolean;
  /**
   * What it does. One that "reads" is read-only; one that "writes" files by `keeper` has them undone; one that "runs" commands does so in
   * the sandbox, which is made while the arguments of a call arrive, and what it changes is not known. Absent: unknown.
   */
  readonly effects?: ToolEffect;
  /** How a call is shown; by its name and arguments if absent. */
  readonly label?: ToolLabel;
  /** The names of such a tool in other programs. Case and separators do not count. */
  readonly aliases?: readonly string[];
  /** Whether a call that was cut short may be made again. Default false. */
  readonly idempotent?: boolean;
  /** Its author's permission for its calls; the user has the last word. Default "allow". */
  readonly permission?: PermissionAction;
  /** The access of a call; default: unknown. Throws if that cannot be determined, as `execute` would. */
  access?(args: Arguments, place: ToolDirectories): Promise<ToolAccess>;
  /** A string is shown to the model as it is. A throw becomes an error result with the error's text. */
  execute(args: Arguments, context: ToolContext): Promise<string | ToolResult>;
}

/** A builtin tool: its results may be larger than those of others, and it knows how models call the like of it elsewhere. */
export interface BuiltinTool extends AgentTool {
  /** Characters of text that one result may have. Default 32,000. */
  readonly outputLimit?: number;
  readonly parameterHabits?: ParameterHabits;
  /** The names of parameters that are a number of seconds. */
  readonly seconds?: readonly string[];
  /** The arguments of a right call, which a refusal shows. */
  readonly example?: JsonObject;
  /** Changes the arguments of each call before they are checked. Its failure leaves them as they are. */
  prepareArguments?(args: JsonObject): unknown;
}

/** How models write the parameters of a tool who know such a tool of other programs. Those of the items of a list are named `edits[].old`. */
export interface ParameterHabits {
  /** By the name of a parameter, its other names. Case and separators do not count. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that change nothing here, with the values for which that holds. */
  readonly ignored?: Readonly<Record<string, "any" | readonly JsonValue[]>>;
  /** Parameters that are a command line, which some models write as the list of its words. */
  readonly commandLines?: readonly string[];
}

/** A tool that somebody else runs, such as the server of MCP that lists it. */
export interface ForeignTool extends AgentTool {
  execute(args: JsonObject, context: BuiltinToolContext): Promise<string | ToolResult>;
  /** It knows its defaults, and takes names that its schema does not mention. */
  readonly takesOtherNames: true;
  /** The name of the server. */
  readonly server: string;
  /** Identifies its definition, on which approvals of its calls depend. */
  readonly fingerprint: string;
}

/** Offers tools. A prompt uses those that it offered when the prompt began. */
export interface ToolSource {
  readonly origin: ToolOrigin;
  /** The skill that it belongs to: a session that has not enabled this skill gets none of its tools. */
  readonly skill?: string;
  /**
   * Makes its tools available, such as by connecting; called before each prompt of a session that gets them. It resolves in
   * time even if they are not: they join a later prompt. Never rejects.
   */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Its tools as they are now. */
  tools(): readonly AgentTool[];
  /** Calls back when its tools have changed. Absent: they never do. */
  onChange?(changed: () => void): void;
}

/**
 * What a tool has in place of the network and the clock. Its `fetch` receives the declared answers alone, but that without any
 * declaration it reaches the loopback network. Without `now` it sees the true time.
 */
export type ToolStubs = Pick<ToolExample, "fetch" | "now">;
