import { openModel } from "@mdx-ai/models";
import type { AgentEvent, AgentTool } from "@mdx-ai/runtime";
import { toolRegistry } from "../../packages/runtime/src/agent/tool-registry.ts";
import type { JournalLine } from "../../packages/runtime/src/journal/journal-line.ts";
import { lookAtJournal } from "../../packages/runtime/src/journal/read-journal.ts";
import type { PromptRun } from "../../packages/runtime/src/loop/prompt-run.ts";
import { runPrompt } from "../../packages/runtime/src/loop/run-prompt.ts";
import { Steering } from "../../packages/runtime/src/loop/steering.ts";
import { openGate } from "../../packages/runtime/src/permissions/open-gate.ts";
import { readRecording } from "../../packages/runtime/src/replay/recording.ts";
import { replayPrompt } from "../../packages/runtime/src/replay/replay-prompt.ts";
import { openStoredSession } from "../../packages/runtime/src/session/stored-session.ts";
import { noSpending } from "../../packages/runtime/src/spending/spending.ts";
import { userMessage } from "./model-request.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A session as it ran, and what its journal holds. */
export interface LiveRecording {
  /** The events of each prompt. */
  readonly events: readonly (readonly AgentEvent[])[];
  readonly lines: readonly JournalLine[];
}

export interface LiveSession {
  /** What each model answers, in the order in which they stand in for one another. Not empty. */
  readonly scripts: readonly (readonly Reply[])[];
  readonly inputs: readonly string[];
  readonly run?: Partial<PromptRun>;
}

const number = { type: "object", properties: { ticks: { type: "integer" } }, required: ["ticks"] };

/** Waits so many turns of the event loop. */
async function wait({ ticks }: Readonly<Record<string, unknown>>): Promise<void> {
  for (let tick = 0; tick < Number(ticks); tick++) await new Promise((resolve) => setImmediate(resolve));
}

/** The tools of a live session: they end in any order, and `steer` says something to the prompt that runs. */
function liveTools(steer: (text: string) => Promise<void>, stop: () => void): readonly AgentTool[] {
  const tool = (name: string, execute: AgentTool["execute"], more: Partial<AgentTool> = {}): AgentTool => {
    return { name, description: `Does ${name}`, parameters: number, execute, ...more };
  };
  return [
    tool("wait", async (args, { update }) => {
      update("waiting");
      await wait(args);
      return `waited ${args["ticks"]}`;
    }),
    tool("fail", async (args) => {
      await wait(args);
      throw new Error(`failed after ${args["ticks"]}`);
    }),
    tool("steer", async (args) => {
      await wait(args);
      await steer(`look here ${args["ticks"]}`);
      return "said";
    }),
    tool("stop", async (args) => {
      await wait(args);
      stop();
      return "stopped";
    }),
    tool("odd name", async (args) => {
      await wait(args);
      return "odd";
    }),
    tool(
      "look",
      async (args) => {
        await wait(args);
        return "seen";
      },
      { readOnly: true },
    ),
  ];
}

/** Works off prompts of one session with real models, tools and files, and keeps all that it tells. */
export async function recordLive({ scripts, inputs, run = {} }: LiveSession): Promise<LiveRecording> {
  using folder = temporaryDirectory();
  const { path } = folder;
  const models = await Promise.all(
    scripts.map((replies) => openModel(scriptReference(path, replies), { environment: {} })),
  );
  const session = openStoredSession({ directory: path, id: "main", now: Date.now, onWarning() {} });
  const events: AgentEvent[][] = [];
  for (const input of inputs) {
    const told: AgentEvent[] = [];
    const stopping = new AbortController();
    events.push(told);
    await session.runPrompt(async ({ step, recorded, conversation }) => {
      const steering = new Steering(recorded);
      const steer = async (text: string): Promise<void> => void (await steering.accept(step, userMessage(text)));
      const tools = liveTools(steer, () => stopping.abort());
      await runPrompt(
        {
          step,
          recorded,
          steering,
          models,
          gate: openGate,
          session: "main",
          parameters: {},
          retries: [0, 0],
          tools: toolRegistry(tools, { agentDir: path, cwd: path, log: async () => {} }),
          system: "Be recorded.",
          input,
          limits: { turns: 6 },
          context: {},
          skills: { keeps: () => false, skillTexts: async () => [] },
          spentBefore: { session: noSpending, day: noSpending },
          signal: stopping.signal,
          now: Date.now,
          sleep: async () => {},
          spend: async () => 0.25,
          windowOf: async () => undefined,
          warn() {},
          emit: (event) => told.push(event),
          ...run,
        },
        conversation,
      );
    });
  }
  session.close();
  return { events, lines: lookAtJournal(`${path}/main/journal.jsonl`).lines };
}

/** What of events does not depend on how an answer came in or on what a tool told while it ran. */
export const lastingEvents = (events: readonly AgentEvent[]): readonly unknown[] =>
  events
    .filter(({ type }) => type !== "message_update" && type !== "tool_execution_update")
    .map((event) =>
      event.type === "message_start" && event.message.role === "assistant"
        ? { type: event.type, role: "assistant" }
        : event,
    );

/** Plays all prompts of a recording of `recordLive`, and gives the events of each. */
export async function playAll(lines: readonly JournalLine[]): Promise<readonly (readonly AgentEvent[])[]> {
  const played: AgentEvent[][] = [];
  const tools = toolRegistry(
    liveTools(
      async () => {},
      () => {},
    ),
    { agentDir: "/", cwd: "/", log: async () => {} },
  );
  for (const prompt of readRecording(lines).prompts) {
    played.push(await Array.fromAsync(replayPrompt(prompt, { tools, retries: 2 })));
  }
  return played;
}
