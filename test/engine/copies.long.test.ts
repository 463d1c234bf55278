import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import { runCli } from "../support/run-cli.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

test.skipIf(!isInstalled)(
  "a session of an engine is copied out, traced, copied back and continued",
  async () => {
    await using bench = await engineBench();
    const worker = await bench.start("--allow-all");
    const run = (...args: readonly string[]) => runCli(args, { home: bench.home });
    const engine = ["--engine", bench.server.address];
    await worker.send("POST", "sessions", { id: "one", title: "The first" });
    const call = { id: "c1", name: "bash", input: { command: "echo made" } };
    await worker.send("POST", "sessions/one/prompts", { text: told("p", { calls: [call] }, { text: "It is made." }) });
    await worker.eventsUntil("one", "agent_end");

    expect(await run("engine", "export", "agent", "one", ...engine)).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await run("sessions", "agent")).stdout).toContain("The first");
    expect((await run("trace", "agent", "--session", "one")).stdout).toContain("bash");
    expect((await run("replay", "agent", "--session", "one")).exitCode).toBe(0);
    const again = await run("engine", "export", "agent", "one", ...engine);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("already exists")]);

    expect((await worker.send("DELETE", "sessions/one")).status).toBe(204);
    expect((await worker.send("GET", "sessions/one")).status).toBe(404);
    expect((await run("engine", "export", "agent", "one", ...engine)).exitCode).toBe(1);
    expect(await run("engine", "import", "agent", "one", ...engine)).toMatchObject({ exitCode: 0, stderr: "" });
    await worker.send("POST", "sessions/one/prompts", { text: told("q", { text: "Again." }) });
    const events = await worker.eventsUntil("one", "agent_end", "2.1");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(JSON.stringify(bench.model.requests.at(-1)?.body)).toContain("It is made.");
    expect((await worker.json("GET", "sessions/one")).title).toBe("The first");
  },
  120_000,
);
