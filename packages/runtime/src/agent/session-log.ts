import { lineText, noRedactor, type Redactor, shortened } from "@mdx-ai/base";
import { type AgentEvent, contentText, type PromptObserver } from "@mdx-ai/loop";
import { type AssistantMessage, inputTokens, type UserMessage } from "@mdx-ai/models";
import { isMcpToolName } from "@mdx-ai/parser/mcp-tool-name";
import type { OpenedSession } from "@mdx-ai/sessions";
import type { LogOptions } from "../log/agent-log.ts";
import { SessionLogFiles } from "../log/session-log-files.ts";
import { type SessionRecord, sessionRecord } from "../log/session-record.ts";
import type { CommandNote } from "../types/session.ts";

export interface SessionLogOptions extends Omit<LogOptions, "directory"> {
  /** The folder of the logs. Absolute. Undefined for an ephemeral agent. */
  readonly directory: string | undefined;
  /** The name of the agent's model. */
  readonly model: string;
}

/** A prompt that begins. */
export interface LoggedPrompt {
  /** The id of its session. */
  readonly session: string;
  /** Its number. */
  readonly prompt: number;
  /** Whether an earlier process began it. */
  readonly isResumed: boolean;
}

type Fields = Pick<SessionRecord, "event" | "actor"> & Partial<SessionRecord>;

/**
 * The machine-readable logs, `logs/<session>.jsonl`. Reads and writes nothing before the first entry. No method
 * blocks on the disk, throws or rejects.
 */
export class SessionLog {
  readonly #files: SessionLogFiles | undefined;
  readonly #options: SessionLogOptions;
  /** Sessions that this process has logged. */
  readonly #started = new Set<string>();

  constructor(options: SessionLogOptions) {
    const { directory } = options;
    this.#files = directory === undefined ? undefined : new SessionLogFiles({ ...options, directory });
    this.#options = options;
  }

  /** Called before a prompt runs or is resumed. */
  begin({ session, prompt, isResumed }: LoggedPrompt): PromptObserver {
    if (!this.#started.has(session)) this.#start(session);
    if (isResumed) this.#files?.continue(session, prompt);
    const { clock, redactor = noRedactor } = this.#options;
    const note = (fields: () => Fields): void => this.#note({ session_id: session, turn: prompt }, fields);
    // The start times of a resumed prompt's tools are unknown.
    return new FiledPromptLog(note, { redactor, now: isResumed ? undefined : () => clock.now() });
  }

  /** Logs a command that was answered without the model. */
  note({ id, lastPrompt }: OpenedSession, { name, input, output }: CommandNote): void {
    if (!this.#started.has(id)) this.#start(id);
    const fields: Fields = { event: "tool_result", actor: "tool", tool_name: name, input, output };
    this.#note({ session_id: id, turn: lastPrompt }, () => fields);
  }

  /** Keeps the log of an archived session and begins a new one. The number is the session's last prompt. */
  clear({ id }: OpenedSession, lastPrompt: number): void {
    this.#note({ session_id: id, turn: lastPrompt }, () => ({ event: "session_clear", actor: "user" }));
    this.#files?.setAside(id, this.#options.clock.now());
    this.#start(id);
  }

  /** Resolves when all records are in their files. */
  async settled(): Promise<void> {
    await this.#files?.settled();
  }

  #start(id: string): void {
    this.#started.add(id);
    const { model } = this.#options;
    this.#note({ session_id: id, turn: 0 }, () => ({ event: "session_start", actor: "system", model }));
  }

  #note(place: Pick<SessionRecord, "session_id" | "turn">, fields: () => Fields): void {
    if (this.#files === undefined) return;
    const time = this.#options.clock.now();
    this.#files.note(place.session_id, () => sessionRecord(time, { level: "INFO", ...place, ...fields() }));
  }
}

type ToolStart = Extract<AgentEvent, { type: "tool_execution_start" }>;
type EndedMessage = Extract<AgentEvent, { type: "message_end" }>["message"];
type ToolEnd = Extract<AgentEvent, { type: "tool_execution_end" }>;

interface PromptLogMeans {
  readonly redactor: Redactor;
  readonly now: (() => number) | undefined;
}

const FILED: ReadonlySet<AgentEvent["type"]> = new Set<AgentEvent["type"]>([
  "message_end",
  "tool_execution_start",
  "tool_execution_end",
  "limit_reached",
  "agent_end",
]);

class FiledPromptLog implements PromptObserver {
  readonly types = FILED;
  readonly #note: (fields: () => Fields) => void;
  readonly #redactor: Redactor;
  readonly #now: (() => number) | undefined;
  /** The start times of calls by id; undefined if several calls share an id, as with some models. */
  readonly #calls = new Map<string, number | undefined>();

