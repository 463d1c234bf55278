import { sha256, whenAborted } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  type AskingCall,
  answerText,
  type Cost,
  errorResult,
  type PromptOutcome,
  type Question,
  type ToolContext,
  type ToolResult,
} from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { type StepGate, type UsageLine, workMark } from "@mdx-ai/sessions";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { RunningAgent, Session } from "../types/session.ts";
import type { ParentCall } from "../types/subagent.ts";
import type { CallingPrompt } from "./calling-prompt.ts";

export interface AgentCallOptions {
  /** The name of the called agent. */
  readonly agent: string;
  /** The session that it works in. */
  readonly session: string;
  readonly prompt: CallingPrompt;
  /** The call. */
  readonly context: CallContext;
}

interface CallContext extends Pick<ToolContext, "callId" | "cwd" | "signal"> {
  readonly asking?: AskingCall;
  update?(line: string): void;
}

/** The id of the session for a call. It is the same if the call is repeated after a crash, so that the session then continues. */
export function sessionFor({ session }: CallingPrompt, { asking, callId }: CallContext): string {
  const { id, key } = session;
  const call = sha256(`${key} ${asking?.id} ${callId}`);
  return `${id.slice(0, MAX_NAME)}${workMark(key)}${call.slice(0, 8)}`;
}

/** One call of an agent: a prompt in a session of its own. */
export class AgentCall implements ParentCall, RunningAgent {
  readonly session: string;
  readonly agent: string;
  readonly #options: AgentCallOptions;
  readonly #stop = new AbortController();
  #key = "";
  #session: Session | undefined;
  #line = "";
  #reason: string | undefined;

  constructor(options: AgentCallOptions) {
    this.#options = options;
    this.agent = options.agent;
    this.session = options.session;
  }

  /** The last line that it said or did, for people. */
  get line(): string {
    return this.#line;
  }

  /** The key of its session; "" before its prompt begins. */
  get sessionKey(): string {
    return this.#key;
  }

  /** The id of the session that called. */
  get caller(): string {
    return this.#options.prompt.session.id;
  }

  get parentKey(): string {
    return this.#options.prompt.session.key;
  }

  get gate(): StepGate {
    return this.#options.prompt.gate;
  }

  get isPriced(): boolean {
    return this.#options.prompt.budget.isPriced;
  }

  /** Stops the prompt. The model of the parent receives the reason. */
  stop(reason = "the user stopped it"): void {
    this.#reason ??= reason;
    this.#stop.abort();
  }

  get isBackground(): boolean {
    return this.#options.context.update === undefined;
  }

  async messages(): Promise<readonly Message[]> {
    return (await this.#session?.messages().catch(() => [])) ?? [];
  }

  begin(sessionKey: string): void {
    this.#key = sessionKey;
  }

  ask(
    { id: _id, session: _session, deadline: _deadline, default: _default, agent, ...subject }: Question,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { prompt, context, agent: name } = this.#options;
    const { session } = prompt;
    const by = agent === undefined ? name : `${name} › ${agent}`;
    const here = { session: session.id, toolCallId: context.callId, agent: by };
    const own = subject.kind === "approval" ? { ...subject, request: { ...subject.request, ...here } } : subject;
    return prompt.questions().askBeside(own, signal, { ...(context.asking && { asking: context.asking }), agent: by });
  }

  spend(line: UsageLine): void {
    const { prompt, agent } = this.#options;
    const { session, prompt: number, budget } = prompt;
    const by = line.agent === undefined ? agent : `${agent} › ${line.agent}`;
    prompt.record({ ...line, session: session.id, prompt: number, agent: by });
    budget.count(line, line.usd);
  }

  ready(signal: AbortSignal): Promise<void> {
    const { prompt, agent, context } = this.#options;
    return prompt.budget.allow({ asking: context.asking, agent }, signal);
  }

  /** Gives the model of the parent a message, with what it cost. */
  deliver(text: string, cost: Cost | undefined): Promise<void> {
    return this.#options.prompt.deliver(text, cost);
  }

  /** Runs the prompt to its end, or continues the one that an earlier process began. */
  async run(session: Session, text: string): Promise<ToolResult> {
    this.#session = session;
    const { prompt, context } = this.#options;
    const { callId, cwd, signal } = context;
    const onAbort = (): void => {
      // A closed agent leaves the prompt as a kill does: the next process continues it.
      if (!(signal.reason instanceof AgentClosedError)) this.stop("it was stopped with the prompt that called it");
    };
    const onLimit = (): void => this.stop("a limit of the calling prompt is reached");
    using _abort = whenAborted(signal, onAbort);
    using _limit = whenAborted(prompt.budget.limitReached, onLimit);
    let end: AgentEnd | undefined;
    for await (const event of session.prompt(text, { key: callId, cwd, isKept: true, signal: this.#stop.signal })) {
      if (event.type === "agent_end") end = event;
      this.#report(event);
    }
    return this.#result(end);
  }

  #report(event: AgentEvent): void {
    const { agent, prompt, context } = this.#options;
    prompt.emit({ type: "subagent_event", toolCallId: context.callId, agent, session: this.session, event });
    const line = lineOf(event);
    if (line === undefined || line === this.#line) return;
    this.#line = line;
    context.update?.(line);
  }

  #result(end: AgentEnd | undefined): ToolResult {
    const details = { agent: this.agent, session: this.session };
    if (end === undefined) return { ...errorResult(this.#reason ?? "the agent's prompt did not run"), details };
    const { cost, outcome, messages } = end;
    const text = answerText(messages);
    if (outcome === "done") return { content: [{ type: "text", text }], details, cost };
    const why = this.#reason ?? ENDINGS[outcome];
    const said = text === "" ? "" : `${text}\n`;
    return { ...errorResult(`${said}[the agent ${this.agent} did not finish: ${why}]`), details, cost };
  }
}

type AgentEnd = Extract<AgentEvent, { type: "agent_end" }>;

const ENDINGS: Readonly<Record<Exclude<PromptOutcome, "done">, string>> = {
  error: "its model failed",
  aborted: "it was stopped",
  limit: "it reached a limit of its own",
};

/** Characters of the parent's session id. */
const MAX_NAME = 80;

/** What an event says about the work of an agent, as a line for people; undefined if nothing. */
function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "tool_execution_start":
      return event.toolName;
    case "message_end":
      return event.message.role === "assistant" ? lastLine(answerText([event.message])) : undefined;
    case "question_asked":
      return "waits for an answer";
    default:
      return undefined;
  }
}

const lastLine = (text: string): string | undefined => text.trim().split("\n").at(-1)?.trim() || undefined;
