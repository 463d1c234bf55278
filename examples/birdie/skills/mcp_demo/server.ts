import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** The schema of a tool with one text. */
const oneText = <Name extends string>(name: Name, description: string) =>
  fromJsonSchema<Record<Name, string>>({
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
  });

const answer = (text: string) => ({ content: [{ type: "text" as const, text }] });

serveStdio(() => {
  const server = new McpServer({ name: "mcp_demo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Return the message unchanged.", inputSchema: oneText("message", "What to return") },
    async ({ message }) => answer(message),
  );
  server.registerTool(
    "reverse_string",
    {
      description: "Return the text with characters in reverse order.",
      inputSchema: oneText("text", "What to reverse"),
    },
    async ({ text }) => answer([...text].reverse().join("")),
  );
  return server;
});
