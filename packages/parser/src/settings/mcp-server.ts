import { namesAt } from "../arguments/json-pointer.ts";
import { misfits } from "../arguments/schema-problems.ts";
import { isRecord } from "../record.ts";
import { quoted } from "../report.ts";
import { didYouMean } from "../suggestion.ts";
import type { JsonSchema } from "../types/json.ts";
import type { McpServerDefinition, McpTransport } from "../types/mcp-definition.ts";

/** A mistake in the declaration of an MCP server. */
export interface McpServerProblem {
  /** Keys from the declaration down to what is wrong; empty for the declaration itself. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/** What a declaration says; no server if anything in it is wrong, for a mistake may be in what restricts it. */
export interface McpServerReading {
  readonly server?: McpServerDefinition;
  readonly problems: readonly McpServerProblem[];
}

const text = (title: string, description: string): JsonSchema => ({ title, description, type: "string", minLength: 1 });

const texts = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: "array",
  items: { title: "a text", type: "string" },
});

const textMap = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: ["object", "null"],
  additionalProperties: { title: "a text", type: ["string", "number", "boolean"] },
});

const transports: readonly McpTransport[] = ["stdio", "http", "sse", "tcp"];

/** The JSON Schema of an MCP server in `mcp` of agent.mdx and in `mcp_server` of a SKILL.md. */
export const mcpServerSchema: JsonSchema = {
  title: "a map that describes an MCP server",
  description: "How to reach an MCP server: `command` and `args` of a program, or a `url`.",
  type: "object",
  additionalProperties: false,
  properties: {
    transport: {
      title: "one of `stdio`, `http`, `sse` and `tcp`",
      description: "If not set, `stdio` with a `command`, `tcp` with a URL of `tcp://`, else `http`.",
      type: "string",
      enum: [...transports],
      examples: [...transports],
    },
    command: text("a program", "The program of a server that speaks over stdio."),
    args: texts("a list of texts", "The arguments of the program."),
    env: textMap("a map of texts", "Variables that the program sees besides the few that every program needs."),
    cwd: text("a folder", "Where the program runs, relative to the agent directory, which is the default."),
    url: text("a URL", "`http://…`, `https://…` or `tcp://HOST:PORT`."),
    headers: textMap("a map of texts", "HTTP headers of each request."),
    connect: {
      title: "`eager` or `lazy`",
      description: "`eager` connects at the start, `lazy` (if not set) when the tools are first needed.",
      type: "string",
      enum: ["eager", "lazy"],
      examples: ["eager", "lazy"],
    },
    tools: texts("a list of names of tools", "The tools to offer, by their names on the server; all if not set."),
  },
};

/** Reads the declaration of an MCP server. Never throws. */
export function readMcpServer(value: unknown): McpServerReading {
  const problems = misfits(value, mcpServerSchema).map(({ path, schema }) => misfitProblem(path, schema));
  if (problems.length > 0 || !isRecord(value)) return { problems };
  const { command, url } = value;
  const transport = transports.find((one) => one === value["transport"]) ?? impliedTransport(command, url);
  const conflict = conflictOf(transport, value);
  if (conflict !== undefined) return { problems: [conflict] };
  return { server: { transport, ...partsOf(value) }, problems: [] };
}

function misfitProblem(path: readonly string[], schema: JsonSchema | undefined): McpServerProblem {
  const key = path.at(-1) ?? "";
  const name = path.filter((part) => !/^\d+$/.test(part)).join(".");
  if (schema === undefined) {
    const known = namesAt(mcpServerSchema, []);
    const message = `unexpected ${quoted(name)} of an MCP server, expected one of ${known.join(", ")}`;
    return { path, message, hint: didYouMean(key, known, "remove it: a server with it is not started") };
  }
  const message = `unexpected value of ${name === "" ? "the MCP server" : quoted(name)}, expected ${schema["title"]}`;
  return { path, message, hint: String(schema["description"] ?? `write ${schema["title"]}`) };
}

const impliedTransport = (command: unknown, url: unknown): McpTransport => {
  if (command !== undefined || typeof url !== "string") return "stdio";
  return url.startsWith("tcp://") ? "tcp" : "http";
};

/** What a server of a transport cannot do without, and what has no meaning for it. */
function conflictOf(transport: McpTransport, value: Readonly<Record<string, unknown>>): McpServerProblem | undefined {
  const isProgram = transport === "stdio";
  const needed = isProgram ? "command" : "url";
  if (value[needed] === undefined) {
    const message = `the MCP server has no ${quoted(needed)}, which ${quoted(transport)} needs`;
    return { path: [], message, hint: isProgram ? "write `command: PROGRAM`, or a `url`" : "write `url: …`" };
  }
  const foreign = (isProgram ? ["url", "headers"] : ["command", "args", "env", "cwd"]).find((key) => key in value);
  if (foreign !== undefined) {
    const message = `unexpected ${quoted(foreign)} of an MCP server with the transport ${quoted(transport)}`;
    return { path: [foreign], message, hint: "remove it, or correct `transport`" };
  }
  const { url } = value;
  if (typeof url !== "string" || urlForm(transport).test(url)) return undefined;
  const expected = transport === "tcp" ? "tcp://HOST:PORT" : "http://… or https://…";
  return { path: ["url"], message: `unexpected URL ${quoted(url)}, expected ${expected}`, hint: "correct the URL" };
}

/** A variable may stand for the beginning. */
const urlForm = (transport: McpTransport): RegExp =>
  transport === "tcp" ? /^(?:tcp:\/\/[^\s/]+:\S+|.*\$\{)/ : /^(?:https?:\/\/\S|\$\{)/;

function partsOf(value: Readonly<Record<string, unknown>>): Omit<McpServerDefinition, "transport"> {
  const { command, args, env, cwd, url, headers, connect, tools } = value;
  return {
    ...(typeof command === "string" && { command }),
    ...(Array.isArray(args) && { args: args.map(String) }),
    ...(isRecord(env) && { env: textsOf(env) }),
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof url === "string" && { url }),
    ...(isRecord(headers) && { headers: textsOf(headers) }),
    ...((connect === "eager" || connect === "lazy") && { connect }),
    ...(Array.isArray(tools) && { tools: tools.map(String) }),
  };
}

const textsOf = (map: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, String(value)]));
