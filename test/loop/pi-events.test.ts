import { describe, expect, test } from "bun:test";
import type { AgentEvent, AgentTool } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { runLoop } from "../support/loop-run.ts";
import { runPi, type ToolBehaviours } from "../support/pi-agent.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Case {
  readonly name: string;
  readonly replies: readonly Reply[];
  readonly tools?: () => ToolBehaviours;
  /** Aborts when a tool of this name starts. */
  readonly abortAt?: string;
  readonly maxTurns?: number;
}

const call = (id: string, name: string, args: Record<string, string | number> = { text: "x" }) => ({
  id,
  name,
  arguments: args,
});

/** "slow" ends when "fast" has, whatever the machine does. */
function slowAndFast(): ToolBehaviours {
  const fastEnded = Promise.withResolvers<void>();
  return {
    slow: async () => {
      await fastEnded.promise;
      await Bun.sleep(5);
      return "slow done";
    },
    fast: async () => {
      fastEnded.resolve();
      return "fast done";
    },
  };
}

const untilAborted: ToolBehaviours = {
  wait: async (signal) => {
    if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    throw new Error("aborted");
  },
};

const SAME: readonly Case[] = [
  { name: "text", replies: [{ text: "Hello" }] },
  { name: "thinking", replies: [{ thinking: "Hm.", text: "Hello" }] },
  {
    name: "two parallel tools, the slow one first",
    replies: [{ text: "Both", calls: [call("1", "slow"), call("2", "fast")] }, { text: "Done" }],
    tools: slowAndFast,
  },
  { name: "an unknown tool", replies: [{ calls: [call("1", "nothing")] }, { text: "Sorry" }] },
  {
    name: "an unknown tool before a known one",
    replies: [{ calls: [call("1", "nothing"), call("2", "echo")] }, { text: "Sorry" }],
  },
  { name: "invalid arguments", replies: [{ calls: [call("1", "echo", { wrong: 1 })] }, { text: "Sorry" }] },
  { name: "a throwing tool", replies: [{ calls: [call("1", "fail")] }, { text: "Sorry" }] },
  {
    name: "a tool that tells parts of its result",
    replies: [{ calls: [call("1", "parts")] }, { text: "Done" }],
    tools: () => ({
      parts: async (_signal, update) => {
        update("one");
        await Bun.sleep(1);
        update("two");
        return "three";
      },
    }),
  },
  { name: "a model error", replies: [{ error: { message: "overloaded", status: 400 } }] },
  {
    name: "an abort in a tool",
    replies: [{ calls: [call("1", "wait")] }, { text: "never" }],
    tools: () => untilAborted,
    abortAt: "wait",
  },
];

const defaultTools = (): ToolBehaviours => ({
  echo: async () => "echo",
  fail: async () => {
    throw new Error("no");
  },
});

describe("the events of pi-agent-core, in the same order", () => {
  test.each(SAME)("$name", async (script) => {
    expect(await ours(script)).toEqual(await pis(script));
  });
});

describe("on purpose otherwise than pi-agent-core", () => {
  test("the turn limit ends a prompt after its last turn, with an event that pi does not have", async () => {
    const replies = Array.from({ length: 3 }, (_, index) => ({ calls: [call(`${index}`, "echo")] }));
    const events = await ours({ name: "limit", replies, maxTurns: 2 });
    expect(events.slice(-3)).toEqual(["turn_end", "limit_reached", "agent_end"]);
    const unlimited = await pis({ name: "limit", replies: [...replies.slice(0, 2), { text: "Done" }] });
    expect(events.slice(0, -2)).toEqual(unlimited.slice(0, events.length - 2));
  });
});

async function ours(script: Case): Promise<string[]> {
  using directory = temporaryDirectory();
  const model = await openModel(scriptReference(directory.path, script.replies), { environment: {} });
  const abort = new AbortController();
  const names: string[] = [];
  const emit = (event: AgentEvent): void => {
    names.push(eventName(event));
    if (event.type === "tool_execution_start" && event.toolName === script.abortAt) setTimeout(() => abort.abort(), 5);
  };
  const tools = Object.entries((script.tools ?? defaultTools)()).map(ourTool);
  await runLoop({
    models: [model],
    tools,
    signal: abort.signal,
    plan: { limits: { turns: script.maxTurns ?? 50 } },
    emit,
  });
  return names;
}

const ourTool = ([name, behave]: [string, ToolBehaviours[string]]): AgentTool => ({
  name,
  description: name,
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: (_args, context) => behave(context.signal, context.update),
});

async function pis(script: Case): Promise<string[]> {
  const names: string[] = [];
  await runPi({
    replies: script.replies,
    tools: (script.tools ?? defaultTools)(),
    onEvent: (event, abort) => {
      // pi declares its tools with a message of its own, which no document of its events names.
      if ("message" in event && event.message.role === "system") return;
      names.push(eventName(event));
      if (event.type === "tool_execution_start" && event.toolName === script.abortAt) setTimeout(abort, 5);
    },
  });
  return names;
}

interface AnyEvent {
  readonly type: string;
  readonly message?: { readonly role?: string };
  readonly assistantMessageEvent?: { readonly type: string };
  readonly toolCallId?: string;
  readonly isError?: boolean;
}

/** What is compared of an event: its type, whose message it is, what it updates, which tool call and whether it failed. */
const eventName = ({ type, message, assistantMessageEvent, toolCallId, isError }: AnyEvent): string =>
  [type, type.startsWith("message") && message?.role, assistantMessageEvent?.type, toolCallId, isError && "error"]
    .filter((part) => typeof part === "string")
    .join(" ");
