import { readFileSync } from "node:fs";
import { attempt, sourceLayout } from "@mdx-ai/base";
import { mapOf, type Schema, textOf } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import { heartbeatReport, LineFileStore, wakeViews } from "@mdx-ai/runtime/heartbeat";
import { ProblemError } from "../problem.ts";
import { agentOf, type Call, jsonResponse, type Route, withBody } from "../route.ts";

const AGENT = "/api/agents/{agent}";

/** A route that reads a part of an agent. */
const reading = (name: string, summary: string, read: (open: OpenDirectory) => Promise<object> | object): Route => ({
  method: "GET",
  path: `${AGENT}/${name}`,
  summary,
  answers: { 200: { description: "as JSON", type: "application/json" } },
  answer: async (call) => jsonResponse(call, await read(await agentOf(call))),
});

const NOTE: Schema<{ readonly text: string }> = {
  ...mapOf("a memory", "A fact that the agent remembers.", {
    text: textOf("a text", "What the agent receives in every session."),
  }),
  required: ["text"],
};

export const PART_ROUTES: readonly Route[] = [
  reading("heartbeats", "Read the schedule and the last wakes", heartbeats),
  reading("memory", "Read the agent's long-term memory and its notes", async ({ agent, directory }) => ({
    memories: await agent.memory.memories(),
    notes: attempt(() => readFileSync(sourceLayout(directory.path).notes, "utf8")) ?? null,
  })),
  {
    method: "POST",
    path: `${AGENT}/memory`,
    summary: "Add a memory",
    answers: { 201: { description: "the memory", type: "application/json" } },
    ...withBody(NOTE, async (call, { text }) =>
      jsonResponse(call, await (await agentOf(call)).agent.memory.remember(text), 201),
    ),
  },
  {
    method: "DELETE",
    path: `${AGENT}/memory/{memory}`,
    summary: "Remove a memory",
    answers: { 204: { description: "it is removed" } },
    answer: forget,
  },
  reading("tools", "List the tools as a model receives them", ({ agent }) => ({ tools: agent.toolSchemas })),
  reading("skills", "List the skills", ({ directory }) => ({
    skills: directory.definition.skills.map(({ name, description, version = "1.0.0", enabledByDefault = true }) => ({
      ...{ name, description, version, isEnabled: enabledByDefault },
    })),
  })),
  reading("settings", "Read the settings of agent.mdx", ({ directory }) => ({
    settings: directory.definition.settings,
  })),
];

/** How many wakes are shown. */
const WAKES = 100;

function heartbeats({ directory, dataDirectory }: OpenDirectory): object {
  const { heartbeat: definition, settings, modules } = directory.definition;
  const plan = { definition, settings, modules };
  const now = Date.now();
  const lines = attempt(() => new LineFileStore(dataDirectory).take()) ?? [];
  const { tasks, runs } = heartbeatReport(plan, lines, { now, since: 0 });
  return { schedule: wakeViews(plan, now), tasks, wakes: runs.slice(-WAKES) };
}

async function forget(call: Call): Promise<Response> {
  const { agent } = await agentOf(call);
  const id = call.parameters["memory"] ?? "";
  if ((await agent.memory.forget(id)) !== undefined) return new Response(null, { status: 204 });
  throw new ProblemError({
    status: 404,
    code: "unknown_memory",
    detail: `there is no memory ${JSON.stringify(id.slice(0, 40))}`,
  });
}
