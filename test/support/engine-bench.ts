import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "./agent-files.ts";
import { type EngineWorker, engineWorker } from "./engine-worker.ts";
import { freePorts, type RestateProcess, restateServer } from "./restate-server.ts";
import type { SmallDisk } from "./small-disk.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { type ToldModel, type ToldReply, toldModel } from "./told-model.ts";

/** A Restate server, a model, and any number of workers of one agent, which share a port. */
export interface EngineBench extends AsyncDisposable {
  readonly server: RestateProcess;
  readonly model: ToldModel;
  /** The folder with the agent's folder `agent`. */
  readonly home: string;
  readonly port: number;
  /** Starts a worker. */
  start(...more: readonly string[]): Promise<EngineWorker>;
  /** The lines of a file below the home folder that tools have written; none if it does not exist. */
  linesOf(file: string): readonly string[];
}

interface EngineBenchOptions {
  readonly serverEnvironment?: Readonly<Record<string, string>>;
  /** Where the server keeps its data. */
  readonly disk?: SmallDisk;
  /** As in `toldModel`. */
  readonly idle?: ToldReply;
}

export async function engineBench(
  files: Readonly<Record<string, string>> = {},
  { serverEnvironment, idle, disk }: EngineBenchOptions = {},
): Promise<EngineBench> {
  const server = await restateServer(serverEnvironment, disk);
  const model = toldModel(idle);
  const home = temporaryDirectory();
  const workers: EngineWorker[] = [];
  let [port = 0] = await freePorts(1);
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, ...files });
  const begin = async (more: readonly string[], attempts = 3): Promise<EngineWorker> => {
    const parts = { engine: server.address, environment: model.environment, port, more };
    try {
      return await engineWorker({ home: home.path, ...parts });
    } catch (error) {
      // Since it was found free, another process may have been given the port.
      if (attempts === 1 || workers.length > 0 || !String(error).includes("EADDRINUSE")) throw error;
      [port = 0] = await freePorts(1);
      return begin(more, attempts - 1);
    }
  };
  return {
    ...{ server, model, home: home.path },
    get port() {
      return port;
    },
    start: async (...more) => {
      const worker = await begin(more);
      workers.push(worker);
      return worker;
    },
    linesOf: (file) => {
      const path = join(home.path, file);
      return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      model[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
