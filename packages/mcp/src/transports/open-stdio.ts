import { resolve } from "node:path";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { McpError } from "../mcp-error.ts";
import type { ChannelEvents } from "../processes/byte-channel.ts";
import { type CommandPlace, findCommand } from "../processes/find-command.ts";
import { serverEnvironment } from "../processes/needed-variables.ts";
import { ServerProcess } from "../processes/server-process.ts";

export interface StdioPlace extends CommandPlace {
  /** Milliseconds for each way to end the program. */
  readonly endLimit: number;
}

/** Starts the program of a server. Throws `McpError` if there is none, or the system does not start it. */
export function startServer(server: McpServerDefinition, place: StdioPlace, events: ChannelEvents): ServerProcess {
  const { command = "", args = [], env = {}, cwd = "." } = server;
  const { baseDir, environment, endLimit } = place;
  const path = findCommand(command, place);
  if (path === undefined)
    throw new McpError(`there is no program ${command}${command.includes("/") ? "" : " on PATH"}`);
  return new ServerProcess(
    { command: path, args, cwd: resolve(baseDir, cwd), environment: serverEnvironment(environment, env), endLimit },
    events,
  );
}
