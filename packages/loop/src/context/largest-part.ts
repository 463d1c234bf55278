import type { Message, ToolCall } from "@mdx-ai/models";
import { type Measure, messageSize, type RequestHead, tokenEstimate } from "./sent-messages.ts";

/** A named part of the system prompt. The agent's author recognizes the name. */
export type NamedText = readonly [name: string, text: string];

/** The contents of a request. */
export interface WeighedRequest extends RequestHead {
  /** The parts of the system prompt, if they are known; other names are ignored. */
  readonly texts?: readonly NamedText[] | undefined;
  readonly messages: readonly Message[];
}

/** A part of a request, its size in tokens, and advice for making it smaller. */
interface WeighedPart {
  readonly name: string;
  readonly tokens: number;
  readonly advice: string;
}

/** The share of a request from which a part counts as large. */
const NOTABLE = 0.2;

/** Names the largest part of a request and how to shrink it, in one or two sentences for the user. Token counts are estimates. */
export async function largestPart(request: WeighedRequest): Promise<string> {
  const measure = await tokenEstimate();
  const parts = [
    ...headParts(request, measure),
    toolPart(request, measure),
    ...messageParts(request.messages, measure),
  ];
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const [largest] = parts.toSorted((one, other) => other.tokens - one.tokens);
  if (largest === undefined || largest.tokens < NOTABLE * total)
    return `It has about ${counted(total)} tokens in ${request.messages.length} messages, none of them very large. Ask in another session.`;
  return `The largest part of it is ${largest.name}, with about ${counted(largest.tokens)} of ${counted(total)} tokens. ${largest.advice}`;
}

const counted = (tokens: number): string => Math.round(tokens).toLocaleString("en");

/** The named texts that the system prompt contains; the rest counts as one part. */
function headParts({ system, texts = [] }: WeighedRequest, measure: Measure): readonly WeighedPart[] {
  const named = texts
    .filter(([name, text]) => !ABOUT_TOOLS.test(name) && text.trim() !== "")
    .map(([name, text]) => ({ name, tokens: measure.text(text), advice: adviceOn(name) }));
  const rest = measure.text(system) - named.reduce((sum, { tokens }) => sum + tokens, 0);
  const other = {
    name: "the system prompt",
    tokens: Math.max(0, rest),
    advice: "Shorten agent.mdx, or the sections of modules.",
  };
  return [...named, other];
}

/** Tools are listed separately in a request. */
const ABOUT_TOOLS = /^(?:description|parameters) of tool /;

function adviceOn(name: string): string {
  if (name === "long-term memory") return "Remove memories that are not needed in every prompt.";
  if (/repository/.test(name)) return "Shorten the AGENTS.md or CLAUDE.md of the workspace.";
  if (name.startsWith("instructions of skill")) return "Shorten the skill, or leave out always-inject.";
  return `Shorten ${name === "AGENT.md" ? "it" : "that part of agent.mdx"}, or move parts that are not always needed into a skill.`;
}

function toolPart({ tools }: WeighedRequest, measure: Measure): WeighedPart {
  const sizes = tools.map((tool) => ({ name: tool.name, tokens: measure.text(JSON.stringify(tool)) }));
  const tokens = sizes.reduce((sum, size) => sum + size.tokens, 0);
  const [largest] = sizes.toSorted((one, other) => other.tokens - one.tokens);
  const names = largest === undefined ? "" : ` (the largest is ${largest.name}, with ${counted(largest.tokens)})`;
  return {
    name: `the list of ${tools.length} tools${names}`,
    tokens,
    advice: "Remove tools or MCP servers that are not needed: `tools: [NAME, …]` in agent.mdx lists the tools to keep.",
  };
}

function messageParts(messages: readonly Message[], measure: Measure): readonly WeighedPart[] {
  const calls = new Map<string, ToolCall>();
  return messages.map((message) => {
    const tokens = messageSize(message, measure);
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") calls.set(block.id, block);
      return { name: "an answer of the model", tokens, advice: BACK };
    }
    if (message.role === "toolResult")
      return {
        name: `one result of ${callText(message.toolName, calls.get(message.toolCallId))}`,
        tokens,
        advice: BACK,
      };
    const isNewest = message === messages.findLast(({ role }) => role === "user");
    return isNewest
      ? {
          name: "your newest message",
          tokens,
          advice: "Shorten it, or put it into a file that the agent can read in parts.",
        }
      : { name: "a message of yours", tokens, advice: BACK };
  });
}

const BACK = "Go back to before it with /rewind, and ask for less at a time.";

/** The maximum displayed characters of a call's argument. */
const MAX_SHOWN = 80;

/** A call as its tool and its first text argument, such as `read_file "big.log"`. */
function callText(name: string, call: ToolCall | undefined): string {
  const [text] = Object.values(call?.arguments ?? {}).filter((value) => typeof value === "string");
  if (text === undefined) return name;
  return `${name} ${JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)}`;
}
