import type { AgentEvent, AgentTool } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { Inbox } from "../../packages/sessions/src/hosts/inbox.ts";
import type { JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import { readJournal } from "../../packages/sessions/src/journal/read-journal.ts";
import { conversationBefore, readRecording } from "../../packages/sessions/src/recording/recording.ts";
import { replayPrompt } from "../../packages/sessions/src/recording/replay-prompt.ts";
import { openStoredSession } from "../../packages/sessions/src/session/stored-session.ts";
import { toolRegistry } from "../../packages/tools/src/tool-registry.ts";
import { type LoopRun, runLoop } from "./loop-run.ts";
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
  readonly run?: Partial<LoopRun>;
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
  const session = openStoredSession({ directory: path, id: "main", clock: Date, onWarning() {} });
  const events: AgentEvent[][] = [];
  for (const input of inputs) {
    const told: AgentEvent[] = [];
    const stopping = new AbortController();
    events.push(told);
    let inbox: Inbox | undefined;
    const steer = async (text: string): Promise<void> => void (await inbox?.accept(userMessage(text)));
    await session.runPrompt((journal) =>
      runLoop(
        {
          models,
          tools: liveTools(steer, () => stopping.abort()),
          input,
          signal: stopping.signal,
          cost: 0.25,
          emit: (event) => told.push(event),
          onInbox: (opened) => {
            inbox = opened;
          },
          ...run,
          plan: { retries: [0, 0], limits: { turns: 6 }, ...run.plan },
        },
        journal,
      ),
    );
  }
  session.close();
  return { events, lines: readJournal(`${path}/main/journal.jsonl`).lines };
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
  const recording = readRecording(lines);
  for (const prompt of recording.prompts) {
    const conversation = conversationBefore(recording, prompt);
    played.push(await Array.fromAsync(replayPrompt(prompt, { tools, conversation })));
  }
  return played;
}
