import { readFileSync } from "node:fs";
import { attempt, type JsonObject, sourceLayout } from "@mdx-ai/base";
import { mapOf, type Schema, textOf } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import { heartbeatHolder, heartbeatReport, heartbeatTasks, LineFileStore, wakeViews } from "@mdx-ai/runtime/heartbeat";
import { runTool, toolsByName } from "../../agents/run-tool.ts";
import { ProblemError } from "../problem.ts";
import { agentOf, type Call, jsonResponse, type Route, withBody } from "../route.ts";
import { NOTHING } from "./schemas.ts";

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

interface ToolCallBody {
  readonly arguments?: JsonObject;
}

const TOOL_CALL: Schema<ToolCallBody> = mapOf("a call", "A call of a tool.", {
  arguments: { title: "an object", description: "As the tool's parameters say. Default: none.", type: "object" },
});

export const PART_ROUTES: readonly Route[] = [
  reading("heartbeats", "Read the schedule and the last wakes", heartbeats),
  {
    method: "POST",
    path: `${AGENT}/heartbeats/{task}`,
    summary: "Run a task of the heartbeat now",
    answers: { 202: { description: "the process that wakes the agent runs it next", type: "application/json" } },
    ...withBody(NOTHING, wake),
  },
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
  {
    method: "POST",
    path: `${AGENT}/tools/{tool}`,
    summary: "Run a tool without a model; a call that the user would have to allow is an error",
    answers: { 200: { description: "the result", type: "application/json" } },
    ...withBody(TOOL_CALL, callTool),
  },
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

async function wake(call: Call): Promise<Response> {
  const { directory, dataDirectory } = await agentOf(call);
  const { heartbeat: definition, settings } = directory.definition;
  const task = call.parameters["task"] ?? "";
  if (!heartbeatTasks({ definition, settings }).some(({ name }) => name === task)) throw unknownPart("task", task);
  if (heartbeatHolder(dataDirectory) === undefined) {
    throw new ProblemError({ status: 409, code: "no_heartbeat", detail: "no process wakes the agent" });
  }
  new LineFileStore(dataDirectory).append([{ type: "asked", at: new Date().toISOString(), task }]);
  return jsonResponse(call, { task, asked: true }, 202);
}

async function callTool(call: Call, { arguments: given = {} }: ToolCallBody): Promise<Response> {
  const open = await agentOf(call);
  const name = call.parameters["tool"] ?? "";
  const tool = toolsByName(open).get(name);
  if (tool === undefined) throw unknownPart("tool", name);
  call.keepOpen();
  const run = { signal: call.request.signal, onWarning: call.services.onWarning };
  const { content, isError = false } = await runTool(open, tool, given, run);
  return jsonResponse(call, { content, isError });
}

const unknownPart = (what: string, name: string): ProblemError =>
  new ProblemError({
    status: 404,
    code: `unknown_${what}`,
    detail: `there is no ${what} ${JSON.stringify(name.slice(0, 40))}`,
  });

async function forget(call: Call): Promise<Response> {
  const { agent } = await agentOf(call);
  const id = call.parameters["memory"] ?? "";
  if ((await agent.memory.forget(id)) !== undefined) return new Response(null, { status: 204 });
  throw unknownPart("memory", id);
}
