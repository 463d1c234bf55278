import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { McpError } from "../mcp-error.ts";
import { installHint } from "../processes/exit-hint.ts";
import { serverEnvironment } from "../processes/server-environment.ts";
import { type ChannelEvents, ServerProcess } from "../processes/server-process.ts";

export interface StdioPlace extends CommandPlace {
  /** Milliseconds for each way to stop the program. */
  readonly endLimit: number;
}

/** Starts a server's program. Throws `McpError` if it is not found or cannot be started. */
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
  /** Base of relative paths. Absolute. */
  readonly baseDir: string;
  /** Folders that the model's commands may write to. Absolute. */
  readonly written: readonly string[];
  readonly environment: Environment;
}

/**
 * Finds a program: a name with a slash is relative to `folder`, any other is searched on the absolute entries of PATH that are outside the
 * folders where commands write. Undefined if nothing executable is found.
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
