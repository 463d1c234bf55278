import { capitalized, contentText, plainLine } from "@mdx-ai/directory/text";
import {
  deniedText,
  failureText,
  type Incident,
  incidentLine,
  limitText,
  promptUsage,
  unknownOutcome,
} from "@mdx-ai/directory/views/prompt-lines";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { contextName } from "@mdx-ai/runtime";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing, Screen } from "../screen/screen.ts";
import { LiveAnswer } from "./live-answer.ts";
import { runningText, ToolCalls } from "./tool-calls.ts";
import type { ToolOutput } from "./tool-output.ts";

const waiting = "waiting";

type PermissionDecided = Extract<AgentEvent, { type: "permission_decided" }>;
type PromptResumed = Extract<AgentEvent, { type: "prompt_resumed" }>;
type PlainEvent = Exclude<AgentEvent, Incident>;

/** The output of a view, and its style. */
export interface PromptViewOptions {
  readonly screen: Pick<Screen, "append" | "refresh" | "rows">;
  readonly theme: Theme;
  /** How to show a user message. */
  readonly said: (text: string) => Drawing;
  /** How much of tool results to show. */
  readonly output: ToolOutput;
  /** Redacts tool arguments and results. Default: no change. */
  readonly redact?: (text: string) => string;
  /** Default: `performance.now`. */
  readonly now?: () => number;
}

/** Shows the events of successive prompts: finished parts are appended to the screen, the rest is `draw`n. */
export class PromptView {
  readonly #screen: PromptViewOptions["screen"];
  readonly #theme: Theme;
  readonly #said: PromptViewOptions["said"];
  readonly #answer: LiveAnswer;
  readonly #tools: ToolCalls;
  /** The error of an incomplete answer; not shown if the request is retried. */
  #failure: string | undefined;
  #hasFailed = false;
  #turns = 0;
  #spent: string | undefined;
  #activity: string | undefined;
  #since = 0;
  readonly #now: () => number;

  constructor(options: PromptViewOptions) {
    this.#screen = options.screen;
    this.#theme = options.theme;
    this.#answer = new LiveAnswer(options);
    const { screen, theme, output, redact = (text) => text, now = () => performance.now() } = options;
    this.#now = now;
    this.#tools = new ToolCalls({ theme, output, redact, now, append: (drawing) => screen.append(drawing) });
    this.#said = options.said;
  }

  /** The current activity in one or two words; absent while no prompt runs. */
  get activity(): string | undefined {
    return this.#activity;
  }

  /** The start of the current activity, from `performance.now()`. */
  get since(): number {
    return this.#since;
  }

  /** The usage and cost of the last prompt; absent while the next one runs, or if it used no tokens. */
  get spent(): string | undefined {
    return this.#spent;
  }

  /** Whether a call has started and not ended. */
  isRunning(toolCallId: string): boolean {
    return this.#tools.has(toolCallId);
  }

