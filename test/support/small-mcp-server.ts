import { isRecord } from "@mdx-ai/base";

/** The answer of a small server of the revisions up to 2025-11-25 to one message; undefined if it wants none. */
export function smallAnswer(json: string): string | undefined {
  const message: unknown = JSON.parse(json);
  if (!isRecord(message) || message["id"] === undefined) return undefined;
  const { id, method, params } = message;
  const result = resultOf(method, params);
  const error = { code: -32601, message: "Method not found" };
  return JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) });
}

function resultOf(method: unknown, params: unknown): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "small", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
    case "tools/call":
      return { content: [{ type: "text", text: JSON.stringify(isRecord(params) ? params["arguments"] : null) }] };
    default:
      return undefined;
  }
}
