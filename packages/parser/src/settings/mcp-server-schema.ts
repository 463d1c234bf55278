import { listOf, mapOf, positive, type Schema, textOf, wordOf } from "@mdx-ai/base/schema";
import { checkServer, type WrittenServer } from "./check-server.ts";

const texts: Schema = {
  type: "object",
  additionalProperties: { title: "a text", type: ["string", "number", "boolean"] },
};

const server: Schema<WrittenServer> = mapOf(
  "a map with the `command` or the `url` of a server",
  "An MCP server whose tools the agent has as `mcp.SERVER.TOOL`.",
  {
    transport: wordOf("How the server is reached; default: `stdio` for a `command`, else what the `url` says.", [
      "stdio",
      "http",
      "sse",
      "tcp",
    ]),
    command: textOf("a program such as `npx`", "The program that is started and speaks over its standard streams."),
    args: {
      title: 'a list of texts such as `["server.ts"]`',
      description: "The arguments of the program.",
      type: "array",
      items: { title: "a text; put a number or a truth value in quotes", type: "string" },
    },
    env: {
      title: 'a map of variables such as `{TOKEN: "${TOKEN}"}`',
      description:
        "Variables that the program sees besides the few that every program needs; `${NAME}` is a variable of the user's.",
      ...texts,
    },
    cwd: textOf("a path", "Where the program runs, relative to the agent directory; default that directory."),
    url: textOf(
      "an address such as `https://example.com/mcp` or `tcp://127.0.0.1:8710`",
      "The address of a server that runs already; `${NAME}` is a variable of the user's.",
    ),
    headers: {
      title: 'a map of headers such as `{Authorization: "Bearer ${TOKEN}"}`',
      description: "Headers of every request to the `url`; `${NAME}` is a variable of the user's.",
      ...texts,
    },
    oauth: mapOf(
      "a map of `client_id`, `client_secret`, `client_metadata_url` and `scope`",
      "The client of a server with a sign-in; default: the client registers itself.",
      {
        client_id: textOf("a text", "The id of a client that was registered by hand."),
        client_secret: textOf("a text", "The secret of that client; `${NAME}` is a variable of the user's."),
        client_metadata_url: textOf("an address", "The address of a client id metadata document."),
        scope: textOf("a text", "Scopes to ask for, separated by blanks; default: those that the server names."),
      },
    ),
    timeout: positive(
      "a number of seconds above 0, up to 86400",
      "Seconds without a sign of life after which a call has failed; default 120.",
      86_400,
    ),
    connect: wordOf(
      "`eager` connects at the start, `lazy` before the first prompt that gets its tools; default `lazy`.",
      ["lazy", "eager"],
    ),
    connect_timeout: positive(
      "a number of seconds above 0, up to 3600",
      "Seconds that the server has to start and to list its tools; default 30.",
      3_600,
    ),
    roots: {
      title: "`off` or a list of folders such as `[docs]`",
      description:
        "The folders that the server may work in, if it asks for roots, relative to the agent directory; default: the workspace or else the agent directory, and none for a server whose `args` name folders.",
      type: ["string", "array"],
      minLength: 1,
      items: { title: "a path", type: "string", minLength: 1 },
      examples: ["off"],
    },
    tools: listOf(
      "a list of tools such as `[echo]`",
      "The tools of the server that the agent has, by their names on the server; default all.",
      { title: "the name of a tool" },
    ),
  },
);

/** What the declaration of an MCP server may say. An invalid server is dropped rather than started with a part of it. */
export const mcpServerSchema: Schema<WrittenServer> = { ...server, isWhole: true, check: checkServer };
