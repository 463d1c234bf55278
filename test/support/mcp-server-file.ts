import { join } from "node:path";

/** Servers of the official packages, as an agent declares them. */
const ROOT = join(import.meta.dir, "../..");

/** The folder of this Bun, for servers whose command is `bun`. */
const bunFolder = join(process.execPath, "..");

/** The variables of a run in which `bun` is a command. */
export const withBun: Readonly<Record<string, string>> = { PATH: `${bunFolder}:${process.env["PATH"]}` };

interface PackageServer {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The line under `mcp:` that declares a server of a package, such as `server-filesystem`. */
export const packageServer = (name: string, server: string, { args = [], env = {} }: PackageServer): string => {
  const program = join(ROOT, "node_modules/@modelcontextprotocol", server, "dist/index.js");
  return `  ${name}: ${JSON.stringify({ command: process.execPath, args: [program, ...args], env })}\n`;
};

/** The line under `mcp:` that declares `server-everything`. */
export const everythingServer = (name: string, more = ""): string =>
  `  ${name}: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(
    join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
  )}]${more}}\n`;

/** The line under `mcp:` that declares the server of a file in the agent directory. */
export const fileServer = (name: string, file: string, more = ""): string =>
  `  ${name}: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(file)}]${more}}\n`;

/** agent.mdx with servers. */
export const agentWithServers = (servers: string, more = ""): string =>
  `---\n${more}mcp:\n${servers}---\n\n# Agent: Tea\n\n## Purpose\n\nBrew tea.\n`;

/** A server that speaks the protocol in a few lines, so that a test can make it do what no good server does. */
export const bareServer = (body: string): string => `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answer = (id, result) => send({ id, result });
let tools = [{ name: "greet", description: "Greets.", inputSchema: { type: "object" } }];
const text = (id, words, more = {}) => answer(id, { content: [{ type: "text", text: words }], ...more });
const initialize = (id, params) => answer(id, {
  protocolVersion: params.protocolVersion,
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
  serverInfo: { name: "bare", version: "1" },
});
const handlers = {
  initialize: (id, params) => initialize(id, params),
  "tools/list": (id) => answer(id, { tools }),
  "tools/call": (id, params) => text(id, JSON.stringify(params.arguments)),
  ping: (id) => answer(id, {}),
};
${body}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (handlers[method]) handlers[method](id, params);
  else if (method) send({ id, error: { code: -32601, message: "no such method" } });
});
`;