  constructor(note: (fields: () => Fields) => void, { redactor, now }: PromptLogMeans) {
    this.#note = note;
    this.#redactor = redactor;
    this.#now = now;
  }

  send(event: AgentEvent): void {
    switch (event.type) {
      case "message_end":
        this.#message(event.message);
        break;
      case "tool_execution_start":
        this.#call(event);
        break;
      case "tool_execution_end":
        this.#result(event);
        break;
      case "limit_reached":
        this.#note(() => ({ ...ERROR, level: "WARNING", error: `limit reached: ${event.value} ${event.limit}` }));
        break;
      case "agent_end": {
        const last = event.messages.at(-1);
        if (last?.role !== "assistant" || last.stopReason === "aborted") break;
        const { model, errorMessage: error } = last;
        if (error !== undefined) this.#note(() => ({ ...ERROR, model, error }));
        break;
      }
      default:
        break;
    }
  }

  fail(error: unknown): void {
    this.#note(() => ({ ...ERROR, error: lineText(error) }));
  }

  #message(message: EndedMessage): void {
    if (message.role === "user") this.#note(() => userFields(message));
    if (message.role === "assistant") this.#note(() => assistantFields(message));
  }

  #call({ toolCallId, toolName, args }: ToolStart): void {
    this.#calls.set(toolCallId, this.#calls.has(toolCallId) ? undefined : this.#now?.());
    const event = isMcpToolName(toolName) ? "mcp_call" : "tool_call";
    this.#note(() => ({ event, actor: "assistant", tool_name: toolName, input: args }));
  }

  #result({ toolCallId, toolName, result, isError }: ToolEnd): void {
    const began = this.#calls.get(toolCallId);
    const now = this.#now?.();
    this.#calls.delete(toolCallId);
    this.#note(() => {
      const output = contentText(result.content);
      return {
        event: isMcpToolName(toolName) ? "mcp_result" : "tool_result",
        actor: "tool",
        tool_name: toolName,
        output,
        ...(isError && { level: "WARNING", error: shortText(output, this.#redactor) }),
        ...(began !== undefined && now !== undefined && { latency_ms: Math.max(0, now - began) }),
      };
    });
  }
}

const ERROR = { event: "error", actor: "system", level: "ERROR" } as const;

const userFields = ({ content }: UserMessage): Fields => ({
  event: "user_message",
  actor: "user",
  input: contentText(content),
});

/** Also for a failed attempt: it may have a cost, and no other line records it. */
function assistantFields({ content, model, usage, latency, errorMessage }: AssistantMessage): Fields {
  return {
    event: "assistant_message",
    actor: "assistant",
    model,
    output: contentText(content),
    prompt_tokens: inputTokens(usage),
    completion_tokens: usage.output,
    thinking_tokens: usage.thinking,
    ...(latency !== undefined && { latency_ms: latency }),
    ...(errorMessage !== undefined && { level: "WARNING", error: errorMessage }),
  };
}

/** The maximum characters of a text in a log, if the whole text is stored elsewhere. */
const MAX_LENGTH = 200;

/** The beginning of a text for a log. Redacts before it cuts: half a key would not be recognised. */
export function shortText(text: string, redactor: Redactor = noRedactor): string {
  return shortened(redactor.text(text), MAX_LENGTH);
}
