import type { AssistantContent, AssistantMessage, Message, ToolCall, ToolResultMessage } from "../types/message.ts";
import { sentContent } from "./sent-content.ts";
import { toolResultBlock, userBlocks } from "./user-blocks.ts";
import type { WireAssistantBlock, WireMessage, WireUserBlock } from "./wire-message.ts";

/** An answer with all that came after it; the first exchange of a history may have no answer. */
interface Exchange {
  readonly assistant?: AssistantMessage;
  readonly followers: Exclude<Message, AssistantMessage>[];
}

/** Calls with the ids under which they are sent. */
type WireIds = ReadonlyMap<ToolCall, string>;

/**
 * A history as Anthropic accepts it: roles alternate, every tool use is answered in the very next message, results
 * stand first there, no text is empty, ids are unique. What has no place is left out: results that answer nothing, calls
 * and thinking of an answer that broke off. The same history gives the same messages, and a longer one begins with them.
 *
 * A history mostly grows at its end: what was converted for the last request is used again.
 */
export class WireHistory {
  /** The messages of all exchanges that can no longer change: those before the last. */
  #settled: readonly Message[] = [];
  #wire: readonly WireMessage[] = [];
  #takenIds: ReadonlySet<string> = new Set();

  of(messages: readonly Message[]): readonly WireMessage[] {
    if (!this.#settled.every((message, place) => message === messages[place])) this.#forget();
    const start = Math.max(
      0,
      messages.findLastIndex((message) => message.role === "assistant"),
    );
    this.#settle(messages, start);
    return this.#extended(messages.slice(this.#settled.length)).wire;
  }

  #settle(messages: readonly Message[], end: number): void {
    const { wire, takenIds } = this.#extended(messages.slice(this.#settled.length, end));
    this.#wire = wire;
    this.#takenIds = takenIds;
    this.#settled = messages.slice(0, Math.max(end, this.#settled.length));
  }

  #extended(messages: readonly Message[]): { readonly wire: readonly WireMessage[]; readonly takenIds: Set<string> } {
    const wire = [...this.#wire];
    const takenIds = new Set(this.#takenIds);
    for (const { assistant, followers } of exchanges(messages)) {
      const content = assistant === undefined ? [] : sentContent(assistant);
      const calls = content.filter((block) => block.type === "toolCall");
      const ids: WireIds = new Map(calls.map((call) => [call, takeId(call.id, takenIds)]));
      add(wire, { role: "assistant", content: content.map((block) => assistantBlock(block, ids)) });
      add(wire, { role: "user", content: [...resultBlocks(ids, followers), ...inputBlocks(followers)] });
    }
    return { wire, takenIds };
  }

  #forget(): void {
    this.#settled = [];
    this.#wire = [];
    this.#takenIds = new Set();
  }
}

function exchanges(messages: readonly Message[]): readonly Exchange[] {
  const found: Exchange[] = [{ followers: [] }];
  for (const message of messages) {
    if (message.role === "assistant") found.push({ assistant: message, followers: [] });
    else found.at(-1)?.followers.push(message);
  }
  return found;
}

/** Adds a message, or its content to the last one of the same role. */
function add(wire: WireMessage[], message: WireMessage): void {
  if (message.content.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user" && message.role === "user") {
    wire[wire.length - 1] = { role: "user", content: [...last.content, ...message.content] };
  } else if (last?.role === "assistant" && message.role === "assistant") {
    wire[wire.length - 1] = { role: "assistant", content: [...last.content, ...message.content] };
  } else {
    wire.push(message);
  }
}

/** An id as Anthropic accepts it, which no other call has. Other providers make ids of their own kinds. */
function takeId(id: string, taken: Set<string>): string {
  const clean = id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
  let free = clean;
  for (let count = 2; taken.has(free); count++) free = `${clean}_${count}`;
  taken.add(free);
  return free;
}

function assistantBlock(block: AssistantContent, ids: WireIds): WireAssistantBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return block.redacted === undefined
        ? { type: "thinking", thinking: block.thinking, signature: block.signature ?? "" }
        : { type: "redacted_thinking", data: block.redacted };
    case "toolCall":
      return { type: "tool_use", id: ids.get(block) ?? block.id, name: block.name, input: block.arguments };
  }
}

/** One result for each call, in the order of the calls. */
function resultBlocks(ids: WireIds, followers: Exchange["followers"]): readonly WireUserBlock[] {
  const unclaimed: ToolResultMessage[] = followers.filter((message) => message.role === "toolResult");
  return [...ids].map(([call, wireId]) => {
    const place = unclaimed.findIndex((result) => result.toolCallId === call.id);
    return toolResultBlock(wireId, place < 0 ? undefined : unclaimed.splice(place, 1)[0]);
  });
}

/** What the user said. A message that says nothing has its place all the same: without it the roles would not alternate. */
function inputBlocks(followers: Exchange["followers"]): readonly WireUserBlock[] {
  const inputs = followers.filter((message) => message.role === "user").map(({ content }) => userBlocks(content));
  return inputs.flatMap((blocks) => (blocks.length === 0 ? [{ type: "text" as const, text: "(empty)" }] : blocks));
}
