import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentTool, UserPermissions } from "@mdx-ai/loop";
import type { PermissionSettings, SandboxMode, ToolDefinition } from "@mdx-ai/parser";
import { executeTool } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { deniedPaths } from "../../packages/permissions/src/denied-paths.ts";
import { Permissions } from "../../packages/permissions/src/permissions.ts";
import { protectedPaths } from "../../packages/permissions/src/protected-paths.ts";
import type { SandboxOptions, ShellNetwork } from "../../packages/sandbox/src/command-sandbox.ts";
import { Sandbox } from "../../packages/sandbox/src/sandbox.ts";
import { bashTool } from "../../packages/tools/src/bash.ts";
import { inlineTool, ToolHost } from "../../packages/tools/src/tool-host/tool-host.ts";
import { writeText } from "./agent-files.ts";
import { noProcessesOf } from "./remaining-processes.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { toolDoing } from "./tool-bench.ts";
import { textOf, toolContext } from "./tool-context.ts";

export interface SandboxBenchOptions {
  /** Of the agent directory, beside its agent.mdx. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Folders that `PATH` begins with; absolute, or relative to the home folder. */
  readonly path?: readonly string[];
  readonly mode?: SandboxMode;
  readonly network?: ShellNetwork;
  readonly credentials?: SandboxOptions["credentials"];
  readonly definingFiles?: readonly string[];
  /** The folder of the agent's data, relative to the home folder; else the agent directory. */
  readonly data?: string;
  /** What the agent keeps of it; all if absent. */
  readonly keeps?: SandboxOptions["keeps"];
  /** What the user's settings show, and let it write; relative to the home folder. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** The permissions of the directory, and the user's. */
  readonly permissions?: PermissionSettings;
  readonly user?: UserPermissions;
  /** Where the user stands, relative to the home folder; else in the agent directory. */
  readonly cwd?: string;
  /** Where the user lets it work, relative to the home folder, or absolute; else nowhere but in the agent directory. */
  readonly workspace?: string;
  /** The agent directory, relative to the folder of this bench; else `agent`. */
  readonly agent?: string;
  /** A link to the agent directory by which it is named, relative to the folder of this bench. */
  readonly link?: string;
  /** The user's home folder, relative to the folder of this bench, which is it otherwise. */
  readonly ownHome?: string;
  /** The numbers of accounts, by their home folders relative to the folder of this bench; else those of this machine. */
  readonly accounts?: Readonly<Record<string, number>>;
  /** How long a process of a tool waits for its next call. */
  readonly idleMilliseconds?: number;
}

interface BenchAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A shell and a tool host in a sandbox over an agent directory. Disposing it checks that no process is left. */
export interface SandboxBench extends AsyncDisposable {
  /** The agent directory, `agent` in a folder of its own that is the home folder. */
  readonly directory: string;
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly warnings: readonly string[];
  /** Runs a command as the tool `bash` would. */
  bash(command: string, timeout?: number): Promise<BenchAnswer>;
  /** Runs a tool whose `execute` has this body. */
  tool(body: string, more?: Partial<ToolDefinition>): Promise<BenchAnswer>;
  /** Ends what is contained, and the sandbox. */
  close(): Promise<void>;
}

function accountsFile(folder: string, accounts: Readonly<Record<string, number>>): string {
  const lines = Object.entries(accounts).map(([path, uid]) => `x:x:${uid}:${uid}::${join(folder, path)}:/bin/sh\n`);
  const file = join(folder, "passwd");
  writeText(file, lines.join(""));
  return file;
}

export function openSandboxBench(options: SandboxBenchOptions = {}): SandboxBench {
  const folder = temporaryDirectory();
  const home = folder.path;
  const directory = `${home}/${options.agent ?? "agent"}`;
  for (const [path, text] of Object.entries({ "agent.mdx": "the definition", ...options.files })) {
    writeText(join(directory, path), text);
  }
  const warnings: string[] = [];
  const searchPath = [...(options.path ?? []).map((entry) => resolve(home, entry)), process.env["PATH"]].join(":");
  const environment = { PATH: searchPath, HOME: join(home, options.ownHome ?? ""), ...options.environment };
  const inHome = (paths: readonly string[] = []): readonly string[] => paths.map((path) => join(home, path));
  const [read, write] = [inHome(options.read), inHome(options.write)];
  const policy = { mode: options.mode ?? "required", network: options.network ?? "none", read, write };
  const cwd = join(home, options.cwd ?? options.agent ?? "agent");
  if (options.link !== undefined) symlinkSync(directory, join(home, options.link));
  const named = options.link === undefined ? directory : join(home, options.link);
  const workspace = options.workspace === undefined ? undefined : resolve(home, options.workspace);
  if (workspace !== undefined) mkdirSync(workspace, { recursive: true });
  const surroundings = { agentDir: named, cwd, environment };
  const { permissions: settings, user } = options;
  const permissions = new Permissions({ ...surroundings, settings, user, now: () => 0 });
  const sandbox = new Sandbox({
    ...{ ...surroundings, toolHostCommand: toolHostCommand(), policy, definingFiles: options.definingFiles },
    lists: () => protectedPaths({ environment, definingFiles: options.definingFiles }),
    ...(options.data !== undefined && { dataDir: join(home, options.data) }),
    ...(options.accounts !== undefined && { accounts: accountsFile(home, options.accounts) }),
    ...{ keeps: options.keeps, workspace, credentials: options.credentials },
    denied: () => ({ read: deniedPaths(permissions, "read"), write: deniedPaths(permissions, "write") }),
    onWarning: (warning) => warnings.push(warning),
  });
  const host = new ToolHost({
    ...{ ...surroundings, ...(workspace !== undefined && { cwd: workspace }) },
    command: toolHostCommand(),
    sandbox,
    idleMilliseconds: options.idleMilliseconds,
  });
  const bash = bashTool({ environment, sandbox });
  const run = async (tool: AgentTool, args: Record<string, string | number>): Promise<BenchAnswer> => {
    const result = await executeTool(tool, args, { ...toolContext(named), cwd: workspace ?? named });
    return { text: textOf(result), isError: result.isError };
  };
  return {
    ...{ directory, home, sandbox, warnings },
    bash: (command, timeout = 20) => run(bash, { command, timeout }),
    tool: (body, more = {}) => run(inlineTool(toolDoing(body, more), host), {}),
    close: () => host.close(),
    [Symbol.asyncDispose]: async () => {
      await host.close();
      await noProcessesOf(home);
      folder[Symbol.dispose]();
    },
  };
}
