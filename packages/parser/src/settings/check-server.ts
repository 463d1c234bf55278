import { isRecord } from "@mdx-ai/base";
import type { Finding } from "@mdx-ai/base/schema";
import { quoted } from "../report.ts";
import type { McpServerDefinition, McpTransport } from "../types/agent-settings.ts";

/** A server as it may be written. */
export interface WrittenServer extends Omit<McpServerDefinition, "transport" | "env" | "headers"> {
  readonly transport?: McpTransport;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Whether a name of a server can be a part of the names of its tools, and of patterns in `permissions`. */
export const isMcpServerName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name);

/** Why a server cannot have a name. */
export const checkServerName = (name: string): Finding | undefined =>
  isMcpServerName(name)
    ? undefined
    : {
        rule: "mcp-server",
        message: `unexpected name ${quoted(name)} of a server, expected letters, digits, \`_\` and \`-\`, at most 40`,
        hint: "rename it: the name is a part of the names of its tools",
      };

/** What no schema says of a server whose parts have the right types. */
export const checkServer = (server: unknown, name: string): readonly Finding[] =>
  isWrittenServer(server) ? partProblems(server, name).map((problem) => ({ rule: "mcp-server", ...problem })) : [];

/** Of a value whose parts have the right types. */
const isWrittenServer = (value: unknown): value is WrittenServer => isRecord(value);

/** A variable may hold the whole address. */
const startsWithVariable = (url: string): boolean => url.startsWith("${");

/** How a server is reached; undefined for a `url` that says nothing of it. */
export function transportOf({ transport, command, url = "" }: WrittenServer): McpTransport | undefined {
  if (transport !== undefined) return transport;
  if (command !== undefined) return "stdio";
  if (/^tcp:\/\//i.test(url)) return "tcp";
  return /^https?:\/\//i.test(url) || startsWithVariable(url) ? "http" : undefined;
}

function partProblems(server: WrittenServer, name: string): readonly Finding[] {
  const { command, url } = server;
  if (typeof server.roots === "string" && server.roots !== "off") {
    const message = `unexpected ${quoted(server.roots)} as ${quoted(`${name}.roots`)}, expected \`off\` or a list of folders`;
    return [{ path: ["roots"], of: "value", message, hint: `write \`[${server.roots}]\`` }];
  }
  const whole = (message: string, hint: string): readonly Finding[] => [{ of: "key", message, hint }];
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

function transportProblems(server: WrittenServer, name: string): readonly Finding[] {
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
function vainProblems(server: WrittenServer, name: string): readonly Finding[] {
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
