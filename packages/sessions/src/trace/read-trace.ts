import { readdirSync } from "node:fs";
import { join } from "node:path";
import { attempt, dataLayout } from "@mdx-ai/base";
import { findSessionFolder, sessionHolder } from "../session/session-folder.ts";
import { journalPaths, readJournals, requireJournal } from "../session/session-journals.ts";
import type { Trace, TraceStep } from "./trace.ts";

/**
 * Reads the trace of a session of a data directory, even while another process uses it: takes no lock and changes no
 * file. Leaves out an unfinished last line; the trace lists damaged lines. Resolves to undefined
 * if the session has no journal. Rejects with `SessionIdError`, or with `JournalError` if a journal is lost, cannot be read,
 * is of a newer version, or a symbolic link has its name.
 */
export async function readTrace(dataDir: string, session: string): Promise<Trace | undefined> {
  const folder = findSessionFolder(dataDir, session);
  if (folder === undefined) return undefined;
  requireJournal(folder);
  if (journalPaths(folder).length === 0) return undefined;
  // Loaded lazily: running an agent does not need it.
  const { sessionTrace } = await import("./session-trace.ts");
  const trace = sessionTrace(session, readJournals(folder), () => sessionHolder(dataDir, session));
  return withAgents(trace, dataDir);
}

/** A trace with the traces of the agents that worked as tools. */
async function withAgents(trace: Trace, dataDir: string): Promise<Trace> {
  const called = trace.prompts.some(({ turns }) => turns.some(({ steps }) => steps.some(isOfAgent)));
  if (!called) return trace;
  const { agents } = dataLayout(dataDir);
  const folders = (attempt(() => readdirSync(agents)) ?? []).map((name) => join(agents, name));
  const prompts = trace.prompts.map(async (prompt) => ({
    ...prompt,
    turns: await Promise.all(
      prompt.turns.map(async (turn) => ({
        ...turn,
        steps: await Promise.all(turn.steps.map((step) => withAgent(step, folders))),
      })),
    ),
  }));
  return { ...trace, prompts: await Promise.all(prompts) };
}

const isOfAgent = (step: TraceStep): boolean => step.type === "tool" && step.agent !== undefined;

/** A step with the trace of its agent; a session that cannot be read is left out. */
async function withAgent(step: TraceStep, folders: readonly string[]): Promise<TraceStep> {
  if (step.type !== "tool" || step.agent === undefined) return step;
  const { session } = step.agent;
  const folder = folders.find((one) => attempt(() => findSessionFolder(one, session)) !== undefined);
  const trace = folder === undefined ? undefined : await readTrace(folder, session).catch(() => undefined);
  return trace === undefined ? step : { ...step, agent: { ...step.agent, trace } };
}
