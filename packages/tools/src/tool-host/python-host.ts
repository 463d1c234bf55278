import type { Environment, JsonObject } from "@mdx-ai/base";
import { findProgram, realPathOrSame } from "@mdx-ai/base/disk";
import type { BoundedResult, ToolContext } from "@mdx-ai/loop";
import { callReport } from "./call-report.ts";
import type { ChildPoolOptions } from "./child-pool.ts";
import { HostedCalls } from "./hosted-calls.ts";
import { PYTHON_PROGRAM } from "./python-program.ts";

/** A function of a Python module of the agent directory. */
export interface PythonFunction {
  /** The folder that comes first when modules are imported. Absolute. */
  readonly folder: string;
  /** With dots, such as `weather.api`. */
  readonly module: string;
  readonly name: string;
  readonly seconds: number;
}

interface PythonHostOptions extends Omit<ChildPoolOptions, "command" | "cwd"> {
  /** The folder where tools work: the working directory of the processes. Absolute. */
  readonly cwd: string;
  /** The user's working directory: programs in it must belong to the system. Absolute. */
  readonly userCwd: string;
}

/** No usable python3 was found. */
class NoPythonError extends Error {
  override readonly name = "NoPythonError";
}

/** Isolates imports from the user's variables and folders, and writes nothing beside the modules. */
const OPTIONS = ["-I", "-B", "-X", "utf8", "-X", "pycache_prefix=/dev/null"];

/** Calls functions of Python modules in python3 processes, which are kept and sandboxed like those of inline tools. */
export class PythonHost {
  readonly #options: PythonHostOptions;
  readonly #root: string;
  #calls: HostedCalls | undefined;
  #isClosed = false;

  /** Starts no process before the first call. */
  constructor(options: PythonHostOptions) {
    this.#options = options;
    this.#root = realPathOrSame(options.agentDir);
  }

  /**
   * Runs one call. A process serves one function of one session and keeps its modules for the next call. Text over the limit is
   * cut. Rejects with `NoPythonError`.
   */
  call(
    { folder, module, name, seconds }: PythonFunction,
    args: JsonObject,
    context: ToolContext,
  ): Promise<BoundedResult> {
    this.#calls ??= this.#open();
    const { cwd, sessionId, signal } = context;
    const called = { folder: realPathOrSame(folder), root: this.#root, module, function: name };
    return this.#calls.run({
      kind: {
        key: JSON.stringify([sessionId, folder, module, name]),
        environment: [],
        purpose: "code",
      },
      seconds,
      signal,
      report: callReport(context),
      request: (id) => ({ type: "function", id, args, cwd: realPathOrSame(cwd), called }),
    });
  }

  /** Kills all processes; open calls end with an error result. Never rejects; may be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#calls?.close();
  }

  #open(): HostedCalls {
    const { userCwd, ...options } = this.#options;
    const python = pythonProgram(options.environment, { agentDir: options.agentDir, cwd: options.cwd, userCwd });
    const calls = new HostedCalls({ ...options, command: [python, ...OPTIONS, "-c", PYTHON_PROGRAM] });
    if (this.#isClosed) void calls.close();
    return calls;
  }
}

interface Folders {
  readonly agentDir: string;
  readonly cwd: string;
  readonly userCwd: string;
}

function pythonProgram(environment: Environment, { agentDir, cwd, userCwd }: Folders): string {
  const outside = cwd === agentDir ? [agentDir] : [agentDir, cwd];
  const found = findProgram("python3", { environment, outside, cwd: userCwd });
  if (found === undefined) {
    throw new NoPythonError(
      "python3 is not on PATH: install Python 3, which runs the tools with a `python:` entrypoint",
    );
  }
  return found;
}
