import { openForTools, type PreparedRun, prepareRun, readTrusted } from "@mdx-ai/directory";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ToolResult } from "@mdx-ai/loop";
import { mcpToolName } from "@mdx-ai/parser/mcp-tool-name";
import type { Agent, AgentServer } from "@mdx-ai/runtime";
import { executeTool } from "@mdx-ai/tools";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import { toolArguments } from "../arguments/tool-arguments.ts";
import { serverListeners, trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { enabledServers } from "../mcp/enabled-servers.ts";
import { serversText, serverView, stateText, wholeServerView } from "../mcp/server-view.ts";
import { resultText, unknownName } from "./tool.ts";

/**
 * `mdx-ai mcp`: lists an agent's MCP servers and their tools, calls a tool without a model, or signs in. Starts the servers, so the
 * directory must be trusted.
 */
export async function runMcp(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = { ...readRunOptions(args, context), isEphemeral: true };
  const work = workOf(args);
  const signal = context.interruption.listen();
  const directory = await readTrusted(options, trustOptions(context, signal));
  const run = await prepareRun(options, directory, context);
  const listeners = serverListeners({ context, say: (line) => context.stderr.write(`mdx-ai: ${plainLine(line)}\n`) });
  const { agent, close } = await openForTools(run, context, listeners);
  try {
    const exitCode = await work({ agent, run, args, context, signal });
    return context.interruption.exitCode ?? exitCode;
  } finally {
    await close();
  }
}

interface Work {
  readonly agent: Agent;
  readonly run: PreparedRun;
  readonly args: ParsedArguments;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

function workOf({ positionals }: ParsedArguments): (work: Work) => Promise<number> {
  const [, action, ...words] = positionals;
  switch (action) {
    case undefined:
      return list;
    case "call":
      return call;
    case "login":
      if (words.length > 1)
        throw new UsageError(`unexpected argument ${JSON.stringify(words[1])}; login takes one server`);
      return login;
    default:
      throw new UsageError(`unknown action ${JSON.stringify(action)}; write call SERVER TOOL or login SERVER`);
  }
}

async function list({ agent, args, context, signal }: Work): Promise<number> {
  const { stdout, paint } = context;
  const isEnabled = await enabledServers(agent);
  const servers = await Promise.all(
    agent.servers.map(async (server) => {
      if (!isEnabled(server)) return serverView(server, false);
      await server.connect(signal);
      return server.state.type === "connected" ? wholeServerView(server, signal) : serverView(server, true);
    }),
  );
  if (args.switches.has("json")) stdout.write(`${jsonText({ servers }, 2)}\n`);
  else if (servers.length === 0) stdout.write("This agent has no MCP servers; write them under `mcp` in agent.mdx.\n");
  else stdout.write(serversText(servers, paint));
  return servers.some(({ state }) => state.type === "failed") ? EXIT_CODE.failed : EXIT_CODE.done;
}

async function call({ agent, run, args, context, signal }: Work): Promise<number> {
  const { stdout, stderr } = context;
  const [, , name, toolName, ...pairs] = args.positionals;
  const server = await findServer(agent, name);
  await connected(server, signal);
  const tools = server.tools.map((tool) => tool.name);
  const tool = agent.tools.find((one) => one.name === mcpToolName(server.name, toolName ?? ""));
  if (toolName === undefined || tool === undefined) throw unknownName("tool", toolName, tools);
  const given = toolArguments(tool.parameters, pairs, args.values.get("arguments"));
  const say = (text: string): void => stderr.write(`${plainLine(text)}\n`);
  const result = await executeTool(tool, given, {
    ...{ agentDir: run.directory.path, cwd: run.folder, sessionId: "none", callId: "none", signal },
    log: async (message) => say(message),
    update: (partial) => say(typeof partial === "string" ? partial : partialText(partial)),
  });
  await stderr.flush();
  if (args.switches.has("json")) stdout.write(`${jsonText(result, 2)}\n`);
  else (result.isError ? stderr : stdout).write(resultText(result));
  return result.isError ? EXIT_CODE.failed : EXIT_CODE.done;
}

const partialText = ({ content }: ToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join(" ");

async function login({ agent, args, context, signal }: Work): Promise<number> {
  const server = await findServer(agent, args.positionals[2]);
  await connected(server, signal);
  if (server.state.type !== "connected") return EXIT_CODE.interrupted;
  context.stdout.write(`${plainLine(server.name)} is connected, with ${counted(server.tools.length, "tool")}\n`);
  return EXIT_CODE.done;
}

/** Throws `UsageError`, which lists the available servers. */
async function findServer(agent: Agent, name: string | undefined): Promise<AgentServer> {
  const server = agent.servers.find((candidate) => candidate.name === name);
  if (server !== undefined) return server;
  const names = agent.servers.map((candidate) => candidate.name);
  throw unknownName("MCP server", name, names);
}

/** Throws `ProgramError` if the server is unavailable. */
async function connected(server: AgentServer, signal: AbortSignal): Promise<void> {
  await server.connect(signal);
  if (server.state.type === "connected" || signal.aborted) return;
  const { ProgramError } = await import("../failures/program-error.ts");
  const state = stateText({ state: server.state, isEnabled: true });
  throw new ProgramError(`the MCP server ${server.name} is ${state}`, EXIT_CODE.failed);
}
