import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const TOOLS =
  toolText("shout", "ctx.update('thinking'); return params.text!.toUpperCase();") +
  toolText("fail", 'throw new Error("broken");');

const REPLIES = [
  {
    text: "Let me see.",
    calls: [
      { id: "a", name: "shout", arguments: { text: "hi" } },
      { id: "b", name: "fail", arguments: {} },
    ],
  },
  { deltas: ["It ", "said ", "HI"] },
];

/** The events of a prompt with two turns and two tool calls. */
async function eventsOfPrompt(): Promise<readonly AgentEvent[]> {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + TOOLS });
  using scripts = temporaryDirectory();
  const agent = await openAgent({
    directory: await readAgentDirectory(directory.path),
    model: await openModel(scriptReference(scripts.path, REPLIES), { environment: {} }),
    cwd: directory.path,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });
  const events = await Array.fromAsync(agent.session().prompt("Shout hi"));
  await agent.close();
  return events;
}

const events = await eventsOfPrompt();
const of = <Type extends AgentEvent["type"]>(type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

test("agent_start is first and agent_end last, with all messages of the prompt and its outcome", () => {
  expect(events[0]).toEqual({ type: "agent_start", promptId: expect.any(String), id: "1.1" });
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  expect(of("agent_end").map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ["user", "assistant", "toolResult", "toolResult", "assistant"],
  ]);
});

test("each turn is one model call and its tools: turn_end holds the answer and the results in the order of the calls", () => {
  expect(of("turn_start")).toHaveLength(2);
  expect(of("turn_end")).toMatchObject([
    {
      message: { role: "assistant", content: [{ text: "Let me see." }, { id: "a" }, { id: "b" }] },
      toolResults: [
        { toolCallId: "a", isError: false },
        { toolCallId: "b", isError: true },
      ],
    },
    { message: { role: "assistant", ...text("It said HI") }, toolResults: [] },
  ]);
});

test("message_update brings an answer piece by piece between its message_start and its message_end", () => {
  const last = events.slice(events.findLastIndex(({ type }) => type === "turn_start") + 1, -2);
  expect(last[0]).toMatchObject({ type: "message_start", message: { role: "assistant" } });
  expect(last.at(-1)).toMatchObject({ type: "message_end", message: text("It said HI") });
  const deltas = last.slice(1, -1).flatMap((event) => {
    expect(event.type).toBe("message_update");
    const piece = event.type === "message_update" ? event.assistantMessageEvent : undefined;
    return piece?.type === "text_delta" ? [piece.delta] : [];
  });
  expect(deltas).toEqual(["It ", "said ", "HI"]);
});

test("tool_execution_start has the tool's name and arguments, tool_execution_end its result and whether it is an error", () => {
  expect(of("tool_execution_start")).toMatchObject([
    { type: "tool_execution_start", toolCallId: "a", toolName: "shout", args: { text: "hi" } },
    { type: "tool_execution_start", toolCallId: "b", toolName: "fail", args: {} },
  ]);
  const ends = of("tool_execution_end").toSorted((left, right) => left.toolCallId.localeCompare(right.toolCallId));
  expect(ends).toMatchObject([
    { toolCallId: "a", toolName: "shout", result: text("HI"), isError: false },
    {
      toolCallId: "b",
      toolName: "fail",
      result: { content: [{ type: "text", text: expect.stringMatching(/^broken \(agent\.mdx:/) }] },
      isError: true,
    },
  ]);
});

test("tool_execution_update has a part of the result, between the start and the end of its call", () => {
  const call = { toolCallId: "a", toolName: "shout" };
  expect(of("tool_execution_update")).toEqual([
    { type: "tool_execution_update", ...call, args: { text: "hi" }, partialResult: text("thinking") },
  ]);
  const order = events.flatMap((event) => ("toolCallId" in event && event.toolCallId === "a" ? event.type : []));
  expect(order).toEqual(["tool_execution_start", "tool_execution_update", "tool_execution_end"]);
});
