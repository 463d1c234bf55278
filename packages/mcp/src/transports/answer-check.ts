import { isJsonObject, isRecord } from "@mdx-ai/parser/record";
import { shortened, visibleText } from "@mdx-ai/parser/visible-text";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { headerFault } from "./header-fault.ts";

export interface AnswerCheckOptions {
  /** Whether parameters of tools become headers, as over HTTP since the revision 2026-07-28. */
  readonly usesHeaders: () => boolean;
  readonly onWarning: (message: string) => void;
}

/** Methods whose answers are checked. */
const CHECKED = ["tools/list", "tools/call"] as const;
type Checked = (typeof CHECKED)[number];

/** Where the schema of a tool's results is: the client must not see it in its place, since no call may fail for it. */
export const OUTPUT_SCHEMA = "mdx-ai/outputSchema";

/** Tools of one answer. */
const MOST_TOOLS = 1_000;

/**
 * Makes answers of servers fit the protocol where they break it in a way that is harmless, so that one bad tool does not take all others
 * away. It sees the requests, to know the answers.
 */
export class AnswerCheck {
  readonly #options: AnswerCheckOptions;
  readonly #asked = new Map<string | number, Checked>();
  readonly #warned = new Set<string>();

  constructor(options: AnswerCheckOptions) {
    this.#options = options;
  }

  sent(message: JSONRPCMessage): void {
    if ("method" in message && message.method === "notifications/cancelled") this.#forget(message.params);
    if (!("method" in message && "id" in message)) return;
    const method = CHECKED.find((each) => each === message.method);
    if (method && message.id !== undefined) this.#asked.set(message.id, method);
  }

  /** A request that was given up gets no answer. */
  #forget(params: unknown): void {
    const id = isRecord(params) ? params["requestId"] : undefined;
    if (typeof id === "string" || typeof id === "number") this.#asked.delete(id);
  }

  /** The message as the client may see it. */
  received(message: JSONRPCMessage): JSONRPCMessage {
    if ("method" in message || !("id" in message) || message.id === undefined) return message;
    const method = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (!method || !("result" in message)) return message;
    const result = method === "tools/list" ? this.#tools(message.result) : callResult(message.result);
    return { ...message, result };
  }

  #tools(result: ResultObject): ResultObject {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    if (tools.length > MOST_TOOLS) {
      this.#warn(
        "\n",
        `lists ${tools.length.toLocaleString("en")} tools at once, of which the first ${MOST_TOOLS.toLocaleString("en")} are used`,
      );
    }
    return { ...result, tools: tools.slice(0, MOST_TOOLS).flatMap((tool) => this.#tool(tool)) };
  }

  #tool(tool: unknown): readonly unknown[] {
    if (!isRecord(tool) || typeof tool["name"] !== "string") {
      this.#warn("", "lists a tool without a name, which is left out");
      return [];
    }
    const { name } = tool;
    if (!isModest(tool)) {
      this.#warn(
        "\t",
        `lists the tool ${visibleText(shortened(name, 100))}, which is too large or too deep, so it is left out`,
      );
      return [];
    }
    const fault = this.#options.usesHeaders() ? headerFault(tool["inputSchema"]) : undefined;
    if (fault !== undefined) {
      this.#warn(
        name,
        `lists the tool ${visibleText(name)} with a header that is not allowed, so it is left out: ${fault}`,
      );
      return [];
    }
    return [this.#fitting(name, tool)];
  }

  #fitting(name: string, tool: ResultObject): ResultObject {
    const { inputSchema, outputSchema, description, annotations } = tool;
    const isFit = isRecord(inputSchema) && inputSchema["type"] === "object";
    if (!isFit) this.#warn(name, `lists the tool ${visibleText(name)} with a schema that is not one of an object`);
    return {
      name,
      ...(typeof description === "string" && { description }),
      ...(isRecord(annotations) && { annotations: fittingAnnotations(annotations) }),
      inputSchema: isFit ? inputSchema : { ...(isRecord(inputSchema) && inputSchema), type: "object" },
      ...(isJsonObject(outputSchema) && { _meta: { [OUTPUT_SCHEMA]: outputSchema } }),
    };
  }

  #warn(tool: string, message: string): void {
    if (this.#warned.has(tool)) return;
    this.#warned.add(tool);
    this.#options.onWarning(message);
  }
}

/** The hints that are used, if they are what they should be. */
function fittingAnnotations({ readOnlyHint, idempotentHint, title }: ResultObject): ResultObject {
  return {
    ...(typeof readOnlyHint === "boolean" && { readOnlyHint }),
    ...(typeof idempotentHint === "boolean" && { idempotentHint }),
    ...(typeof title === "string" && { title }),
  };
}

type ResultObject = { readonly [key: string]: unknown };

/** Some servers leave the content out if there is none, and the kind of the result, which the revision 2026-07-28 wants. */
function callResult(result: ResultObject): ResultObject {
  const { resultType = "complete", content } = result;
  if (resultType !== "complete") return result;
  return { ...result, resultType, content: Array.isArray(content) ? content : [] };
}

/** Characters of the texts and names of a value, and what each value in it counts beside them. */
const MOST_TEXT = 256 * 1024;
const VALUE_COST = 8;

/** Levels: code that follows a value level by level runs out of stack at some thousands. */
const MOST_LEVELS = 200;

/** Whether a value of JSON is small and flat enough for what describes a tool. It looks at no more than that, and never throws. */
function isModest(value: unknown): boolean {
  const waiting: Part[] = [{ value, level: 0 }];
  let left = MOST_TEXT;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    left -= costOf(part.value);
    if (left < 0 || part.level > MOST_LEVELS) return false;
    for (const inner of partsOf(part)) waiting.push(inner);
  }
  return true;
}

interface Part {
  readonly value: unknown;
  readonly level: number;
}

function costOf(value: unknown): number {
  if (typeof value === "string") return VALUE_COST + value.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return VALUE_COST;
  return Object.keys(value).reduce((cost, name) => cost + name.length, VALUE_COST);
}

const partsOf = ({ value, level }: Part): readonly Part[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).map((inner) => ({ value: inner, level: level + 1 }))
    : [];
