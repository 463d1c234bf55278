import { describe, expect, test } from "bun:test";
import type { AgentEvent, AssistantMessageEvent } from "@mdx-ai/loop";
import type { AssistantMessage, StopReason } from "@mdx-ai/models";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import type { Drawing } from "./screen/screen.ts";
import { inBackground, recalled } from "./view/lines.ts";
import { PromptView } from "./view/prompt-view.ts";
import { ToolOutput } from "./view/tool-output.ts";

interface Shown {
  readonly view: PromptView;
  /** What is in the scrollback, as plain text. */
  finished(columns?: number): string;
  live(columns?: number): string;
}

function shown(
  events: readonly AgentEvent[],
  options: {
    said?: (text: string, theme: Theme) => Drawing;
    environment?: Record<string, string>;
    output?: ToolOutput;
    now?: () => number;
  } = {},
): Shown {
  const finished: Drawing[] = [];
  const screen = {
    append: (drawing: Drawing) => void finished.push(drawing),
    refresh: () => undefined,
    rows: () => 24,
  };
  const theme = themeOf(options.environment ?? { NO_COLOR: "1" });
  const said = options.said ?? inBackground;
  const { output = new ToolOutput(), now = () => 0 } = options;
  const view = new PromptView({ screen, theme, output, now, said: (text) => said(text, theme) });
  for (const event of events) {
    view.show(event);
  }
  return {
    view,
    finished: (columns = 80) => finished.flatMap((drawing) => drawing(columns)).join("\n"),
    live: (columns = 80) => view.draw(columns).join("\n"),
  };
}

function message(stopReason: StopReason = "stop", errorMessage?: string): AssistantMessage {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };
  const content = [{ type: "text", text: "Hello" }] as const;
  const base = { role: "assistant", content, provider: "p", model: "m", usage, stopReason, timestamp: 0 } as const;
  return errorMessage === undefined ? base : { ...base, errorMessage };
}

const partial = message();
const update = (assistantMessageEvent: AssistantMessageEvent): AgentEvent => ({
  type: "message_update",
  message: partial,
  assistantMessageEvent,
  step: "model:1",
  index: 0,
});
const delta = (text: string): AgentEvent => update({ type: "text_delta", contentIndex: 0, delta: text, partial });
const ended = (stopReason: StopReason, errorMessage?: string): AgentEvent => ({
  type: "message_end",
  message: message(stopReason, errorMessage),
});
const call = { toolCallId: "c1", toolName: "look", args: { city: "Wien" } } as const;
const resultOf = (text: string) => ({ content: [{ type: "text", text }] }) as const;
const toolEnd = (text: string, isError = false): AgentEvent => ({
  type: "tool_execution_end",
  toolCallId: "c1",
  toolName: "look",
  result: resultOf(text),
  isError,
});
const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };
const agentEnd = (outcome: "done" | "error" | "aborted" | "limit", input = 0): AgentEvent => ({
  type: "agent_end",
  messages: [],
  outcome,
  cost: { usage: { ...nothing, input, total: input }, usd: input / 1000, unpriced: 0, calls: 1, latency: 1500 },
});
const turnEnd: AgentEvent = { type: "turn_end", message: message(), toolResults: [] };
const retry: AgentEvent = { type: "model_retry", attempt: 1, attempts: 2, delay: 2000, reason: "p answered 529" };

