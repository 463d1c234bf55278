import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { eventually } from "./eventually.ts";
import type { SmallDisk } from "./small-disk.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** The server's program for this platform, from its package; undefined if it is not installed. */
export function restateProgram(): string | undefined {
  try {
    const entry = Bun.resolveSync("@restatedev/restate-server/package.json", import.meta.dir);
    const platform = `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`;
    const program = join(dirname(Bun.resolveSync(platform, dirname(entry))), "bin/restate-server");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** The environment of a server that waits a second for news of a worker, then another one until it tries elsewhere. By default it takes minutes. */
export const IMPATIENT_SERVER = {
  RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: "1s",
  RESTATE_WORKER__INVOKER__ABORT_TIMEOUT: "1s",
};

/** A Restate server on loopback, with its data in a new folder. */
export interface RestateProcess extends AsyncDisposable {
  /** For `--engine`. */
  readonly address: string;
  readonly admin: string;
  readonly ingress: string;
  readonly pid: number;
  /** The folder with its data. Absolute. */
  readonly data: string;
  /** The rows of a query about its own tables. */
  query(query: string): Promise<readonly unknown[]>;
  /** Kills it at once; `start` starts it again with its data. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server, its data on a disk if one is given; resolves when it answers. */
export async function restateServer(
  environment: Readonly<Record<string, string>> = {},
  disk?: SmallDisk,
): Promise<RestateProcess> {
  const program = restateProgram();
  if (program === undefined) throw new Error("@restatedev/restate-server is not installed");
  const data = disk ? { path: disk.path, [Symbol.dispose]: () => {} } : temporaryDirectory();
  const [admin = 0, ingress = 0, node = 0] = await freePorts(3);
  const spawn = (): Bun.Subprocess =>
    Bun.spawn(
      [
        ...[...(disk?.command ?? []), program, "--no-logo", "--listen-mode", "tcp"],
        ...["--bind-ip", "127.0.0.1", "--bind-port", String(node)],
        ...["--advertised-host", "127.0.0.1", "--node-name", "n1", "--base-dir", data.path],
      ],
      {
        cwd: data.path,
        env: {
          PATH: process.env["PATH"],
          HOME: data.path,
          RESTATE_DISABLE_TELEMETRY: "true",
          RESTATE_DEFAULT_NUM_PARTITIONS: "4",
          RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
          RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
          RESTATE_LOG_FILTER: "error",
          ...environment,
        },
        ...{ stdin: "ignore", stdout: "ignore", stderr: "ignore" },
      },
    );
  let child = spawn();
  const answers = async (): Promise<void> => {
    let isUp = false;
    const ask = async (): Promise<void> => {
      const found = await fetch(`http://127.0.0.1:${admin}/version`).catch(() => undefined);
      const health = await fetch(`http://127.0.0.1:${ingress}/restate/health`).catch(() => undefined);
      isUp = found?.ok === true && health?.ok === true;
      if (!isUp && child.exitCode === null) setTimeout(() => void ask(), 20);
    };
    void ask();
    await eventually(() => isUp);
  };
  await answers();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return {
    address: `restate://127.0.0.1:${admin}`,
    admin: `http://127.0.0.1:${admin}`,
    ingress: `http://127.0.0.1:${ingress}`,
    data: data.path,
    get pid() {
      return child.pid;
    },
    query: async (query) => {
      const response = await fetch(`http://127.0.0.1:${admin}/query`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ query }),
      });
      const answer: unknown = await response.json();
      return isRecord(answer) && Array.isArray(answer["rows"]) ? answer["rows"] : [];
    },
    kill,
    start: async () => {
      child = spawn();
      await answers();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      data[Symbol.dispose]();
    },
  };
}

/** Ports that were free just now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.once("listening", () => {
            const address = server.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
