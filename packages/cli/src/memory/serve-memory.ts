import { serveOverStdio } from "@mdx-ai/memory/server";
import { type MemoryRun, withNewStore } from "./memory-run.ts";

/** Serves the store as an MCP server on standard input and output until the client disconnects. */
export async function serveMemory(run: MemoryRun): Promise<void> {
  const { interruption } = run.context;
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const identity = { name: "mdx-ai-memory", version: manifest.version };
  await withNewStore(run, (store) => serveOverStdio(store, identity, interruption.listen()));
}
