import { isJsonObject, type JsonObject } from "@mdx-ai/base";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { McpAnswer, McpConnectionOptions, McpQuestion } from "../mcp-connection.ts";
import type { TimeLimit } from "./time-limit.ts";

type Ask = NonNullable<McpConnectionOptions["onQuestion"]>;

/** Questions of a server that may wait at once. More are cancelled without being shown. */
const MAX_WAITING = 8;

/** Asks the user a server's questions. The limits of its calls are paused while a question is open. */
export class SessionQuestions {
  readonly #ask: Ask | undefined;
  readonly #limits = new Set<TimeLimit>();
  #open = 0;
  #waiting = 0;

  constructor(ask: Ask | undefined) {
    this.#ask = ask;
  }

  /** Whether there is someone to answer. */
  get isAnswered(): boolean {
    return this.#ask !== undefined;
  }

  /** Pauses a limit during questions until the returned function is called. */
  join(limit: TimeLimit): () => void {
    this.#limits.add(limit);
    for (let each = 0; each < this.#open; each += 1) limit.pause();
    return () => this.#limits.delete(limit);
  }

  /** Waits for the user while all limits are paused. */
  async pausing<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#open += 1;
    for (const limit of this.#limits) limit.pause();
    try {
      return await wait();
    } finally {
      this.#open -= 1;
      for (const limit of this.#limits) limit.resume();
    }
  }

  /** Asks the user a server's question. Declines if there is no one to answer, cancels if too many are waiting. */
  async answer(question: McpQuestion, signal: AbortSignal): Promise<McpAnswer> {
    const ask = this.#ask;
    if (!ask) return { action: "decline" };
    if (this.#waiting >= MAX_WAITING) return { action: "cancel" };
    this.#waiting += 1;
    try {
      return await this.pausing(() => ask(question, signal));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** As `answer`, with the types of the protocol. */
  async elicit({ params }: ElicitRequest, signal: AbortSignal): Promise<ElicitResult> {
    const answer = await this.answer(questionOf(params), signal);
    if (answer.action !== "accept") return { action: answer.action };
    return { action: "accept", ...(params.mode !== "url" && { content: contentOf(answer.content) }) };
  }
}

function questionOf(params: ElicitRequest["params"]): McpQuestion {
  const { message } = params;
  if (params.mode === "url") return { type: "url", message, url: params.url };
  const { requestedSchema } = params;
  return { type: "form", message, schema: isJsonObject(requestedSchema) ? requestedSchema : {} };
}

type Content = NonNullable<ElicitResult["content"]>;

/** The values that the protocol allows in an answer. */
function contentOf(content: JsonObject = {}): Content {
  const allowed: Content = {};
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") allowed[name] = value;
    else if (Array.isArray(value)) allowed[name] = value.filter((each) => typeof each === "string");
  }
  return allowed;
}
