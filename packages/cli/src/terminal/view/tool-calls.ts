import type { JsonObject } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { type CallText, callText } from "@mdx-ai/directory/views/call-text";
import type { AgentEvent, ToolResult } from "@mdx-ai/loop";
import type { Theme } from "../../output/theme.ts";
import type { Drawing } from "../screen/screen.ts";
import { callResult } from "./call-result.ts";
import { type EndedBlock, endedBlock, runningRows, type ToolBlock } from "./tool-block.ts";
import type { ToolOutput } from "./tool-output.ts";

type Started = Omit<Extract<AgentEvent, { type: "tool_execution_start" }>, "id" | "type">;
type Ended = Extract<AgentEvent, { type: "tool_execution_end" }>;

/** Output rows of a running call, by the number of running calls, which share the screen. */
const tailRows = (calls: number): number => (calls <= 2 ? 5 : calls <= 4 ? 3 : 1);

interface ShownCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly call: CallText;
  /** When it started or the user decided about it, from `performance.now()`. */
  readonly since: number;
  readonly partial?: ToolResult;
  /** Whether the user allowed it, so that a question has shown what it writes. */
  readonly isApproved?: boolean;
  /** Set once it has ended. */
  readonly block?: ToolBlock & { readonly whole: Drawing };
}

export interface ToolCallsOptions {
  readonly theme: Theme;
  readonly output: ToolOutput;
  /** Redacts a text. */
  readonly redact: (text: string) => string;
  /** Receives finished output. */
  readonly append: (drawing: Drawing) => void;
  /** As `performance.now`. */
  readonly now: () => number;
}

/**
 * The tool calls of a prompt in order. A finished call is appended once all calls before it have finished; until then it is drawn among
 * them.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #calls = new Map<string, ShownCall>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** The activity of the first running call; absent if none runs. */
  get activity(): string | undefined {
    const first = [...this.#calls.values()].find(({ block }) => block === undefined);
    return first === undefined ? undefined : runningText(first.name);
  }

  /** Whether a call has started and not ended. */
  has(id: string): boolean {
    const shown = this.#calls.get(id);
    return shown !== undefined && shown.block === undefined;
  }

  start(started: Started): void {
    const { toolCallId, toolName, args } = started;
    const call = callText(started, this.#options.redact);
    this.#calls.set(toolCallId, { name: plainLine(toolName), args, call, since: this.#options.now() });
  }

  /** Called when the user has answered about a call; the time until then does not count. */
  decided(id: string, action: "allow" | "deny"): void {
    const shown = this.#calls.get(id);
    if (shown !== undefined)
      this.#calls.set(id, { ...shown, since: this.#options.now(), isApproved: action === "allow" });
  }

  /** Adds part of a call's result. */
  update(started: Started, partial: ToolResult): void {
    if (!this.#calls.has(started.toolCallId)) this.start(started);
    const shown = this.#calls.get(started.toolCallId);
    if (shown !== undefined) this.#calls.set(started.toolCallId, { ...shown, partial });
  }

  end({ toolCallId, toolName, result, isError }: Ended): void {
    if (!this.#calls.has(toolCallId)) this.start({ toolCallId, toolName, args: {} });
    const shown = this.#calls.get(toolCallId);
    if (shown === undefined) return;
    const { theme, output, redact } = this.#options;
    const { name, args, call, since, isApproved = false } = shown;
    const ended: EndedBlock = {
      name,
      call,
      result: callResult({ call, args, result, isError }, { redact, minus: theme.minus }),
      time: this.#options.now() - since,
      isApproved,
      hint: output.hint,
    };
    const whole: Drawing = (columns) => endedBlock(ended, "whole", theme).drawing(columns);
    this.#calls.set(toolCallId, { ...shown, block: { ...endedBlock(ended, output.mode, theme), whole } });
    this.#appendEnded();
  }

  /** Appends finished calls and drops the others. */
  clear(): void {
    for (const { block } of this.#calls.values()) if (block !== undefined) this.#append(block);
    this.#calls.clear();
  }

  readonly draw: Drawing = (columns) => {
    const { theme, output, redact } = this.#options;
    const now = this.#options.now();
    const rows = tailRows(this.#calls.size);
    return [...this.#calls.values()].flatMap(({ name, call, since, partial, block }) =>
      block === undefined
        ? runningRows({ name, call, partial, time: now - since, rows, redact }, output.mode, theme, columns)
        : block.drawing(columns).slice(0, -1),
    );
  };

  /** Appends finished calls that no running call precedes. */
  #appendEnded(): void {
    for (const [id, { block }] of this.#calls) {
      if (block === undefined) return;
      this.#append(block);
      this.#calls.delete(id);
    }
  }

  #append({ drawing, isShortened, whole }: NonNullable<ShownCall["block"]>): void {
    if (isShortened) this.#options.output.remember(whole);
    this.#options.append(drawing);
  }
}

/** A tool's name as an activity. */
export const runningText = (name: string): string => `running ${plainLine(name)}`;
