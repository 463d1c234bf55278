import { expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { engineBench } from "../support/engine-bench.ts";
import { engineWorker } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts, restateProgram } from "../support/restate-server.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

/** A balancer on loopback: gives each connection to the next port at which somebody listens. */
async function balancer(port: number, behind: readonly number[]): Promise<Server> {
  let turn = 0;
  const pass = (from: Socket, tries: number): void => {
    const to = connect({ host: "127.0.0.1", port: behind[turn++ % behind.length] ?? 0 });
    to.once("connect", () => {
      from.pipe(to).pipe(from);
      to.on("error", () => from.destroy());
    });
    to.once("error", () => {
      if (to.connecting || to.bytesRead > 0 || tries === 0) from.destroy();
      else pass(from, tries - 1);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    to.on("close", () => to.bytesRead > 0 && from.destroy());
  };
  const server = createServer((from) => pass(from, behind.length - 1));
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return server;
}

test.skipIf(!isInstalled)(
  "workers on ports of their own, behind a balancer, share an address: one of them may die",
  async () => {
    await using bench = await engineBench();
    const [front = 0, ...ports] = await freePorts(3);
    const server = await balancer(front, ports);
    const { environment } = bench.model;
    const more = ["--allow-all", "--worker-url", `http://127.0.0.1:${front}`];
    const start = (port = 0) =>
      engineWorker({ home: bench.home, engine: bench.server.address, environment, port, more });
    try {
      await using one = await start(ports[0]);
      await using other = await start(ports[1]);
      const say = (worker: typeof one, session: string, before: number) =>
        worker.send("POST", `sessions/${session}/prompts`, { text: told(session, { text: "It is done.", before }) });
      const sessions = ["a", "b", "c", "d"];
      for (const id of sessions) {
        await one.send("POST", "sessions", { id });
        expect((await say(one, id, 3_000)).status).toBe(202);
      }
      await eventually(() => bench.model.requests.length === sessions.length);
      await one.kill("SIGKILL");
      for (const id of sessions)
        expect((await other.eventsUntil(id, "agent_end")).at(-1)).toMatchObject({ outcome: "done" });
    } finally {
      server.close();
    }
  },
  120_000,
);
