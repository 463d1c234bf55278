import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { MemoryStore } from "../memory-store.ts";
import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";
import { type FindVault, NotFoundError, SERVICE_TOOLS, type ServiceTool, vaultFinder } from "./service-tools.ts";
import { GivenArguments } from "./service-values.ts";

/** The name and version of the server. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

/**
 * Serves a store with the tools of the memory service on stdin and stdout. Resolves when the client disconnects or the signal fires. Never
 * rejects; failures are answers.
 */
export async function serveOverStdio(store: MemoryStore, identity: ServerIdentity, signal: AbortSignal): Promise<void> {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const { McpServer, fromJsonSchema } = await import("@modelcontextprotocol/server");
  const ended = Promise.withResolvers<void>();
  for (const event of ["end", "close"]) process.stdin.once(event, () => ended.resolve());
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  const vaultOf = vaultFinder(store);
  const handle = serveStdio(() => {
    const server = new McpServer(identity, { capabilities: { tools: {} } });
    for (const tool of SERVICE_TOOLS)
      register(server, tool, { store, vaultOf, schema: fromJsonSchema(tool.inputSchema) });
    return server;
  });
  if (!signal.aborted) await ended.promise;
  await handle.close();
}

type InputSchema = ReturnType<typeof import("@modelcontextprotocol/server").fromJsonSchema>;

function register(
  server: McpServer,
  { name, description, isReadOnly, run }: ServiceTool,
  {
    store,
    vaultOf,
    schema,
  }: { readonly store: MemoryStore; readonly vaultOf: FindVault; readonly schema: InputSchema },
): void {
  const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
  server.registerTool(name, { description, inputSchema: schema, annotations }, async (values: unknown) => {
    try {
      const answer = await run(store, new GivenArguments(values), vaultOf);
      return answered(typeof answer === "string" ? answer : JSON.stringify(answer));
    } catch (error) {
      return { ...answered(refusal(error)), isError: true };
    }
  });
}

const answered = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** The words by which clients recognize the service's refusals. */
const REFUSALS: Readonly<Record<MemoryStoreProblem, string>> = {
  unknown_vault: "vault not found: ",
  unknown_memory: "memory not found: ",
  exists: "already exists: ",
  invalid: "invalid: ",
  busy: "busy: ",
  damaged: "unavailable: ",
  unavailable: "unavailable: ",
};

function refusal(error: unknown): string {
  if (error instanceof NotFoundError) return error.message;
  if (error instanceof MemoryStoreError) return `${REFUSALS[error.problem]}${error.message}`;
  return `unavailable: ${error instanceof Error ? error.message : String(error)}`;
}