describe("the view of a prompt", () => {
  test("shows text as it arrives and keeps it when it is finished", () => {
    const first = shown([{ type: "agent_start", promptId: "p" }, delta("Hel"), delta("lo")]);
    expect([first.live(), first.finished(), first.view.activity]).toEqual(["Hello", "", "answering"]);
    const second = shown([{ type: "agent_start", promptId: "p" }, delta("Hello"), ended("stop"), agentEnd("done")]);
    expect([second.live(), second.finished(), second.view.activity]).toEqual(["", "Hello\n", undefined]);
  });

  test("moves finished paragraphs away while the answer continues", () => {
    const { live, finished } = shown([delta("one\n\ntwo\n\nth"), delta("ree")]);
    expect([finished(), live()]).toEqual(["one\n", "two\n\nthree"]);
  });

  test("shows a text that comes without deltas once", () => {
    const { live, finished } = shown([
      update({ type: "text_start", contentIndex: 0, partial }),
      update({ type: "text_end", contentIndex: 0, content: "all at once", partial }),
      ended("stop"),
    ]);
    expect([finished(), live()]).toEqual(["all at once\n", ""]);
  });

  test("shows a text that came in deltas once", () => {
    const { finished } = shown([
      delta("once"),
      update({ type: "text_end", contentIndex: 0, content: "once", partial }),
      ended("stop"),
    ]);
    expect(finished()).toBe("once\n");
  });

  test("shows thoughts while they come and then how long they were", () => {
    const thinking = update({ type: "thinking_delta", contentIndex: 0, delta: "let me see", partial });
    expect(shown([thinking]).live()).toBe("  let me see");
    expect(shown([thinking, delta("x")]).finished()).toBe("(thought, 3 words) (Ctrl+O)\n");
    const redacted = update({ type: "thinking_end", contentIndex: 0, content: "", partial });
    expect(shown([redacted, delta("x")]).finished()).toBe("");
  });

  test("shows the whole of a thought on demand, and with full output at once", () => {
    const thinking = update({ type: "thinking_delta", contentIndex: 0, delta: "let me\nsee", partial });
    const output = new ToolOutput();
    shown([thinking, delta("x")], { output });
    expect(output.expand()?.(80)).toEqual(["  let me", "  see", ""]);
    output.choose("full");
    expect(shown([thinking, delta("x")], { output }).finished()).toBe("(thought, 3 words)\n  let me\n  see\n");
    expect(output.expand()).toBeUndefined();
  });

  test("shows the time that passed with tools, not the model's", () => {
    let time = 0;
    const events: AgentEvent[] = [
      { type: "agent_start", promptId: "p" },
      { type: "tool_execution_start", ...call },
    ];
    const { view } = shown(events, { now: () => time });
    time = 150;
    for (const event of [toolEnd("sunny"), turnEnd, agentEnd("done", 1234)]) view.show(event);
    expect(view.spent).toMatch(/, 0\.[12] s$/);
  });

  test("shows a running tool with its arguments, and then its result", () => {
    const start: AgentEvent = { type: "tool_execution_start", ...call };
    const running = shown([start]);
    expect([running.live(), running.view.activity]).toEqual(['● look {"city":"Wien"}', "running look"]);
    const done = shown([start, toolEnd("sunny")]);
    expect([done.live(), done.finished()]).toEqual(["", '● look {"city":"Wien"}\n  sunny\n']);
  });

  test("shows what a running tool has given so far", () => {
    const { live } = shown([{ type: "tool_execution_update", ...call, partialResult: resultOf("10 %") }]);
    expect(live()).toBe('● look {"city":"Wien"}\n  10 %');
  });

  test("keeps parallel calls in their places, and appends each when those before it have ended", () => {
    const start = (id: string): AgentEvent => ({
      type: "tool_execution_start",
      toolCallId: id,
      toolName: "bash",
      args: { command: `run ${id}` },
      label: { kind: "command", verb: "$" },
    });
    const end = (id: string, text: string): AgentEvent => ({
      type: "tool_execution_end",
      toolCallId: id,
      toolName: "bash",
      result: resultOf(text),
      isError: false,
    });
    const part: AgentEvent = {
      type: "tool_execution_update",
      toolCallId: "1",
      toolName: "bash",
      args: {},
      partialResult: resultOf("so far"),
    };
    const { view, live, finished } = shown([start("1"), start("2"), start("3"), part, end("2", "two")]);
    expect(finished()).toBe("");
    expect(live()).toBe("● $ run 1\n  so far\n● $ run 2\n  two\n● $ run 3");
    expect(["1", "2", "3"].map((id) => view.isRunning(id))).toEqual([true, false, true]);
    view.show(end("1", "one"));
    expect(finished()).toBe("● $ run 1\n  one\n\n● $ run 2\n  two\n");
    expect(live()).toBe("● $ run 3");
    view.show(end("3", "three"));
    expect([live(), finished().split("\n").at(-3)]).toEqual(["", "● $ run 3"]);
  });

  test("loses no call that has ended when the prompt ends before others", () => {
    const other = { ...call, toolCallId: "c0" };
    const starts = [other, call].map((one): AgentEvent => ({ type: "tool_execution_start", ...one }));
    const { live, finished } = shown([...starts, toolEnd("sunny"), agentEnd("aborted")]);
    expect([live(), finished()]).toEqual(["", '● look {"city":"Wien"}\n  sunny\n\nStopped\n']);
  });

  test("remembers the whole of what it shortened, the last first", () => {
    const output = new ToolOutput();
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join("\n");
    shown([toolEnd("short"), toolEnd(`${lines}\nfirst`), toolEnd(`${lines}\nsecond`)], { output });
    const expanded = [output.expand(), output.expand(), output.expand()].map((drawing) => drawing?.(80).at(-2));
    expect(expanded).toEqual(["  second", "  first", undefined]);
  });

  test("shows results as /tool output says, from then on", () => {
    const output = new ToolOutput();
    const { view, finished } = shown([toolEnd("one")], { output });
    expect(output.choose("off")).toStartWith("Tool output is now off");
    view.show(toolEnd("one\ntwo"));
    expect(
      finished()
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual(["● look", "  one", "● look (2 lines)"]);
    expect(output.choose("loud")).toStartWith("Tool output is off");
    output.choose("full");
    view.show(toolEnd("x\n".repeat(50)));
    expect(finished().match(/^ {2}x$/gm)).toHaveLength(50);
  });

  test.each([
    [10, 10, ""],
    [11, 10, "  … 1 more line (Ctrl+O)"],
    [400, 10, "  … 390 more lines (Ctrl+O)"],
  ])("shows of %d lines the first %d and how many more there are", (count, first, more) => {
    const text = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
    const { finished } = shown([toolEnd(`${text}\n`)]);
    const lines = finished().trimEnd().split("\n").slice(1);
    expect(lines.filter((line) => line.startsWith("  line"))).toHaveLength(first);
    expect(lines.slice(first).join("")).toBe(more);
  });

  test.each([
    ["allow", "Allowed: look"],
    ["deny", "Not permitted: look"],
  ] as const)("tells what was decided about a call: %s", (action, line) => {
    const decided: AgentEvent = { type: "permission_decided", toolCallId: "c1", toolName: "look\u001b[2J\n", action };
    const { view, finished } = shown([{ type: "tool_execution_start", ...call }, decided]);
    expect(finished()).toBe(`${line}\n`);
    expect([view.isRunning("c1"), view.isRunning("c2")]).toEqual([true, false]);
    view.show(toolEnd("done"));
    expect(view.isRunning("c1")).toBe(false);
  });

  test("counts the time of a call from the user's answer on", () => {
    let time = 0;
    const { view, finished } = shown([{ type: "tool_execution_start", ...call }], { now: () => time });
    time = 60_000;
    view.show({ type: "permission_decided", toolCallId: "c1", toolName: "look", action: "allow" });
    view.show(toolEnd("done"));
    expect(finished()).toContain('look {"city":"Wien"}\n');
  });

  test("cuts a very long line of a result and very long arguments", () => {
    const args = { text: "👩".repeat(5000) };
    const { finished } = shown([{ type: "tool_execution_start", ...call, args }, toolEnd("x".repeat(100_000))]);
    expect(finished().length).toBeLessThan(1200);
    expect(finished().isWellFormed()).toBe(true);
    expect(finished()).toContain("…");
  });

  test("names an image of a result", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const { finished } = shown([{ type: "tool_execution_end", ...call, result: { content: [image] }, isError: false }]);
    expect(finished()).toContain("[image/png]");
  });

  test.each([
    ["error", "529 overloaded", "The model failed: 529 overloaded"],
    ["length", undefined, "output limit"],
    ["refusal", undefined, "declined"],
    ["contextExceeded", undefined, "/clear"],
  ] as const)("tells plainly that a message ended with %s", (stopReason, errorMessage, told) => {
    expect(shown([delta("so far"), ended(stopReason, errorMessage), agentEnd("error")]).finished()).toMatch(
      new RegExp(`^so far\n\n[\\s\\S]*${told}`),
    );
  });

  test("shows a failure that no message carried", () => {
    expect(shown([{ type: "agent_start", promptId: "p" }, agentEnd("error")]).finished()).toContain("failed");
  });

  test("shows the limit that ended a prompt", () => {
    expect(shown([{ type: "limit_reached", limit: "turns", value: 50 }, agentEnd("limit")]).finished()).toStartWith(
      "Stopped at the limit of 50 turns; allow more with --max-turns N",
    );
  });

  test("shows only that an answer broke off if the model is asked again", () => {
    const { finished, view } = shown([
      { type: "agent_start", promptId: "p" },
      delta("half"),
      ended("error", "p answered 529"),
      retry,
    ]);
    expect(finished()).toBe("half\n\np answered 529; retrying in 2 s (1 of 2)\n");
    expect(view.activity).toBe("thinking");
  });

  test("shows the failure of the last attempt", () => {
    const events = [ended("error", "first"), retry, ended("error", "second"), turnEnd, agentEnd("error")];
    const told = shown([{ type: "agent_start", promptId: "p" }, ...events]).finished();
    expect(told).toContain("The model failed: second");
    expect(told).not.toContain("first");
    expect(told).not.toContain("The prompt failed");
  });

  test("shows a fallback and a summary in a line each, and not that the conversation did not fit", () => {
    const fallback = { type: "model_fallback", from: "a/b", to: "c/d", reason: "503" } as const;
    const summary = { type: "context_compacted", before: 150_000, after: 20_000, measured: "estimate" } as const;
    const { finished } = shown([ended("error", "503"), fallback, ended("contextExceeded"), summary]);
    expect(finished(200).split("\n\n")).toEqual([
      "a/b is unavailable (503); using c/d from now on",
      "older messages are replaced by a summary: a request has 20,000 instead of 150,000 tokens (estimated)\n",
    ]);
  });

  test("keeps the usage of the last prompt until the next one begins", () => {
    const { view } = shown([{ type: "agent_start", promptId: "p" }, turnEnd, turnEnd, agentEnd("done", 1234)]);
    expect(view.spent).toMatch(/^2 turns, 1,234 tokens in, 0 out, 1,234 total, \$1.23, 0(\.\d)? s$/);
    view.wait();
    expect(view.spent).toBeUndefined();
    expect(shown([{ type: "agent_start", promptId: "p" }, turnEnd, agentEnd("done")]).view.spent).toBeUndefined();
  });

  test("shows that a prompt was stopped, and keeps what had arrived", () => {
    const { finished, live } = shown([delta("half"), ended("aborted"), agentEnd("aborted")]);
    expect([finished(), live()]).toEqual(["half\n\nStopped\n", ""]);
  });

  test("shows at once, and once, that a prompt was withdrawn before it began", () => {
    const waiting = shown([]);
    waiting.view.wait();
    expect(waiting.view.activity).toBe("waiting");
    waiting.view.takeBack();
    waiting.view.takeBack();
    expect([waiting.finished(), waiting.view.activity]).toEqual(["Stopped\n", undefined]);
    const begun = shown([{ type: "agent_start", promptId: "p" }]);
    begun.view.takeBack();
    expect([begun.finished(), begun.view.activity]).toEqual(["", "thinking"]);
  });

  test("shows why a prompt could not begin", () => {
    const { view, finished } = shown([]);
    view.wait();
    view.fail("the session is in use");
    expect([finished(), view.activity]).toEqual(["the session is in use\n", undefined]);
  });

  test("shows messages of the user in their own way: background ones in a line, earlier ones in part", () => {
    const text = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join("\n");
    const event: AgentEvent = {
      type: "message_start",
      message: { role: "user", content: [{ type: "text", text: `${text}\n` }], timestamp: 0 },
    };
    expect(shown([event]).finished()).toBe("(in the background) line 1 … 11 more lines\n");
    const told = shown([event], { said: recalled }).finished();
    expect(told).toStartWith("> line 1\n  line 2\n");
    expect(told).toEndWith("  line 10\n  … 2 more lines\n");
  });

  test.each([
    ["interrupted", ["bash"], {}, "Resuming what was interrupted (the outcome of bash is unknown)\n"],
    ["queued", [], {}, "Resuming what was in the queue\n"],
    ["interrupted", [], { isGivenUp: true }, "Closing what was interrupted\n"],
  ] as const)("says that a prompt is resumed that was %s, %j, %j", (state, tools, end, text) => {
    const event = { type: "prompt_resumed", prompt: 1, input: "go", state, tools, ...end } as const;
    expect(shown([event]).finished()).toBe(text);
  });

  test("lets no control sequence of a model or a tool through, and no line over the width", () => {
    const evil = fc.constantFrom(
      "\u001b]0;t\u0007",
      "\u001b[2J",
      "\u009b3J",
      "\u001b",
      "\r",
      "\b",
      "\u001bc",
      "\u0000",
      "\u202e",
    );
    const piece = fc.oneof(
      evil,
      fc.string(),
      fc.constantFrom("\n", "\n\n", "```\n", "- ", "| a | b |\n|--|--|\n", "👩‍👩‍👧‍👦", "日本語", "\t"),
    );
    const start = "\u001b";
    const styles = new RegExp(`${start}\\[[\\d;]*m`, "g");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 2, max: 90 }), (pieces, columns) => {
        const text = pieces.join("");
        const events: AgentEvent[] = [
          ...pieces.map(delta),
          update({ type: "thinking_delta", contentIndex: 1, delta: text, partial }),
          { type: "tool_execution_start", toolCallId: "c1", toolName: text, args: { [text]: text } },
          { type: "tool_execution_update", toolCallId: "c1", toolName: text, args: {}, partialResult: resultOf(text) },
        ];
        const before = shown(events, { environment: {} });
        const after = shown([...events, toolEnd(text), ended("error", text)], { environment: {} });
        const drawn = `${before.live(columns)}\n${before.finished(columns)}\n${after.finished(columns)}`;
        expect(drawn.replace(styles, "")).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
        expect(Math.max(...drawn.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(columns);
        expect(before.view.activity ?? "").not.toMatch(/\p{Cc}/u);
      }),
      randomCases(),
    );
  });
});
