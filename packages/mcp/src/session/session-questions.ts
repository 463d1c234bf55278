import { isJsonObject, type JsonObject } from "@mdx-ai/base";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { McpAnswer, McpConnectionOptions, McpQuestion } from "../mcp-connection.ts";
import type { TimeLimit } from "./time-limit.ts";

type Ask = NonNullable<McpConnectionOptions["onQuestion"]>;

/** Questions of a server that wait at the same time; more are withdrawn unseen, so that nobody has to answer them one by one. */
const MAX_WAITING = 8;

/** Hands the questions of a server to the user. The limits of its calls do not run while one is open. */
export class SessionQuestions {
  readonly #ask: Ask | undefined;
  readonly #limits = new Set<TimeLimit>();
  #open = 0;
  #waiting = 0;

  constructor(ask: Ask | undefined) {
    this.#ask = ask;
  }

  /** Whether anybody answers. */
  get isAnswered(): boolean {
    return this.#ask !== undefined;
  }

  /** Makes a limit wait for the answers of the user until the returned function is called. */
  join(limit: TimeLimit): () => void {
    this.#limits.add(limit);
    for (let each = 0; each < this.#open; each += 1) limit.pause();
    return () => this.#limits.delete(limit);
  }

  /** Waits for the user with all limits stopped. */
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

  /** Asks what a server wants to know; declines if nobody answers, cancels if too many wait. */
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

  /** The same in the words of the protocol. */
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