  /** The unfinished part. */
  readonly draw: Drawing = (columns) => [...this.#answer.draw(columns), ...this.#tools.draw(columns)];

  show(event: AgentEvent): void {
    this.#handle(event);
    this.#screen.refresh();
  }

  /** Called when a prompt was sent that has no events yet. */
  wait(): void {
    this.begin(waiting);
  }

  /** Shows an activity without events until `rest`. */
  begin(activity: string): void {
    if (this.#activity === undefined) this.#since = this.#now();
    this.#activity = activity;
    this.#spent = undefined;
  }

  rest(): void {
    this.#activity = undefined;
    this.#screen.refresh();
  }

  /** Stops waiting for a prompt whose events must not be shown. Does nothing once they have arrived. */
  takeBack(): void {
    if (this.#activity === waiting) {
      this.#activity = undefined;
      this.#append(this.#theme.warning("Stopped"));
    }
  }

  /** Shows why a prompt ended without events, and clears live output. */
  fail(message: string): void {
    this.#showFailure();
    this.#answer.end();
    this.#tools.clear();
    this.#activity = undefined;
    this.#append(this.#theme.failure(drawable(message)));
  }

  #handle(event: AgentEvent): void {
    switch (event.type) {
      case "model_retry":
      case "request_adapted":
      case "model_fallback":
      case "context_compacted":
        this.#failure = undefined;
        this.#append(this.#theme.warning(drawable(incidentLine(event))));
        this.#activity = "thinking";
        return;
      default:
        this.#showFailure();
        this.#handlePlain(event);
    }
  }

  #handlePlain(event: PlainEvent): void {
    switch (event.type) {
      case "prompt_resumed":
        this.#append(this.#theme.warning(drawable(resumption(event))));
        return;
      case "agent_start":
        this.#hasFailed = false;
        this.#turns = 0;
        this.begin("thinking");
        return;
      case "turn_start":
        this.#activity = "thinking";
        return;
      case "message_start":
        this.#startMessage(event.message);
        return;
      case "message_update":
        this.#activity = this.#answer.update(event.assistantMessageEvent) ?? this.#activity;
        return;
      case "message_end":
        this.#endMessage(event.message);
        return;
      case "tool_execution_start":
        this.#startTool(event);
        return;
      case "permission_decided":
        this.#tools.decided(event.toolCallId, event.action);
        this.#append(decisionText(event, this.#theme));
        return;
      case "tool_execution_update":
        this.#tools.update(event, event.partialResult);
        return;
      case "tool_execution_end":
        this.#endTool(event);
        return;
      case "turn_end":
        this.#turns++;
        return;
      case "limit_reached":
        this.#append(this.#theme.warning(capitalized(limitText(event))));
        return;
      case "agent_end":
        this.#endPrompt(event);
        return;
    }
  }

  #startMessage(message: Message): void {
    // The user chose the mode.
    if (message.role !== "user" || message.origin === "mode") return;
    const { content, origin } = message;
    const skillOf = (block: (typeof content)[number]): string | undefined =>
      origin === undefined || block.type !== "text" ? undefined : contextName(block.text);
    for (const name of content.flatMap((block) => skillOf(block) ?? []))
      this.#append(this.#theme.dim(`skill ${plainLine(name)}`));
    const said = content.filter((block) => skillOf(block) === undefined);
    if (said.length > 0) this.#screen.append(this.#said(contentText(said)));
  }

  #endMessage(message: Message): void {
    if (message.role !== "assistant") {
      return;
    }
    this.#answer.end();
    this.#failure = failureText(message);
    if (message.warning !== undefined) this.#append(this.#theme.warning(drawable(`warning: ${message.warning}`)));
  }

  #showFailure(): void {
    if (this.#failure !== undefined) {
      this.#hasFailed = true;
      this.#append(this.#theme.failure(drawable(this.#failure)));
      this.#failure = undefined;
    }
  }

  #startTool(event: Extract<AgentEvent, { type: "tool_execution_start" }>): void {
    this.#answer.end();
    this.#tools.start(event);
    this.#activity = runningText(event.toolName);
  }

  #endTool(event: Extract<AgentEvent, { type: "tool_execution_end" }>): void {
    this.#tools.end(event);
    this.#activity = this.#tools.activity ?? "thinking";
  }

  #endPrompt(event: Extract<AgentEvent, { type: "agent_end" }>): void {
    this.#answer.end();
    this.#tools.clear();
    this.#activity = undefined;
    this.#spent = promptUsage(event.cost, this.#turns, this.#now() - this.#since);
    if (event.outcome === "aborted") {
      this.#append(this.#theme.warning("Stopped"));
    } else if (event.outcome === "error" && !this.#hasFailed) {
      const why = event.denied === undefined ? "the prompt failed" : plainLine(deniedText(event.denied));
      this.#append(this.#theme.failure(capitalized(why)));
    }
  }

  #append(text: string): void {
    this.#screen.append((columns) => [...wrapped(text, columns), ""]);
  }
}

function decisionText({ toolName, action }: PermissionDecided, theme: Theme): string {
  const name = plainLine(toolName);
  return action === "allow" ? theme.success(`Allowed: ${name}`) : theme.warning(`Not permitted: ${name}`);
}

/** The user's input is shown below it. */
function resumption({ state, tools, isGivenUp }: PromptResumed): string {
  const unknown = tools.length === 0 ? "" : ` (${unknownOutcome(tools)})`;
  return `${isGivenUp ? "Closing" : "Resuming"} what was ${state === "queued" ? "in the queue" : "interrupted"}${unknown}`;
}
