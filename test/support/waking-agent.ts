import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { eventually } from "./eventually.ts";
import { HandClock } from "./hand-clock.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An open agent that wakes by a clock which a test moves. */
export interface WakingAgent {
  readonly agent: Agent;
  readonly clock: HandClock;
  readonly directory: string;
  readonly events: AgentEvent[];
  readonly warnings: string[];
  /** The lines of one type in state/heartbeat.jsonl, in order. */
  lines(type: string): readonly { readonly [key: string]: unknown }[];
  /** Resolves when so many runs have ended. */
  ended(count: number): Promise<void>;
}

/** Opens the agent of a directory with a script as its model. */
export async function openWaking(
  directory: string,
  replies: readonly Reply[],
  options: Partial<AgentOptions> & { readonly start?: string } = {},
): Promise<WakingAgent> {
  using scripts = temporaryDirectory();
  const { start = "2026-11-21T08:30:00.000Z", ...given } = options;
  const clock = new HandClock(start);
  const events: AgentEvent[] = [];
  const warnings: string[] = [];
  const { dataDirectory = directory } = given;
  const agent = await openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel(scriptReference(scripts.path, replies), { environment: {} }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: {},
    clock,
    wakes: true,
    onBackgroundEvent: (event) => events.push(event),
    onWarning: (warning) => warnings.push(warning),
    ...given,
  });
  const lines = (type: string) => {
    const path = join(dataDirectory, "state/heartbeat.jsonl");
    if (!existsSync(path)) return [];
    const all = readFileSync(path, "utf8").split("\n").slice(0, -1);
    return all.map((line) => JSON.parse(line)).filter((line) => line.type === type);
  };
  const ended = (count: number): Promise<void> =>
    eventually(
      () => lines("ended").length >= count,
      () => `ended: ${JSON.stringify(lines("ended"))}, warnings: ${warnings.join("; ")}`,
    );
  return { agent, clock, directory, events, warnings, lines, ended };
}

/** What the user, the heartbeat and modules said in a session. */
export const userTexts = async (agent: Agent, session?: string): Promise<string[]> =>
  (await agent.session(session).messages())
    .filter(({ role }) => role === "user")
    .map(({ content }) => content.map((block) => (block.type === "text" ? block.text : "")).join(""));
