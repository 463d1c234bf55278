import { isRecord, type UnknownRecord } from "@mdx-ai/base";
import type { Finding, Schema } from "@mdx-ai/base/schema";
import { openMap, text, texts } from "./lint-json.ts";

const textMap = (title: string): Schema => ({
  title,
  type: "object",
  additionalProperties: { title: "a text", type: ["string", "number", "boolean"] },
});

/** Programs that run packages, which they fetch when they start. */
const RUNNERS = /^(?:npx|bunx|pnpx|uvx|pipx)$/;

const properties: Readonly<Record<string, Schema>> = {
  type: {
    title: "`stdio`, `http`, `sse` or `ws`",
    type: "string",
    enum: ["stdio", "http", "sse", "ws", "streamable-http", "streamableHttp", "local", "remote", "sse-ide", "sdk"],
  },
  command: text("a program"),
  args: {
    title: 'a list of texts such as `["-y", "server"]`',
    type: "array",
    items: { title: "a text", type: ["string", "number"] },
  },
  env: textMap('a map of variables such as `{"TOKEN": "${TOKEN}"}`'),
  url: text("an address"),
  headers: textMap('a map of headers such as `{"Authorization": "Bearer ${TOKEN}"}`'),
};

/** A server of `.mcp.json`. */
const serverSchema: Schema = {
  ...openMap("a server with a `command` or a `url`", properties, ["headersHelper", "timeout", "oauth"]),
  check: (value) => (isRecord(value) ? checkServer(value) : []),
};

function checkServer(server: UnknownRecord): readonly Finding[] {
  const { type, command, url } = server;
  const isRemote = type !== undefined && type !== "stdio" && type !== "local" && type !== "sdk";
  if (isRemote && url === undefined && command === undefined) {
    return [{ message: `a server of type \`${String(type)}\` has no \`url\``, hint: "add its address as `url`" }];
  }
  if (command === undefined && url === undefined && type !== "sdk") {
    return [
      {
        message: "the server has neither a `command` nor a `url`",
        hint: "add the program that is started, or the address",
      },
    ];
  }
  return unpinned(server);
}

function unpinned({ command, args }: UnknownRecord): readonly Finding[] {
  if (typeof command !== "string" || !RUNNERS.test(command) || !Array.isArray(args)) return [];
  const index = args.findIndex((arg) => typeof arg === "string" && !arg.startsWith("-"));
  const name: unknown = args[index];
  if (typeof name !== "string" || /(?<=.)(?:@|==)\d/.test(name) || /^[./]|[:]/.test(name)) return [];
  const plain = name.replace(/(?<=.)@[^@/]*$/, "");
  const hint = `name a version, such as \`${plain}@1.2.3\``;
  const message = `\`${command} ${name}\` fetches another version when there is a new one`;
  return [{ path: ["args", String(index)], rule: "mcp-unpinned", message, hint }];
}

/** `.mcp.json`: the servers under `mcpServers`, or, in plugins, the servers themselves. */
export const mcpSchema: Schema = {
  title: 'a map such as `{"mcpServers": {…}}`',
  type: "object",
  properties: { mcpServers: { title: "a map of servers", type: "object", additionalProperties: serverSchema } },
};

/** The servers themselves. */
export const flatServers: Schema = { title: "a map of servers", type: "object", additionalProperties: serverSchema };

/** A server of opencode. */
export const opencodeServer: Schema = openMap("a server with a `type`", {
  type: { title: "`local` or `remote`", type: "string", enum: ["local", "remote"] },
  command: texts('a list such as `["npx", "-y", "server"]`'),
  url: text("an address"),
  environment: textMap("a map of variables"),
  headers: textMap("a map of headers"),
  enabled: { title: "`true` or `false`", type: "boolean" },
});
