import { dataLayout, type Redactor } from "@mdx-ai/base";
import { type AgentEvent, contentText, type PromptObserver } from "@mdx-ai/loop";
import { inputTokens } from "@mdx-ai/models";
import type { AgentLog } from "../log/agent-log.ts";
import { type OldLogs, openOldLogs } from "../log/old-logs.ts";
import type { CurrentOptions } from "./current-agent.ts";
import type { OpenOptions } from "./loaded-agent.ts";
import { type LoggedPrompt, SessionLog, shortText } from "./session-log.ts";

export interface AgentLogsOptions {
  readonly current: CurrentOptions;
  /** The readable log. */
  readonly log: AgentLog;
  readonly redactor: Redactor;
}

/** The logs of an agent in `logs/`, readable and machine-readable, and how long they are kept. */
export class AgentLogs {
  /** The machine-readable logs. */
  readonly sessions: SessionLog;
  readonly #log: AgentLog;
  readonly #redactor: Redactor;
  readonly #onLog: OpenOptions["onLog"];
  readonly #openOld: () => OldLogs | undefined;
  /** Undefined if logs are kept forever. */
  #old: OldLogs | undefined;

  constructor({ current, log, redactor }: AgentLogsOptions) {
    const { ephemeral, dataDirectory, model, clock, onWarning, onLog } = current.loaded.options;
    const directory = ephemeral ? undefined : dataLayout(dataDirectory).logs;
    const days = (): number | undefined => current.loaded.options.directory.definition.settings.logs?.days;
    const sessions = new SessionLog({ directory, model: model.name, clock, redactor, onWarning });
    const written = async (): Promise<void> => {
      await Promise.all([log.settled(), sessions.settled()]);
    };
    this.sessions = sessions;
    this.#log = log;
    this.#redactor = redactor;
    this.#onLog = onLog;
    this.#openOld = () =>
      directory === undefined || days() === undefined
        ? undefined
        : openOldLogs({ directory, clock, onWarning, days, written });
  }

  /** The observers that log a prompt. */
  observers(begun: LoggedPrompt): readonly PromptObserver[] {
    this.#old ??= this.#openOld();
    this.#old?.look();
    const short = (text: string): string => shortText(text, this.#redactor);
    const prompt = `${begun.session}#${begun.prompt}`;
    const send = (event: AgentEvent): void => {
      this.#log.note(() => {
        const line = eventLine(event, short);
        return line && `${prompt} ${line}`;
      });
      const answer = this.#onLog && answerLine(event);
      if (answer) this.#onLog?.(`${prompt} ${answer}`);
    };
    return [{ types: LOGGED, send, fail: () => {} }, this.sessions.begin(begun)];
  }

  /** Resolves when all lines are in their files. Never rejects. */
  async settled(): Promise<void> {
    await this.sessions.settled();
    await this.#log.settled();
    await this.#old?.settled();
  }
}

/** The events that produce a line. */
const LOGGED: ReadonlySet<AgentEvent["type"]> = new Set<AgentEvent["type"]>([
  "prompt_resumed",
  "message_end",
  "tool_execution_start",
  "permission_decided",
  "tool_execution_end",
  "model_retry",
  "request_adapted",
  "model_fallback",
  "context_compacted",
  "limit_reached",
  "agent_end",
]);

/** An event as readable text; undefined for deltas and beginnings. */
function eventLine(event: AgentEvent, short: (text: string) => string): string | undefined {
  switch (event.type) {
    case "prompt_resumed":
      return `${event.isGivenUp ? "closing" : "resuming"} what was ${event.state}: ${short(event.input)}`;
    case "message_end":
      return event.message.role === "toolResult"
        ? undefined
        : `${event.message.role}: ${short(messageLine(event.message))}`;
    case "tool_execution_start":
      return `tool ${event.toolName} ${short(JSON.stringify(event.args))}`;
    case "permission_decided":
      return `tool ${event.toolName} ${event.action === "allow" ? "is allowed" : "is denied"}`;
    case "tool_execution_end":
      return `tool ${event.toolName} ${event.isError ? "failed" : "done"}: ${short(contentText(event.result.content))}`;
    case "model_retry":
      return `asking again in ${event.delay} ms (${event.attempt} of ${event.attempts}): ${short(event.reason)}`;
    case "request_adapted":
      return `asking again: ${event.change} (${short(event.reason)})`;
    case "model_fallback":
      return `${event.from} is unavailable, asking ${event.to}: ${short(event.reason)}`;
    case "context_compacted":
      return `history compacted from ${event.before} to ${event.after} tokens`;
    case "limit_reached":
      return `limit reached: ${event.value} ${event.limit}`;
    case "agent_end":
      return `prompt ${event.outcome}${event.denied === undefined ? "" : `: a hook denied it: ${short(event.denied)}`}`;
    default:
      return undefined;
  }
}

/** The time and tokens of a model answer; undefined for other events. */
function answerLine(event: AgentEvent): string | undefined {
  if (event.type !== "message_end" || event.message.role !== "assistant") return undefined;
  const { provider, model, usage, latency, stopReason, warning } = event.message;
  const time = latency === undefined ? "" : ` after ${latency} ms`;
  return `${provider}/${model} answered${time}: ${inputTokens(usage)} tokens in, ${usage.output} out, ${usage.total} total, ${stopReason}${warning === undefined ? "" : ` (${warning})`}`;
}

type EndedMessage = Extract<AgentEvent, { type: "message_end" }>["message"];

const messageLine = (message: EndedMessage): string =>
  message.role === "assistant" && message.errorMessage
    ? `${message.stopReason}: ${message.errorMessage}`
    : contentText(message.content);
