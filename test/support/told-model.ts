import { isRecord, jsonValue } from "@mdx-ai/base";
import { answerChunks, type Chunk } from "./openai-replies.ts";

/** An answer of the model. */
export interface ToldReply {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** Milliseconds before it begins. */
  readonly before?: number;
  /** How many requests fail before it; each asks to wait for 3 seconds. */
  readonly failures?: number;
}

/** A request that the model has received. */
interface ToldRequest {
  /** The id in the prompt. */
  readonly prompt: string;
  /** The index of the reply. */
  readonly index: number;
  /** By `performance.now()`. */
  readonly at: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A model on loopback that any number of processes ask at once: each prompt says what it answers; without that, it has nothing to report. */
export interface ToldModel extends Disposable {
  /** What a program needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly ToldRequest[];
}

/** The text of a prompt that is answered like this. */
export const told = (prompt: string, ...replies: readonly ToldReply[]): string => JSON.stringify({ prompt, replies });

/** `idle`: the answer to a prompt that does not say its own. */
export function toldModel(idle: ToldReply = { text: "HEARTBEAT_OK" }): ToldModel {
  const requests: ToldRequest[] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 0 },
    async fetch(request) {
      const body = jsonValue(await request.text());
      if (!isRecord(body) || !Array.isArray(body["messages"])) return new Response("no body", { status: 400 });
      const { prompt, replies, index } = asked(body["messages"], idle);
      requests.push({ prompt, index, at: performance.now(), body });
      const reply = replies[index];
      if (reply === undefined) return new Response("no such reply", { status: 400 });
      const earlier = requests.filter((one) => one.prompt === prompt && one.index === index).length - 1;
      if (earlier < (reply.failures ?? 0))
        return new Response("overloaded", { status: 503, headers: { "retry-after": "3" } });
      if (reply.before !== undefined) await Bun.sleep(reply.before);
      return new Response(sseOf(chunksOf(reply)), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    requests,
    environment: { DEEPSEEK_API_KEY: "sk-test-key-0123456789", DEEPSEEK_BASE_URL: `${server.url.origin}/v1` },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** The newest prompt that says its replies, and how many answers it has had. */
function asked(
  messages: readonly unknown[],
  idle: ToldReply,
): {
  readonly prompt: string;
  readonly replies: readonly ToldReply[];
  readonly index: number;
} {
  const at = messages.findLastIndex((message) => replyList(message) !== undefined);
  const found = replyList(messages[at]) ?? { prompt: "", replies: [idle] };
  if (at === -1) return { ...found, index: 0 };
  const index = messages.slice(at).filter((message) => isRecord(message) && message["role"] === "assistant").length;
  return { ...found, index };
}

function replyList(message: unknown): { readonly prompt: string; readonly replies: readonly ToldReply[] } | undefined {
  if (!isRecord(message) || message["role"] !== "user") return undefined;
  const { content } = message;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const found = text.startsWith("{") ? jsonValue(text) : undefined;
  return isRecord(found) && Array.isArray(found["replies"])
    ? { prompt: String(found["prompt"]), replies: found["replies"] }
    : undefined;
}

const chunksOf = ({ text, calls = [] }: ToldReply): readonly Chunk[] =>
  answerChunks([
    ...(text === undefined ? [] : [{ text: [text] }]),
    ...calls.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] })),
  ]);

const sseOf = (chunks: readonly Chunk[]): string =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
