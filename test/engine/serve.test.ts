import { expect, test } from "bun:test";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { engineWorker } from "../support/engine-worker.ts";
import { freePorts, restateProgram, restateServer } from "../support/restate-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { told, toldModel } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

test.skipIf(!isInstalled)(
  "two workers on one port serve each other's sessions: a prompt, a question, an answer",
  async () => {
    await using server = await restateServer();
    using home = temporaryDirectory();
    using model = toldModel();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const [port = 0] = await freePorts(1);
    const options = { home: home.path, engine: server.address, environment: model.environment, port };
    await using one = await engineWorker(options);
    await using other = await engineWorker(options);

    expect(await one.json("GET", "/api/agents")).toMatchObject({ agents: [{ id: "agent" }] });
    const { id } = await one.json("POST", "sessions", { title: "first" });
    const { sessions } = await other.json("GET", "sessions");
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(expect.objectContaining({ id, title: "first", state: "idle" }));

    const hello = told("p1", { text: "Hello." });
    expect((await one.send("POST", `sessions/${id}/prompts`, { text: hello })).status).toBe(202);
    const events = await other.eventsUntil(id, "agent_end");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });

    const ask = told(
      "p2",
      { calls: [{ id: "c1", name: "bash", input: { command: "echo made > made" } }] },
      { text: "ok" },
    );
    await other.send("POST", `sessions/${id}/prompts`, { text: ask });
    await other.eventsUntil(id, "question_asked", events.at(-1)?.id);
    const { questions } = await one.json("GET", `sessions/${id}/questions`);
    expect(questions).toMatchObject([{ id: "2.1.1", kind: "approval" }]);
    const path = `sessions/${id}/questions/2.1.1`;
    expect((await one.send("POST", path, { answer: "yes" })).status).toBe(200);
    expect((await one.send("POST", path, { answer: "yes" })).status).toBe(409);
    const rest = await one.eventsUntil(id, "agent_end", events.at(-1)?.id);
    expect(rest.filter(({ type }) => type.startsWith("question") || type === "tool_execution_end")).toMatchObject([
      { type: "question_asked" },
      { type: "question_answered", answer: { answer: "once", by: "server" } },
      { type: "tool_execution_end", isError: false },
    ]);
    expect((await other.json("GET", `sessions/${id}/messages`)).messages).toHaveLength(6);
    expect(model.requests.map(({ prompt, index }) => `${prompt}.${index}`)).toEqual(["p1.0", "p2.0", "p2.1"]);
  },
  60_000,
);
