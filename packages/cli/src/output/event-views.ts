import { type Environment, type Redactor, shortened } from "@mdx-ai/base";
import { contentText, plainLine, plainText, safeJson, withNewline } from "@mdx-ai/directory/text";
import { callText } from "@mdx-ai/directory/views/call-text";
import { incidentLine, resumedLine } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, type Question, withoutCopies } from "@mdx-ai/loop";
import { createPaint, type Output, type Paint } from "./output.ts";
import { Spinner } from "./spinner.ts";

/** Shows the events of a prompt. */
export interface EventView {
  /** Never throws. */
  show(event: AgentEvent): void;
  /** Writes a message to standard error. */
  note(message: string): void;
  /** Shows the answer to a prompt that the user did not send. Does nothing if the events already show it. */
  showAnswer(text: string): void;
  /** Shows the usage and cost of the prompt. Does nothing if the events already show them. */
  showUsage(line: string): void;
  /** Removes transient output; may be called twice. */
  end(): void;
}

/** Where events are written, and which are omitted. */
export interface JsonViewOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly keys: Redactor;
}

/** Writes every event as a line of JSON to standard output. An update contains only the new part of the message. */
export const createJsonView = ({ stdout, stderr, keys }: JsonViewOptions): EventView => ({
  show: (event) => stdout.write(`${safeJson(keys.json(withoutCopies(event)))}\n`),
  note: (message) => stderr.write(`mdx-ai: ${plainLine(message)}\n`),
  showAnswer() {},
  showUsage() {},
  end() {},
});

type ToolStart = Extract<AgentEvent, { type: "tool_execution_start" }>;

type ToolEnd = Extract<AgentEvent, { type: "tool_execution_end" }>;

const ARGUMENTS_WIDTH = 100;
const RESULT_WIDTH = 100;
/** The spinner's line must not wrap, or its first row could not be erased. */
const SPINNER_WIDTH = 40;

type QuestionHint = (question: Question) => string | undefined;

/** Shows tool activity on standard error, animated and coloured only on a terminal. The caller prints the answer. */
export class TextView implements EventView {
  readonly #stderr: Output;
  readonly #spinner: Pick<Spinner, "show" | "write" | "stop" | "still">;
  readonly #paint: Paint;
  /** Names of running tools by call id. */
  readonly #running = new Map<string, string>();
  /** Ids of refused calls. */
  readonly #refused = new Set<string>();

  readonly #hint: QuestionHint;

  /** `hint` says how to answer questions that cannot be asked here. */
  constructor(stderr: Output, environment: Environment, hint: QuestionHint = () => undefined) {
    this.#stderr = stderr;
    this.#hint = hint;
    this.#spinner = stderr.isTerminal ? new Spinner(stderr, environment) : notAnimated(stderr);
    this.#paint = createPaint(stderr, environment);
  }

  show(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        this.#spinner.show("thinking");
        break;
      case "message_end":
        if (event.message.role === "assistant" && event.message.warning !== undefined)
          this.note(`warning: ${event.message.warning}`);
        break;
      case "tool_execution_start":
        this.#running.set(event.toolCallId, plainLine(event.toolName));
        this.#spinner.write(this.#startLine(event));
        this.#showRunning();
        break;
      case "question_asked": {
        const hint = this.#hint(event.question);
        if (hint !== undefined) this.note(this.#stderr.redacted(hint));
        break;
      }
      case "permission_decided":
        if (event.action === "deny") this.#refused.add(event.toolCallId);
        else this.#spinner.write(`${this.#paint("green", "allowed")} ${plainLine(event.toolName)}\n`);
        break;
      case "tool_execution_end":
        this.#running.delete(event.toolCallId);
        this.#spinner.write(this.#endLine(event));
        this.#showRunning();
        break;
      case "model_retry":
      case "request_adapted":
      case "model_fallback":
      case "context_compacted":
        this.note(incidentLine(event));
        break;
      case "prompt_resumed":
        this.note(resumedLine({ ...event, input: this.#stderr.redacted(event.input) }));
        break;
      case "agent_end":
        this.#spinner.stop();
        for (const text of event.pendingInput ?? []) this.note(`the model did not receive: ${text}`);
        break;
      default:
    }
  }

  /** Pauses output while `work` uses the terminal; settles as `work` does. */
  still<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#spinner.still(work);
  }

  note(message: string): void {
    this.#spinner.write(`mdx-ai: ${plainLine(message)}\n`);
  }

  showAnswer(text: string): void {
    this.#spinner.write(withNewline(plainText(text)));
  }

  showUsage(line: string): void {
    this.#spinner.write(`${this.#paint("dim", `mdx-ai: ${plainLine(line)}`)}\n`);
  }

  end(): void {
    this.#spinner.stop();
  }

  #showRunning(): void {
    const names = [...this.#running.values()];
    this.#spinner.show(names.length === 0 ? "thinking" : cut(names.join(", "), SPINNER_WIDTH));
  }

  #startLine(started: ToolStart): string {
    const { verb, lines } = callText(started, (text) => this.#stderr.redacted(text));
    const [first, ...others] = lines.filter((line) => line.trim() !== "");
    const shown = first === undefined ? "" : ` ${cut(first, ARGUMENTS_WIDTH)}${others.length > 0 ? " …" : ""}`;
    return `${this.#paint("dim", "→")} ${this.#paint("bold", plainLine(verb))}${this.#paint("dim", shown)}\n`;
  }

  #endLine({ toolCallId, toolName, result, isError }: ToolEnd): string {
    const mark = isError ? this.#paint("red", "✗") : this.#paint("green", "✓");
    // A refused call is shown in full, because the advice is at its end.
    const isRefused = this.#refused.delete(toolCallId);
    const shown = isRefused
      ? plainLine(contentText(result.content))
      : firstLine(this.#stderr.redacted(contentText(result.content)));
    return `${mark} ${plainLine(toolName)} ${this.#paint(isRefused ? "yellow" : "dim", shown)}\n`;
  }
}

/** Replaces the spinner where nothing is animated, and where no question can be disturbed. */
const notAnimated = (output: Output): Pick<Spinner, "show" | "write" | "stop" | "still"> => ({
  show() {},
  write: (text) => output.write(text),
  stop() {},
  still: (work) => work(),
});

/** The first non-blank line, marked if more follows. */
function firstLine(text: string): string {
  const [first = "(empty)", ...more] = text.split("\n").filter((line) => line.trim() !== "");
  return cut(first, RESULT_WIDTH) + (more.length > 0 ? " …" : "");
}

const cut = (text: string, width: number): string => shortened(plainLine(text.slice(0, 4 * width)), width);
