// Written by `npm run author-types` from the types of the runtime.
/** The types that authors of tools and modules may import, in one self-contained text. */
export const AUTHOR_TYPES = `export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Values of a module by their keys, in a file of its own in \`state/modules/\`. They outlive the process. */
export interface ModuleState {
  /** Undefined if there is none. */
  get(key: string): Promise<JsonValue | undefined>;
  /** Resolves when the value is on disk. Rejects if it is not JSON, or if all values together are longer than 1 MB. */
  set(key: string, value: JsonValue): Promise<void>;
  /** Removes a value, if there is one. */
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

export interface ModulePromptOptions {
  /** The session's id; a missing session is created. Default: the agent's default session. */
  readonly session?: string;
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Your id for the prompt, unique within the session: a prompt with the same key is not run again, also after a restart. */
  readonly key?: string;
}

/** Why a prompt ended. */
export type PromptOutcome = "done" | "error" | "aborted" | "limit";

/** How a prompt ended, the model's last text, and the cost of all its model calls, including those of called agents. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: PromptOutcome;
  /** US dollars; 0 if the price is unknown. */
  readonly usd: number;
  readonly tokens: number;
}

/** A prompt that an earlier process left unfinished. */
export interface PendingPrompt {
  /** Its number in the session. */
  readonly prompt: number;
  /** The user's input. */
  readonly input: string;
  /** Whether it was interrupted or queued. */
  readonly state: "interrupted" | "queued";
  /** The tools that started but did not end, by wire name. It is unknown how far they got. */
  readonly tools: readonly string[];
  /** Whether its session is untrusted, so that it runs only if the user allows it; absent in events. */
  readonly isUntrusted?: true;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** In an answer: the provider's data to send back with the text, byte for byte. */
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Tokens of one model call; all counts are integers. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of \`output\` used for thinking. */
  readonly thinking: number;
  /** Input, cached input included, and output. */
  readonly total: number;
  /** Set if the provider sent no counts and these are estimated. */
  readonly estimated?: true;
}

/** The usage and cost of model calls: of a prompt, a session or a day. */
export interface Cost {
  readonly usage: Usage;
  /** US dollars for the answers with a known price. */
  readonly usd: number;
  /** How many of \`calls\` have no known price. */
  readonly unpriced: number;
  /** Answers and attempts that cost tokens. */
  readonly calls: number;
  /** Total latency of the models in milliseconds. */
  readonly latency: number;
}

/** Timestamps of messages are milliseconds since 1970. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly (TextContent | ImageContent)[];
  readonly timestamp: number;
  /** The author, if not the user. Never sent to a model. */
  readonly origin?: "module" | "mode" | "skill" | "agent";
  /** What the user typed, if a command such as \`/mcp:SERVER:PROMPT\` produced the text. Never sent to a model. */
  readonly typed?: string;
  /** What the agent cost whose result this is. Never sent to a model. */
  readonly cost?: Cost;
}

/**
 * A model's thinking, or a search of its provider. It is sent back to its provider byte for byte, with \`signature\` and \`redacted\`. The
 * signature of a search is the provider's block as JSON.
 */
export interface ThinkingContent {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
  /** The provider's encrypted block; \`thinking\` is then empty. */
  readonly redacted?: string;
}

export type JsonObject = { readonly [key: string]: JsonValue };

export interface ToolCall {
  readonly type: "toolCall";
  /** Unique in its message. */
  readonly id: string;
  /** The wire name. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** The text of the arguments if it is not a JSON object; \`arguments\` is then empty and the call must not run. */
  readonly malformed?: string;
  /** The provider's data to send back with the call, byte for byte. */
  readonly signature?: string;
}

export type AssistantContent = TextContent | ThinkingContent | ToolCall;

/**
 * Why a model stopped. \`length\`: its output limit; \`pause\`: send the history again; \`contextExceeded\`: the window is full; \`aborted\` and
 * \`error\`: the message contains what had arrived.
 */
export type StopReason = "stop" | "toolUse" | "length" | "pause" | "refusal" | "contextExceeded" | "aborted" | "error";

/** Why an answer broke off or never arrived. */
export interface ModelFailure {
  /** HTTP status; absent without one, for example in mid-stream. */
  readonly status?: number;
  /** The kind of failure: the provider's name, such as "overloaded_error", or one of ours, such as "silence". */
  readonly kind?: string;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /**
   * What the model learned from the refusal, for the user, such as that a field is omitted from now on. The same request should be sent
   * again at once, which does not count as a retry.
   */
  readonly adapted?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  readonly provider: string;
  readonly model: string;
  /** The answering model, if the provider names another than requested, such as the version behind an alias. */
  readonly responseModel?: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** Set with \`error\` and \`aborted\`, with \`contextExceeded\` if there is no answer, and with \`refusal\` if the provider explains it. */
  readonly errorMessage?: string;
  /** A note for the user about a successful answer, such as an unknown stop reason. */
  readonly warning?: string;
  /** Set with \`error\`. */
  readonly failure?: ModelFailure;
  /** Milliseconds from the request to the end of the answer. */
  readonly latency?: number;
  /** US dollars at the prices at the time of the request; absent if unknown. */
  readonly cost?: number;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  /** The wire name. */
  readonly toolName: string;
  readonly content: readonly (TextContent | ImageContent)[];
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
  /** The cost of model calls that the tool made. */
  readonly cost?: Cost;
  readonly isError: boolean;
  readonly timestamp: number;
  /** Milliseconds in which its questions waited for the user; absent if the prompt has no \`limits.seconds\`. */
  readonly waited?: number;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** An event of one block of an answer. */
interface BlockEvent<Type> {
  readonly type: Type;
  /** The index of the block in \`partial.content\`. */
  readonly contentIndex: number;
  readonly partial: AssistantMessage;
}

/** More of a block. Deltas that arrive together are one event. */
interface DeltaEvent<Type> extends BlockEvent<Type> {
  readonly delta: string;
}

/** A text or thought is complete. */
interface TextEndEvent extends BlockEvent<"text_end" | "thinking_end"> {
  readonly content: string;
}

/** A call is complete. */
interface CallEndEvent extends BlockEvent<"toolcall_end"> {
  readonly toolCall: ToolCall;
}

/** The events of an answer. \`partial\` is the message so far: one growing object, so do not store it. */
export type ModelEvent =
  | { readonly type: "start"; readonly partial: AssistantMessage }
  | BlockEvent<"text_start" | "thinking_start" | "toolcall_start">
  | DeltaEvent<"text_delta" | "thinking_delta" | "toolcall_delta">
  | TextEndEvent
  | CallEndEvent
  | { readonly type: "done"; readonly message: AssistantMessage }
  | { readonly type: "error"; readonly message: AssistantMessage; readonly error: Error };

/** The model's stream events in \`message_update\`: all except the final ones. */
export type AssistantMessageEvent = Exclude<ModelEvent, { type: "start" | "done" | "error" }>;

/** The display text of a call with valid arguments: \`$ npm test\`, \`read a.ts:10-40\`. */
export interface ToolLabel {
  /** The meaning of its arguments and the display of its result. */
  readonly kind: "command" | "read" | "search" | "list" | "write" | "edit" | "web" | "todo";
  /** "$", "read", … */
  readonly verb: string;
}

interface QuestionHead {
  /** Unique in its session. For the approval of a call: prompt, turn and call, each from 1, such as "3.1.2"; for a limit, turn 0 and a number. */
  readonly id: string;
  /** The id of the session. */
  readonly session: string;
  /** The agent that asks, if it works for the session's; the names from the session's to it, such as "lead › reviewer". */
  readonly agent?: string;
  /** When the default becomes the answer, in milliseconds since 1970; absent if there is no deadline. */
  readonly deadline?: number;
  /** The answer after the deadline. */
  readonly default: "no";
}

/** The origin of a tool. */
export type ToolOrigin =
  | "builtin"
  | "inline"
  | \`module:\${string}\`
  | \`skill:\${string}\`
  | \`mcp:\${string}\`
  | \`agent:\${string}\`
  | \`custom:\${string}\`;

/** The access of a call, as far as it is known before the call runs. */
export type ToolAccess =
  /** An absolute path with all symbolic links resolved, also for a file that does not exist. */
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  /** As \`sandbox.network\` lists hosts, such as \`example.com\` or \`127.0.0.1:8080\`. */
  | { readonly kind: "host"; readonly host: string }
  /** The access is unknown, so only the arguments can be checked. */
  | { readonly kind: "call" };

/** An access of a command beyond its sandbox, requested or allowed. */
export type SandboxAccess =
  /** As \`sandbox.network\` lists hosts, such as \`example.com\` or \`127.0.0.1:8080\`. */
  | { readonly kind: "host"; readonly host: string }
  /** Absolute and real; a folder includes everything in it. */
  | { readonly kind: "write"; readonly path: string }
  /** Absolute and real; a folder includes everything in it except secrets. \`name\` is another path that leads there by a link. */
  | { readonly kind: "read"; readonly path: string; readonly name?: string }
  /** Everything: this command runs without a sandbox. */
  | { readonly kind: "outside"; readonly command: string };

/** The access of a call, or an access of a running call's command beyond its sandbox. */
export type AskedAccess = ToolAccess | { readonly kind: "sandbox"; readonly wanted: SandboxAccess };

/** A question about a call, before it runs or after the sandbox blocked its command. */
export interface ApprovalRequest {
  /** The session's name. */
  readonly session: string;
  readonly toolCallId: string;
  /** As in the head of the question. */
  readonly agent?: string;
  readonly toolName: string;
  /** The origin of the tool: another tool may have the name of a builtin. Absent for a question about the sandbox. */
  readonly toolOrigin?: ToolOrigin;
  /** The arguments that the tool would receive. */
  readonly args: JsonObject;
  /** The display text of the call, as in \`tool_execution_start\`. Absent for a question about the sandbox. */
  readonly label?: ToolLabel;
  readonly access: AskedAccess;
  /** Why the user is asked; a line without a full stop. */
  readonly reason: string;
  /** The scope of "always" and "this session": a pattern such as \`bash(git status)\`, or a line about the sandbox. */
  readonly pattern: string;
  /** The scope of "prefix": a pattern such as \`bash(git status *)\`; absent if that answer is not offered. */
  readonly prefix?: string;
  /** Whether "edits" is offered: the call writes in the workspace, and only the mode requires the question. */
  readonly offersEdits?: boolean;
}

/** May a call run, or a command reach beyond its sandbox? */
export interface ApprovalSubject {
  readonly kind: "approval";
  readonly request: ApprovalRequest;
  /** The hash of the tool's code; absent for a builtin. An answer applies to this code only. */
  readonly codeHash?: string;
  /** The tool's limits that are not enforced; absent if there are none. */
  readonly unheld?: string;
}

/** A question of a server for the user: a form with its schema, or an address to open. */
export type McpQuestion =
  | { readonly type: "form"; readonly message: string; readonly schema: JsonObject }
  | { readonly type: "url"; readonly message: string; readonly url: string };

/** An MCP server asks for values, or asks the user to open an address. */
export interface Elicitation {
  readonly kind: "elicitation";
  readonly server: string;
  readonly request: McpQuestion;
}

/** An MCP server asks the user to sign in at an address. It is answered when the sign-in is complete. */
interface SignIn {
  readonly kind: "sign_in";
  readonly server: string;
  readonly url: string;
}

/** A limit that ends a prompt. */
export type LimitName =
  | "turns"
  | "tokens"
  | "usd"
  | "seconds"
  | "repeats"
  | "pauses"
  | "session.tokens"
  | "session.usd"
  | "day.tokens"
  | "day.usd"
  | "agent.tokens"
  | "agent.usd";

/** A prompt has reached a limit: may it spend more? */
export interface BudgetSubject {
  readonly kind: "budget";
  readonly limit: LimitName;
  /** What is spent, and what may be: turns, tokens or US dollars. */
  readonly spent: number;
  readonly value: number;
  /** How much more a yes allows. */
  readonly adds: number;
}

/** What a question is about. */
export type QuestionSubject = ApprovalSubject | Elicitation | SignIn | BudgetSubject;

/** A question to the user. JSON. */
export type Question = QuestionHead & QuestionSubject;

/**
 * "prefix" allows the plain commands that \`ApprovalRequest.prefix\` matches, in this session. "edits" allows this call and sets
 * the session's mode to \`edits\` until the agent is closed or another mode is chosen. An answer that was not offered counts as "once".
 */
export type ApprovalAnswer = (
  | { readonly answer: "once" | "session" | "prefix" | "edits" | "always" }
  /** The model receives the reason. */
  | { readonly answer: "no"; readonly reason?: string }
) & {
  /** The source of the answer; journaled. Default: "program". */
  readonly by?: "terminal" | "command" | "program";
};

/**
 * The source of the answer: the user at this process's terminal, by a command, through a server, in an editor, or through the program that
 * opened the agent; the deadline; the end of the prompt; or a failure to ask.
 */
export type AnsweredBy = "terminal" | "command" | "server" | "editor" | "program" | "deadline" | "stop" | "failure";

/** The answer to a question. JSON. */
export interface Answer {
  /** For an approval, one of its words; for a budget "once" or "no"; for any other question, the requested values or "no". */
  readonly answer: ApprovalAnswer["answer"] | JsonObject;
  /** With "no": the user's words for the model, or why no one could be asked. */
  readonly reason?: string;
  readonly by: AnsweredBy;
  /** The user who answered; absent if the session has only one. */
  readonly user?: string;
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

/** The source of a token count: based on the provider's count of the last request, or an estimate alone. */
export type TokenMeasure = "provider" | "estimate";

/** Tokens of a session's next request before and after a summary replaced older messages. */
export interface CompactionReport {
  readonly before: number;
  readonly after: number;
  readonly measured: TokenMeasure;
}

/** A reached limit, with its value: the configured one and what the user has added to it. */
export interface ReachedLimit {
  readonly limit: LimitName;
  readonly value: number;
}

/**
 * The events of one prompt, in this order: \`agent_start\`, then for each turn \`turn_start\`, its messages and tools,
 * \`turn_end\`, then \`agent_end\`, always last. A question about a limit comes between turns. The payloads are those of pi-agent-core. If a limit is reached before the first
 * turn, a prompt has its input and no turn. A prompt that an earlier process left unfinished begins with \`prompt_resumed\`.
 */
export type LoopEvent =
  /** An unfinished prompt of an earlier process is resumed. Completed steps are reported again but not repeated. */
  | ({
      readonly type: "prompt_resumed";
      /** Resuming it crashed each process, so it is closed without another attempt. */
      readonly isGivenUp?: true;
    } & PendingPrompt)
  /** \`promptId\` is the id that \`submit\` returned, or the given \`key\`. */
  | { readonly type: "agent_start"; readonly promptId: string }
  | { readonly type: "turn_start" }
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
      /** The step of its model call, and its index among that call's updates. */
      readonly step: string;
      readonly index: number;
    }
  | { readonly type: "message_end"; readonly message: Message }
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
      /** The display text; absent if the tool defines none or the arguments are invalid. */
      readonly label?: ToolLabel;
    }
  /** A question waits for the user's answer. Questions outside the steps of a prompt, such as from MCP servers, have no event id. */
  | { readonly type: "question_asked"; readonly question: Question }
  | { readonly type: "question_answered"; readonly questionId: string; readonly answer: Answer }
  /** The user was asked about a call, or a rule denied it. Comes between its start and its end. */
  | {
      readonly type: "permission_decided";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly action: "allow" | "deny";
    }
  | {
      readonly type: "tool_execution_update";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
      readonly partialResult: ToolResult;
    }
  | {
      readonly type: "tool_execution_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: ToolResult;
      readonly isError: boolean;
    }
  /** An event of an agent that works as the tool of a call. It has no event id: the agent's own session keeps it. */
  | {
      readonly type: "subagent_event";
      readonly toolCallId: string;
      /** The name of the agent. */
      readonly agent: string;
      /** The session of the agent. */
      readonly session: string;
      readonly event: AgentEvent;
    }
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  /**
   * The model is asked again after \`delay\` milliseconds: the last answer, or a summary, failed and is not part of the
   * transcript.
   */
  | {
      readonly type: "model_retry";
      /** The number of the retry, from 1. */
      readonly attempt: number;
      /** The maximum number of retries. */
      readonly attempts: number;
      readonly delay: number;
      readonly reason: string;
    }
  /**
   * A server rejected a request, which is sent again at once with a change: the last answer, or a summary, is not
   * part of the transcript. Both texts are sentences for the user without a full stop; \`reason\` quotes the server.
   */
  | { readonly type: "request_adapted"; readonly change: string; readonly reason: string }
  /** A model is unavailable; the prompt continues with another one. Both as \`provider/name\`. */
  | { readonly type: "model_fallback"; readonly from: string; readonly to: string; readonly reason: string }
  /** Requests now contain a summary in place of older messages; the session keeps them. Counts are tokens of a request. */
  | ({ readonly type: "context_compacted" } & CompactionReport)
  | ({ readonly type: "limit_reached" } & ReachedLimit)
  | {
      readonly type: "agent_end";
      readonly messages: readonly Message[];
      readonly outcome: PromptOutcome;
      readonly cost: Cost;
      /** Why a module denied the prompt, which then has no messages; a line without a full stop. */
      readonly denied?: string;
      /** Input that arrived too late for the model. Absent if there is none. */
      readonly pendingInput?: readonly string[];
    };

/** An event of a prompt, with its id. */
export type AgentEvent = LoopEvent & {
  /**
   * \`<prompt>.<position>\`, such as \`3.17\`. It grows in the order of the events and is the same in every replay. Updates
   * have none: they are neither stored nor repeated.
   */
  readonly id?: string;
};

/** A due time of a task. */
export interface ModuleDue {
  /** ISO 8601 in UTC. */
  readonly due: string;
  /** How many times the run stands for: more than 1 if some were missed. 0 if a person asked for it. */
  readonly count: number;
  /** Whether an earlier process began the run and did not end it. */
  readonly isResumed: boolean;
  /** Fires when the module is stopped. */
  readonly signal: AbortSignal;
}

/** A task that a module runs at its times, as the tasks of heartbeat.md run. Its prompts are what it costs. */
export interface ModuleTask {
  /** Unique within the module. */
  readonly name: string;
  /** Such as "15m", "every day at 09:00" or "0 9 * * 1-5". */
  readonly when: string;
  /** IANA name. Default: \`timezone\` of agent.mdx, else this machine's. */
  readonly timezone?: string;
  /** Whether times that were missed while no process ran run once, together; default "once". */
  readonly missed?: "once" | "skip";
  /** A task never overlaps itself. After a throw it runs again in 1, 5 and then every 30 minutes. */
  run(due: ModuleDue): Promise<void> | void;
}

/** An answer as people and programs write it: \`yes\`, \`no\`, an offered word, JSON, or \`name=value\` words. */
export type AnswerWords = string | readonly string[] | JsonObject;

/** What the runtime offers to a module. */
export interface ModuleContext {
  /** The version of this interface. A module that names another \`apiVersion\` is left out. */
  readonly apiVersion: 1;
  /** Absolute. */
  readonly agentDir: string;
  /** Fires when the module is stopped. */
  readonly signal: AbortSignal;
  /** The module's values, which outlive the process. */
  readonly state: ModuleState;
  /**
   * Runs a message as if the user had sent it; queued prompts run first. Rejects if the session cannot be used, and when
   * called from within a running prompt, which would wait for itself; the log then says so too. The outcome is "aborted"
   * if the prompt was cancelled, or the agent was closed meanwhile.
   */
  prompt(message: string, options?: ModulePromptOptions): Promise<PromptResult>;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Calls \`listener\` with each event of the agent's prompts, and with the id of its session, until the returned function is called or the
   * module is stopped. The listener must be quick, and must not change the event.
   */
  subscribe(listener: (event: AgentEvent, session: string) => void): () => void;
  /**
   * Runs a task at its times; the returned function ends that. Call it in \`initialize\` or \`start\`: a task that is not scheduled by then is
   * forgotten. Nothing is due under \`--prompt\`. Rejects if the times cannot be read, or another task of the module has the name.
   */
  schedule(task: ModuleTask): Promise<() => void>;
  /**
   * Answers an open question of a session, the default one if absent: \`yes\`, \`no\`, another offered word, or the values that an MCP
   * server asks for. Rejects if there is no such question, or it does not take the answer.
   */
  answer(question: string, words: AnswerWords, session?: string): Promise<void>;
}

/** What a tool does: it reads files, writes them, or runs commands. */
export type ToolEffect = "reads" | "writes" | "runs";

/** The decision about a call: it runs, the user is asked, or it is refused. */
export type PermissionAction = "allow" | "ask" | "deny";

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
  /** The session of the call; "none" outside a session, as in \`mdx-ai tool\`. */
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

/**
 * A tool that a model can call: builtin, inline in agent.mdx, from a module, or added by a program. \`Arguments\` is
 * the type that \`parameters\` describes.
 */
export interface AgentTool<Arguments = JsonObject> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. \`execute\` receives only valid, declared arguments, with defaults filled in. */
  readonly parameters: JsonObject;
  /** Whether it changes nothing, so that it may run again after a crash. Default false. */
  readonly readOnly?: boolean;
  /**
   * What it does. "reads": it is read-only; "writes": its changes through \`keeper\` can be undone; "runs": it runs commands in
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
  /** The access of a call. Default: unknown. Throws if it cannot be determined, as \`execute\` would. */
  access?(args: Arguments, place: ToolDirectories): Promise<ToolAccess>;
  /** The model receives a string unchanged. A throw becomes an error result with the error's text. */
  execute(args: Arguments, context: ToolContext): Promise<string | ToolResult>;
}

/** Tools of a module that change while it runs. A prompt keeps the tools that it began with. */
export interface ChangingTools {
  /** The current tools. Called again after a change. */
  tools(): readonly AgentTool[];
  /** Receives a function, once, to call whenever the tools have changed. */
  onChange(changed: () => void): void;
  /** Makes the tools available. Each prompt waits for it first, 10 s at most. */
  prepare?(signal: AbortSignal): Promise<void>;
}

/**
 * What tools may do without a question: \`ask\` asks about writes in the workspace, \`edits\` does not, \`plan\` allows reading alone, and
 * \`all\` asks about nothing that stays in the workspace, the agent directory and the sandbox.
 */
export type PermissionMode = "ask" | "edits" | "plan" | "all";

/** The prompt that a hook is called in. */
export interface HookEvent {
  /** The session's name. */
  readonly session: string;
  /** Unique to this session: an earlier or later session of the same name has another one. */
  readonly sessionKey: string;
  /** The number of the prompt in its session, from 1. */
  readonly prompt: number;
  /** The working directory of tools. Absolute. */
  readonly cwd: string;
  /** What the user allows tools without a question. */
  readonly mode: PermissionMode;
}

/** A prompt is about to begin. */
export interface BeforePromptEvent extends HookEvent {
  /** The user's message. */
  readonly input: string;
  /** Whether the session is new or cleared, so that the model receives no earlier message. */
  readonly isFirst: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** The result of a hook: a value or nothing, or a promise of either. */
type HookAnswer<Answer> = Answer | void | Promise<Answer | void>;

/** A permitted tool call is about to run. */
export interface BeforeToolEvent extends HookEvent {
  readonly callId: string;
  /** The tool's name, as its author wrote it. */
  readonly tool: string;
  /** The hook's own copy, with defaults filled in. */
  readonly args: JsonObject;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A tool call has ended. */
export interface AfterToolEvent extends BeforeToolEvent {
  /** The hook's own copy. */
  readonly result: ToolResult;
  readonly isError: boolean;
}

/** The model has done its work, so that the prompt is about to end. */
export interface BeforeEndEvent extends HookEvent {
  /** The model's last text. */
  readonly text: string;
  /** Whether a hook has let the model continue in this prompt already. */
  readonly isContinued: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A question waits for the user's answer. */
export interface QuestionEvent extends Omit<HookEvent, "prompt"> {
  readonly question: Question;
}

/** A prompt has ended. */
export interface AfterPromptEvent extends HookEvent {
  /** The model's last text. */
  readonly text: string;
  readonly outcome: PromptOutcome;
  /** The user's messages: the one that began the prompt, then those sent while it ran. Commands are as typed. */
  readonly inputs: readonly string[];
  /** The tools that returned a result, by their authors' names, in the order of their first calls. */
  readonly tools: readonly string[];
}

/**
 * The default export of a file in \`modules/\`: an object with at least one of these functions. Without \`describe\` a module has the name
 * of its file.
 *
 * Modules run in the order of their file names. A hook that throws, returns an invalid value or takes over 10 s is logged and has no
 * effect. A module that fails five times within a minute is stopped.
 *
 * @example
 * \`\`\`ts
 * import type { AgentModule } from "mdx-ai";
 *
 * export default {
 *   describe: () => ({ name: "clock", description: "Knows the time" }),
 *   beforePrompt: () => ({ context: \`It is \${new Date().toISOString()}.\` }),
 * } satisfies AgentModule;
 * \`\`\`
 */
export interface AgentModule {
  /** The version of this interface that the module is written for. Default: the program's. */
  readonly apiVersion?: 1;
  describe?(): { readonly name: string; readonly description: string };
  /** Runs once, before anything else of the module but \`describe\`. */
  initialize?(context: ModuleContext): Promise<void>;
  /** Tools for the model: a list, or an object whose tools may change while the module runs. */
  tools?(): AgentTool[] | ChangingTools;
  /** A section of the system prompt. */
  systemPrompt?(): string;
  /** Runs once all modules are initialized. */
  start?(): Promise<void>;
  /**
   * Releases what the module has opened. Always called once, also after \`initialize\` has failed. The program waits for it, 5 s at most; it
   * must not wait for a prompt.
   */
  stop?(): void | Promise<void>;
  /** Can return a text that the model receives after the user's message, or deny the prompt: no model receives it, and the user sees the reason. */
  beforePrompt?(event: BeforePromptEvent): HookAnswer<{ readonly context: string } | { readonly deny: string }>;
  /** Can deny the call: it does not run, and the model receives the reason. */
  beforeTool?(event: BeforeToolEvent): HookAnswer<{ readonly deny: string }>;
  /** Can return a text that the model receives after the results. */
  afterTool?(event: AfterToolEvent): HookAnswer<{ readonly context: string }>;
  /** Can let the model continue: it receives the text. Limits of the prompt still end it. */
  beforeEnd?(event: BeforeEndEvent): HookAnswer<{ readonly continue: string }>;
  /** Can answer the question with no. The user may answer at the same time. */
  onQuestion?(event: QuestionEvent): HookAnswer<{ readonly deny: string }>;
  afterPrompt?(event: AfterPromptEvent): HookAnswer<never>;
}
`;
