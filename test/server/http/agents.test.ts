import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { writeText } from "../../support/agent-files.ts";
import { eventsUntil, type Json, type ServedAgent, serveAgent } from "../../support/served-agent.ts";

const AGENT = `---
description: Watches the weather.
schedule: 1h
timezone: UTC
mcp:
  files: { command: "true", env: { TOKEN: "sk-ant-api03-${"x".repeat(93)}AA" } }
---
# Agent: Watcher

## Purpose

Watch.
`;

test("agents are read with their heartbeats, memory, tools, skills and settings, without keys", async () => {
  await using agent = await serveAgent({
    files: {
      "agent.mdx": AGENT,
      "AGENT.md": "* Be brief.\n",
      "skills/plan/SKILL.md": "---\nname: plan\ndescription: Plans.\n---\nPlan.\n",
    },
  });
  const ended = { type: "ended", at: new Date().toISOString(), task: "On Wake", run: "r", outcome: "done" };
  writeText(`${agent.directory}/state/heartbeat.jsonl`, `${JSON.stringify({ ...ended, usd: 0.5, tokens: 9 })}\n`);
  const { agents } = await agent.json("GET", "/api/agents");
  expect(agents).toMatchObject([
    { name: "agent", title: "Watcher", description: "Watches the weather.", mode: "ask", session: "main" },
  ]);
  expect(await agent.json("GET", "/api/agents/agent")).toEqual(agents[0]);
  expect(await agent.json("GET", "heartbeats")).toMatchObject({
    schedule: [{ interval: 3_600_000, timezone: "UTC" }],
    // It is late, so it may have begun another run.
    wakes: expect.arrayContaining([
      expect.objectContaining({ task: "On Wake", at: ended.at, outcome: "done", usd: 0.5, tokens: 9 }),
    ]),
  });
  expect((await agent.json("GET", "tools")).tools.map(({ name }: { name: string }) => name)).toContain("bash");
  expect((await agent.json("GET", "skills")).skills).toEqual([
    { name: "plan", description: "Plans.", version: "1.0.0", isEnabled: true },
  ]);
  const settings = await (await agent.send("GET", "settings")).text();
  expect(settings).toContain("Watches the weather.");
  expect(settings).not.toContain("xxxx");
  const added = await agent.send("POST", "memory", { text: "likes rain" });
  expect(added.status).toBe(201);
  const { memories, notes } = await agent.json("GET", "memory");
  expect([memories, notes]).toMatchObject([[{ content: "likes rain" }], "* Be brief.\n"]);
  expect((await agent.send("DELETE", `memory/${memories[0].id}`)).status).toBe(204);
  expect((await agent.send("DELETE", `memory/${memories[0].id}`)).status).toBe(404);
  expect((await agent.send("POST", "memory", { text: " " })).status).toBe(422);
});

test("tools run without a model as the permissions say, and a task of the heartbeat when it is asked for", async () => {
  await using agent = await serveAgent({
    files: { "agent.mdx": AGENT, "heartbeat.md": "# Heartbeat\n\n## On Wake\n\n- Look.\n" },
  });
  const read = await agent.json("POST", "tools/read_file", { arguments: { path: "agent.mdx" } });
  expect([read.isError, read.content[0].text]).toEqual([false, expect.stringContaining("Watcher")]);
  const asked = await agent.json("POST", "tools/bash", { arguments: { command: "touch made" } });
  expect([asked.isError, existsSync(`${agent.directory}/made`)]).toEqual([true, false]);
  expect((await agent.json("POST", "tools/read_file", {})).isError).toBe(true);
  expect((await agent.send("POST", "tools/none", {})).status).toBe(404);
  expect((await agent.send("POST", "tools/bash", { arguments: "x" })).status).toBe(422);
  expect((await agent.send("POST", "heartbeats/none", {})).status).toBe(404);
  const [task] = (await agent.json("GET", "heartbeats")).tasks;
  expect((await agent.send("POST", `heartbeats/${encodeURIComponent(task.task ?? task.name)}`, {})).status).toBe(202);
  // The process that wakes the agent reads it from there.
  expect(readFileSync(`${agent.directory}/state/heartbeat.jsonl`, "utf8")).toContain('"type":"asked"');
});

test("a session has its costs and skills, and is exported as JSON, Markdown, a page and a recording", async () => {
  await using agent = await serveAgent({
    files: { "skills/plan/SKILL.md": "---\nname: plan\ndescription: Plans.\n---\nPlan.\n" },
    replies: [{ text: "<b>Hello</b>", usage: { input: 10, output: 5 } }],
  });
  await agent.send("POST", "sessions/main/prompts", { text: "Hi." });
  await eventsUntil(agent, "main", "agent_end");
  expect(await agent.json("GET", "sessions/main/info")).toMatchObject({
    session: { usage: { input: 10, output: 5 } },
    day: { usage: { total: 15 } },
    mode: "ask",
  });
  const plan = { name: "plan", description: "Plans.", isEnabled: true, tools: [] };
  expect((await agent.json("GET", "sessions/main/skills")).skills).toEqual([plan]);
  const changed = await agent.json("PATCH", "sessions/main/skills/plan", { enabled: false });
  expect(changed.skills).toEqual([{ ...plan, isEnabled: false }]);
  expect((await agent.send("PATCH", "sessions/main/skills/none", { enabled: true })).status).toBe(422);
  expect((await agent.send("PATCH", "sessions/main/skills/plan", {})).status).toBe(422);
  expect((await agent.send("GET", "sessions/none/skills")).status).toBe(404);
  const exported = async (format: string): Promise<readonly [type: string, text: string]> => {
    const response = await agent.send("GET", `sessions/main/export?format=${format}`);
    return [response.headers.get("content-type") ?? "", await response.text()];
  };
  expect(await exported("json")).toEqual(["application/json", expect.stringContaining('"messages":[')]);
  expect(await exported("jsonl")).toEqual(["application/jsonl", expect.stringContaining("Hello")]);
  expect(await exported("md")).toEqual([
    "text/markdown; charset=utf-8",
    expect.stringMatching(/^# Session main\n.*> <b>Hello<\/b>/s),
  ]);
  expect(await exported("html")).toEqual([
    "text/html; charset=utf-8",
    expect.stringContaining("&lt;b&gt;Hello&lt;/b&gt;"),
  ]);
  expect((await exported("pdf"))[0]).toBe("application/problem+json");
});

/** The body of a description's operation, checked as the server checks it. */
const bodyOfPath = (document: Json, path: string): unknown =>
  document.paths[path].post.requestBody.content["application/json"].schema;

test("the API is described in OpenAPI 3.1, by the schemas that check its bodies", async () => {
  await using agent = await serveAgent();
  const document = await agent.json("GET", "/openapi.json");
  const result = await new Validator().validate(document);
  expect(result).toMatchObject({ valid: true });
  const paths: readonly string[] = Object.keys(document.paths);
  expect(paths).toContain("/api/agents/{agent}/sessions/{session}/questions/{question}");
  expect(bodyOfPath(document, "/api/agents/{agent}/sessions/{session}/prompts")).toMatchObject({
    required: ["text"],
    additionalProperties: false,
  });
  expect(await missing(agent, paths)).toEqual([]);
});

/** The paths that the server does not know although it describes them. */
async function missing(agent: ServedAgent, paths: readonly string[]): Promise<readonly string[]> {
  const statuses = await Promise.all(
    paths.map(async (path) => {
      const response = await agent.send("PUT", path.replaceAll(/\{\w+\}/g, "x"));
      return response.status === 405 ? [] : [path];
    }),
  );
  return statuses.flat();
}
