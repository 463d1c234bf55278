import { expect, test } from "bun:test";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { engineBench } from "../support/engine-bench.ts";
import { engineWorker } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts, restateProgram } from "../support/restate-server.ts";
import { canMount, smallDisk } from "../support/small-disk.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const OTHER_AGENT = MINIMAL_AGENT.replace("Minimal", "Other");

test.skipIf(!isInstalled)(
  "a worker that cannot work says what to do, and takes no prompt from the others",
  async () => {
    await using bench = await engineBench();
    using elsewhere = temporaryDirectory();
    const worker = await bench.start();
    const start = async (engine: string, port: number, files: Readonly<Record<string, string>>): Promise<string> => {
      using home = temporaryDirectory(elsewhere.path);
      writeFiles(home.path, files);
      const { environment } = bench.model;
      return await engineWorker({ home: home.path, engine, environment, port }).then(
        () => "it works",
        (error: unknown) => String(error),
      );
    };
    const [free = 0] = await freePorts(1);
    const agent = { "agent/agent.mdx": MINIMAL_AGENT };
    expect(await start(`restate://127.0.0.1:${free}`, bench.port, agent)).toContain("start one with restate-server");
    expect(await start("http://127.0.0.1:1", bench.port, agent)).toContain("expected restate://HOST:PORT");
    expect(await start(bench.server.address, bench.port, { "agent/agent.mdx": OTHER_AGENT })).toContain(
      'the engine has another agent agent already ("Minimal"',
    );
    expect(await start(bench.server.address, free, agent)).toContain("start this one with --worker-url");
    expect(await start(bench.server.address, bench.port, {})).toContain("is not an agent directory");
    await worker.send("POST", "sessions/main/prompts", { text: told("p", { text: "Here." }) });
    expect((await worker.eventsUntil("main", "agent_end")).at(-1)).toMatchObject({ outcome: "done" });
  },
  120_000,
);

test.skipIf(!isInstalled)(
  "a prompt that began with an edited agent's earlier version, or at a dead address, is finished",
  async () => {
    await using bench = await engineBench();
    const first = await bench.start("--allow-all");
    const call = { id: "c1", name: "bash", input: { command: "echo one >> effects" } };
    const text = told("p", { calls: [call] }, { text: "done", before: 3_000 });
    await first.send("POST", "sessions/main/prompts", { text });
    await eventually(() => bench.model.requests.length === 2);
    writeFiles(bench.home, { "agent/agent.mdx": `${MINIMAL_AGENT}\n## Constraints\n\n- Be brief\n` });
    const second = await bench.start("--allow-all");
    expect(await first.kill("SIGTERM")).toBe(0);
    expect((await second.eventsUntil("main", "agent_end")).at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual(["one"]);
    const [before, after] = bench.model.requests.slice(-2).map(({ body }) => JSON.stringify(body));
    expect(before).not.toContain("Be brief");
    expect(after).toContain("Be brief");

    await second.send("POST", "sessions/main/prompts", { text: told("q", { text: "moved", before: 3_000 }) });
    await eventually(() => bench.model.requests.some(({ prompt }) => prompt === "q"));
    await second.kill("SIGKILL");
    const [port = 0] = await freePorts(1);
    const { environment } = bench.model;
    await using third = await engineWorker({ home: bench.home, engine: bench.server.address, environment, port });
    const events = await third.eventsUntil("main", "agent_end", "2.1");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
  },
  120_000,
);

const mounts = canMount();
if (!mounts) console.warn("skipped: this machine does not let a test mount a small disk");

test.skipIf(!isInstalled || !mounts)(
  "a full disk at the server is named, and after room is made and a restart all continues",
  async () => {
    using disk = await smallDisk(64);
    await using bench = await engineBench({}, { disk });
    const worker = await bench.start("--allow-all");
    const say = (prompt: string) =>
      worker.send("POST", "sessions/main/prompts", { text: told(prompt, { text: `${prompt} is done` }) });
    expect((await say("one")).status).toBe(202);
    await worker.eventsUntil("main", "agent_end");
    disk.fill();
    const refused = await say("two");
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { code: "store_unavailable", detail: expect.stringContaining("a full disk stops it; make room, and restart it") },
    ]);
    disk.clear();
    await bench.server.kill();
    await bench.server.start();
    expect((await say("three")).status).toBe(202);
    await eventually(() => bench.model.requests.some(({ prompt }) => prompt === "three"));
    await worker.eventsUntil("main", "agent_end", "2.1");
    const { messages } = await worker.json("GET", "sessions/main/messages");
    expect(JSON.stringify(messages)).toContain("one is done");
  },
  180_000,
);
