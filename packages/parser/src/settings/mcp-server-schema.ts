import type { JsonSchema } from "../types/json.ts";

const text = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: "string",
  minLength: 1,
  pattern: "\\S",
});

const texts = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: "object",
  additionalProperties: { title: "a text", type: ["string", "number", "boolean"] },
});

/** The JSON Schema of one MCP server. What goes together is checked by `readMcpServer`. */
export const mcpServerSchema: JsonSchema = {
  title: "a map with the `command` or the `url` of a server",
  description: "An MCP server whose tools the agent has as `mcp.SERVER.TOOL`.",
  type: "object",
  additionalProperties: false,
  properties: {
    transport: {
      title: "`stdio`, `http`, `sse` or `tcp`",
      description: "How the server is reached; if not set, `stdio` for a `command`, else what the `url` says.",
      type: "string",
      enum: ["stdio", "http", "sse", "tcp"],
      examples: ["stdio", "http", "sse", "tcp"],
    },
    command: text("a program such as `npx`", "The program that is started and speaks over its standard streams."),
    args: {
      title: 'a list of texts such as `["server.ts"]`',
      description: "The arguments of the program.",
      type: "array",
      items: { title: "a text; put a number or a truth value in quotes", type: "string" },
    },
    env: texts(
      'a map of variables such as `{TOKEN: "${TOKEN}"}`',
      "Variables that the program sees besides the few that every program needs; `${NAME}` is a variable of the user's.",
    ),
    cwd: text("a path", "Where the program runs, relative to the agent directory; that directory if not set."),
    url: text(
      "an address such as `https://example.com/mcp` or `tcp://127.0.0.1:8710`",
      "The address of a server that runs already; `${NAME}` is a variable of the user's.",
    ),
    headers: texts(
      'a map of headers such as `{Authorization: "Bearer ${TOKEN}"}`',
      "Headers of every request to the `url`; `${NAME}` is a variable of the user's.",
    ),
    oauth: {
      title: "a map of `client_id`, `client_secret`, `client_metadata_url` and `scope`",
      description: "The client of a server with a sign-in; if not set, the client registers itself.",
      type: "object",
      additionalProperties: false,
      properties: {
        client_id: text("a text", "The id of a client that was registered by hand."),
        client_secret: text("a text", "The secret of that client; `${NAME}` is a variable of the user's."),
        client_metadata_url: text("an address", "The address of a client id metadata document."),
        scope: text("a text", "Scopes to ask for, separated by blanks; if not set, those that the server names."),
      },
    },
    timeout: {
      title: "a number of seconds above 0, up to 86400",
      description: "Seconds without a sign of life after which a call has failed; 120 if not set.",
      type: "number",
      exclusiveMinimum: 0,
      maximum: 86_400,
    },
    connect: {
      title: "`lazy` or `eager`",
      description:
        "`eager` connects at the start, `lazy` before the first prompt that gets its tools; `lazy` if not set.",
      type: "string",
      enum: ["eager", "lazy"],
      examples: ["eager", "lazy"],
    },
    tools: {
      title: "a list of tools such as `[echo]`",
      description: "The tools of the server that the agent has, by their names on the server; all if not set.",
      type: "array",
      items: { title: "the name of a tool", type: "string", minLength: 1 },
    },
  },
};
