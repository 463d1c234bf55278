import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./answer-memory-process.ts", import.meta.url));
const MEBIBYTE = 2 ** 20;

/** An answer of so many MiB, or of as many as anybody reads. */
export interface LongAnswer {
  /** Its content type. */
  readonly type: string;
  readonly start: string;
  /** Comes again and again. */
  readonly more: string;
  readonly size: number;
  readonly end: string;
}

function bodyOf({ start, more, size, end }: LongAnswer): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const piece = encoder.encode(more.repeat(Math.ceil(MEBIBYTE / more.length)));
  let left = size;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(start)),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(piece);
      controller.enqueue(encoder.encode(end));
      controller.close();
    },
  });
}

/** What a client in a process of its own makes of an answer: how it ended, and by how many MiB its memory grew at most. */
export async function readLongAnswer(
  reference: "claude-test" | "openai/llama",
  answer: LongAnswer,
): Promise<{ readonly end: string; readonly growth: number }> {
  let requests = 0;
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => new Response(requests++ === 0 ? "" : bodyOf(answer), { headers: { "content-type": answer.type } }),
  });
  const vendor = reference === "claude-test" ? "ANTHROPIC" : "OPENAI";
  const child = Bun.spawn([process.execPath, program], {
    env: {
      ...process.env,
      MODEL: reference,
      [`${vendor}_API_KEY`]: "sk-test-key-0123456789",
      [`${vendor}_BASE_URL`]: server.url.href,
      STREAM: String(answer.type === "text/event-stream"),
    },
    stderr: "inherit",
  });
  const output = await child.stdout.text();
  if (requests !== 2) throw new Error(`the client asked ${requests} times`);
  return JSON.parse(output);
}
