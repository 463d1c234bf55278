import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { McpError } from "../mcp-error.ts";
import { installHint } from "../processes/exit-hint.ts";
import { serverEnvironment } from "../processes/needed-variables.ts";
import { type ChannelEvents, ServerProcess } from "../processes/server-process.ts";

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
    throw new McpError(
      `there is no program ${command}${command.includes("/") ? "" : ` on PATH${installHint(command)}`}`,
    );
  return new ServerProcess(
    { command: path, args, cwd: resolve(baseDir, cwd), environment: serverEnvironment(environment, env), endLimit },
    events,
  );
}

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

interface CommandPlace {
  /** Of relative paths. Absolute. */
  readonly baseDir: string;
  /** Folders that commands of a model may write. Absolute. */
  readonly written: readonly string[];
  readonly environment: Environment;
}

/**
 * The path of a program: relative to a folder if its name holds a slash, else the first on an absolute entry of PATH that
 * neither lies nor leads into the folders in which commands write. Undefined if there is none that can be run.
 */
function findCommand(name: string, { baseDir: folder, written, environment }: CommandPlace): string | undefined {
  if (name.includes("/")) return Bun.which(resolve(folder, name)) ?? undefined;
  for (const entry of (environment["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute)) {
    const path = Bun.which(name, { PATH: entry });
    if (path !== null && !written.some((one) => isWithin(real(one), real(path)) || isWithin(real(one), real(entry))))
      return path;
  }
  return undefined;
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
