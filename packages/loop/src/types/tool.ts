import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { Cost, ImageContent, TextContent } from "@mdx-ai/models";
import type { PermissionAction, ToolEffect, ToolExample } from "@mdx-ai/parser";
import type { SandboxGrants, ToolAccess } from "./permission.ts";
import type { AskingCall } from "./question.ts";
import type { ToolLabel } from "./tool-label.ts";
import type { ToolOrigin } from "./tool-origin.ts";

/** The folders of a call. */
export interface ToolDirectories {
  /** Absolute. */
  readonly agentDir: string;
  /** The working directory: the workspace, else the agent directory. Absolute. */
  readonly cwd: string;
}

/** The context that a tool receives with its arguments. */
export interface ToolContext extends ToolDirectories {
  /** Fires when the prompt is aborted or the tool times out. */
  readonly signal: AbortSignal;
  /** The session of the call; "none" outside a session, as in `mdx-ai tool`. */
  readonly sessionId: string;
  /** Unique among the calls of the session. */
  readonly callId: string;
  /** The permitted access; absent if no permission was needed. */
  readonly access?: ToolAccess;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Shows the user a partial result; the model never sees it. Does nothing after the call has ended. Throws if the value is
   * not JSON.
   */
  update(partial: string | ToolResult): void;
}

/** The context of builtin, skill and MCP tools. */
export interface BuiltinToolContext extends ToolContext {
  /** The user's grants for commands beyond the sandbox; absent outside a session. */
  readonly grants?: SandboxGrants;
  /** Stores the latest output, which the model receives if the call is stopped. */
  readonly keepOutput?: (text: string) => void;
  /** Stores the content of files before the call replaces them, and records which files it has read; absent outside a session. */
  readonly keeper?: FileKeeper;
  /** The call itself, for remote tools and agents; absent outside a session. */
  readonly asking?: AskingCall;
}

/** A file that a builtin tool is about to replace or create. */
interface ReplacedFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** A path to read it now, if it exists. */
  readonly existing: string;
  /** Its current content, if that was read already. */
  readonly before?: Uint8Array;
  /** Its new content. */
  readonly content: Uint8Array;
}

/** The version of a file that a session has read. */
export interface SeenContent {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** A digest of the file's size, time and identity; absent if the session itself wrote the content of `hash`. */
  readonly version?: string;
  /** Absent if only a part was read. */
  readonly hash?: string;
}

/** Journals what an undo needs, and what detects changes by other programs. */
export interface FileKeeper {
  /** Journals that the session has read a file. Never throws. */
  saw(content: SeenContent): void;
  /** Returns the last read version of each file, by path. Never throws. */
  seen(): ReadonlyMap<string, SeenContent>;
  /** Stores the content of a file; call it before the file changes. If it rejects with `JournalError`, the file must not change. */
  keep(file: ReplacedFile): Promise<void>;
}

/** The result of a tool. */
export interface ToolResult {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError?: boolean;
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
  /** The cost of model calls that the tool made. It counts for the limits of the prompt. */
  readonly cost?: Cost;
}

/**
 * A tool that a model can call: builtin, inline in agent.mdx, from a module, or added by a program. `Arguments` is
 * the type that `parameters` describes.
 */
export interface AgentTool<Arguments = JsonObject> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. `execute` receives only valid, declared arguments, with defaults filled in. */
  readonly parameters: JsonObject;
  /** Whether it changes nothing, so that it may run again after a crash. Default false. */
  readonly readOnly?: boolean;
  /**
   * What it does. "reads": it is read-only; "writes": its changes through `keeper` can be undone; "runs": it runs commands in
   * the sandbox, which is prepared while the call's arguments arrive, and its changes are not known. Absent: unknown.
   */
  readonly effects?: ToolEffect;
  /** The display text of a call. Default: name and arguments. */
  readonly label?: ToolLabel;
  /** Names of equivalent tools in other programs. Case and separators are ignored. */
  readonly aliases?: readonly string[];
  /** Whether an interrupted call may be repeated. Default false. */
  readonly idempotent?: boolean;
  /** The author's permission for its calls; the user's permissions override it. Default "allow". */
  readonly permission?: PermissionAction;
  /** The access of a call. Default: unknown. Throws if it cannot be determined, as `execute` would. */
  access?(args: Arguments, place: ToolDirectories): Promise<ToolAccess>;
  /** The model receives a string unchanged. A throw becomes an error result with the error's text. */
  execute(args: Arguments, context: ToolContext): Promise<string | ToolResult>;
}

/** A builtin tool. Its results may be larger, and it accepts the parameter names of similar tools elsewhere. */
export interface BuiltinTool extends AgentTool {
  /** The maximum characters of text in one result. Default 32,000. */
  readonly outputLimit?: number;
  readonly parameterHabits?: ParameterHabits;
  /** The names of parameters that are a number of seconds. */
  readonly seconds?: readonly string[];
  /** Example arguments, shown when a call is rejected. */
  readonly example?: JsonObject;
  /** Changes the arguments of each call before they are checked. On failure they stay unchanged. */
  prepareArguments?(args: JsonObject): unknown;
}

/** The parameters of similar tools in other programs, as models write them. Parameters of list items are named `edits[].old`. */
export interface ParameterHabits {
  /** Other names of a parameter, by its name. Case and separators are ignored. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Ignored parameters, with the values for which they can be ignored. */
  readonly ignored?: Readonly<Record<string, "any" | readonly JsonValue[]>>;
  /** Parameters that are a command line, which some models write as a list of words. */
  readonly commandLines?: readonly string[];
}

/** A remote tool, such as one of an MCP server. */
export interface ForeignTool extends AgentTool {
  execute(args: JsonObject, context: BuiltinToolContext): Promise<string | ToolResult>;
  /** The server fills in defaults and accepts names that the schema does not mention. */
  readonly takesOtherNames: true;
  /** The name of the server. */
  readonly server: string;
  /** Identifies its definition. Approvals of its calls depend on it. */
  readonly fingerprint: string;
}

/** Offers tools. A prompt uses the tools that were offered when it began. */
export interface ToolSource {
  readonly origin: ToolOrigin;
  /** The skill that it belongs to. Only sessions with this skill enabled get its tools. */
  readonly skill?: string;
  /**
   * Makes its tools available, for example by connecting. Called before each prompt of a session that gets them. Resolves in
   * time even if they are not available yet; they join a later prompt. Never rejects.
   */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Its current tools. */
  tools(): readonly AgentTool[];
  /** Calls back when its tools have changed. Absent: they never change. */
  onChange?(changed: () => void): void;
}

/**
 * Replacements for a tool's network and clock. `fetch` returns only the declared answers; without
 * any declaration it reaches the loopback network. Without `now`, the tool sees the real time.
 */
export type ToolStubs = Pick<ToolExample, "fetch" | "now">;
