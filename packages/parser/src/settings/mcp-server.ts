import { defined, didYouMean, isRecord } from "@mdx-ai/base";
import { namesAt, valueAt } from "../arguments/json-pointer.ts";
import { type Misfit, misfits } from "../arguments/schema-problems.ts";
import { quoted, shownValue } from "../report.ts";
import type { McpServerDefinition, McpTransport } from "../types/agent-settings.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";

/** A mistake in the declaration of an MCP server. */
export interface McpServerProblem {
  /** From the declaration down to what is wrong; empty for the whole. */
  readonly path: readonly string[];
  /** Whether the key or the value is wrong. */
  readonly of: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** What a declaration says. With a problem there is no server: one that is started differently than meant may do harm. */
export type McpServerReading =
  | { readonly server: McpServerDefinition; readonly problems: readonly [] }
  | { readonly server?: undefined; readonly problems: readonly McpServerProblem[] };

/** Reads the declaration of a server, which messages call `name`. Never throws. */
export function readMcpServer(value: unknown, name = "mcp_server"): McpServerReading {
  const refused = misfits(value, mcpServerSchema).map((misfit) => problemOf(misfit, value, name));
  if (refused.length > 0 || !isWrittenServer(value)) return { problems: refused };
  const problems = partProblems(value, name);
  const transport = transportOf(value);
  return transport === undefined || problems.length > 0
    ? { problems }
    : { server: serverOf(value, transport), problems: [] };
}

/** A number is the text that is written: `PORT: 8080`. */
function serverOf({ env, headers, ...others }: WrittenServer, transport: McpTransport): McpServerDefinition {
  const textsOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return { ...others, transport, ...defined({ env: env && textsOf(env), headers: headers && textsOf(headers) }) };
}

/** Checks what no schema says of the parts of a server, whose types are right. */
export const mcpServerProblems = (value: unknown, name: string): readonly McpServerProblem[] =>
  isWrittenServer(value) ? partProblems(value, name) : [];

/** Whether a name of a server can be a part of the names of its tools, and of patterns in `permissions`. */
export const isMcpServerName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name);

/** A server as it may be written. */
interface WrittenServer extends Omit<McpServerDefinition, "transport" | "env" | "headers"> {
  readonly transport?: McpTransport;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

const isWrittenServer = (value: unknown): value is WrittenServer => isRecord(value);

function problemOf({ path, schema }: Misfit, value: unknown, name: string): McpServerProblem {
  const full = [name, ...path.filter((key) => !/^\d+$/.test(key))].join(".");
  if (schema === undefined) {
    const known = namesAt(mcpServerSchema, path.slice(0, -1));
    const message = `unexpected setting ${quoted(full)}, expected one of ${known.join(", ")}`;
    return { path, of: "key", message, hint: didYouMean(path.at(-1) ?? "", known, "remove it: it has no effect") };
  }
  const found = valueAt(value, path);
  const message = `unexpected ${shownValue(found)} as ${quoted(full)}, expected ${schema["title"]}`;
  return { path, of: "value", message, hint: String(schema["description"] ?? mcpServerSchema["description"]) };
}

/** A variable may hold the whole address. */
const startsWithVariable = (url: string): boolean => url.startsWith("${");

function transportOf({ transport, command, url = "" }: WrittenServer): McpTransport | undefined {
  if (transport !== undefined) return transport;
  if (command !== undefined) return "stdio";
  if (/^tcp:\/\//i.test(url)) return "tcp";
  return /^https?:\/\//i.test(url) || startsWithVariable(url) ? "http" : undefined;
}

function partProblems(server: WrittenServer, name: string): readonly McpServerProblem[] {
  const { command, url } = server;
  const whole = (message: string, hint: string): readonly McpServerProblem[] => [
    { path: [], of: "value", message, hint },
  ];
  if (command === undefined && url === undefined) {
    return whole(
      `${quoted(name)} has neither a \`command\` nor a \`url\``,
      "write `command` for a program to start, or `url` for a server that runs already",
    );
  }
  if (command !== undefined && url !== undefined) {
    return whole(`${quoted(name)} has both a \`command\` and a \`url\``, "remove one of them");
  }
  return [...transportProblems(server, name), ...vainProblems(server, name)];
}

const FORMS: Readonly<Record<Exclude<McpTransport, "stdio">, { readonly form: RegExp; readonly example: string }>> = {
  http: { form: /^https?:\/\/[^\s/]/i, example: "https://example.com/mcp" },
  sse: { form: /^https?:\/\/[^\s/]/i, example: "https://example.com/sse" },
  tcp: { form: /^tcp:\/\/[^\s/]+:(?:\d+|\$\{\w+\})\/?$/i, example: "tcp://127.0.0.1:8710" },
};

function transportProblems(server: WrittenServer, name: string): readonly McpServerProblem[] {
  const { command, url = "" } = server;
  const transport = transportOf(server);
  if (command !== undefined) {
    if (transport === "stdio") return [];
    const message = `the transport \`${transport}\` of ${quoted(name)} needs a \`url\`, and not a \`command\``;
    return [{ path: ["transport"], of: "value", message, hint: "write `stdio`, or leave it out" }];
  }
  if (transport === "stdio") {
    const message = `the transport \`stdio\` of ${quoted(name)} needs a \`command\`, and not a \`url\``;
    return [{ path: ["transport"], of: "value", message, hint: "leave it out: the `url` says how it is reached" }];
  }
  const { form, example } = FORMS[transport ?? "http"];
  if (form.test(url) || startsWithVariable(url)) return [];
  const message = `unexpected ${quoted(url)} as ${quoted(`${name}.url`)}, expected an address such as \`${example}\``;
  return [{ path: ["url"], of: "value", message, hint: "write `https://…`, `http://…` or `tcp://HOST:PORT`" }];
}

/** Settings that would have no effect. */
function vainProblems(server: WrittenServer, name: string): readonly McpServerProblem[] {
  const isProgram = server.command !== undefined;
  const isTcp = !isProgram && transportOf(server) === "tcp";
  const vain = isProgram
    ? (["headers", "oauth"] as const)
    : ([...(["args", "env", "cwd"] as const), ...(isTcp ? (["headers", "oauth"] as const) : [])] as const);
  const why = isProgram ? "a `command`" : isTcp ? "a `tcp://` address" : "a `url`";
  return vain
    .filter((key) => server[key] !== undefined)
    .map((key) => ({
      path: [key],
      of: "key",
      message: `${quoted(`${name}.${key}`)} has no effect with ${why}`,
      hint: "remove it",
    }));
}
