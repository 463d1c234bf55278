import { join } from "node:path";

/** Starts the scripted model in a process of its own. */
export async function serveModel(): Promise<{ readonly url: string; stop(): void }> {
  const server = Bun.spawn([process.execPath, join(import.meta.dir, "model-server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { url: await firstLine(server.stdout), stop: () => server.kill() };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.trim();
}
