import type { StreamResponse, Task } from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { fileStore, SessionIdError, sessionFolder, UnknownSessionError } from "@mdx-ai/sessions";
import { type TaskName, TaskProgress, taskName } from "./task-state.ts";

/** A task as it was at one of the session's events. */
export interface KnownTask {
  readonly session: Session;
  readonly name: TaskName;
  readonly progress: TaskProgress;
  /** The id of that event, and the prompt that ran then. */
  readonly at: EventPoint;
}

interface EventPoint {
  readonly event: string;
  readonly prompt?: string | undefined;
}

const BEGINNING: EventPoint = { event: "0.0" };

/** The session that is a context. Throws `UnknownSessionError` or `SessionIdError` if there is none; an id makes nothing. */
export function sessionOfContext({ agent, dataDirectory, session }: OpenDirectory, id: string): Session {
  if (id !== session) sessionFolder(dataDirectory, id);
  return agent.session(id);
}

/** A task as it is now, from the events of its session. Rejects with `TaskNotFoundError`. */
export async function findTask(open: OpenDirectory, id: string): Promise<KnownTask> {
  const name = taskName(id);
  const unknown = (): Error => new TaskNotFoundError(`there is no task ${JSON.stringify(id.slice(0, 80))}`);
  if (name === undefined) throw unknown();
  try {
    const session = sessionOfContext(open, name.session);
    const progress = new TaskProgress(name);
    let at = BEGINNING;
    let isKnown = session.activePrompts.some((active) => active.id === name.prompt);
    for await (const [prompt, event] of byPrompt(session.events({ after: at.event, isFollowing: false }))) {
      at = { event: event.id ?? at.event, prompt: event.type === "agent_end" ? undefined : prompt };
      if (prompt !== name.prompt) continue;
      isKnown = true;
      progress.add(event);
    }
    if (!isKnown) throw unknown();
    return { session, name, progress, at };
  } catch (error) {
    throw error instanceof UnknownSessionError || error instanceof SessionIdError ? unknown() : error;
  }
}

/** All tasks of a session, the newest first. */
export async function tasksOf(session: Session): Promise<readonly Task[]> {
  const tasks = new Map<string, TaskProgress>();
  const taskOf = (prompt: string): TaskProgress => {
    const known = tasks.get(prompt) ?? new TaskProgress({ session: session.id, prompt });
    tasks.set(prompt, known);
    return known;
  };
  for await (const [prompt, event] of byPrompt(session.events({ after: "0.0", isFollowing: false }))) {
    if (prompt !== undefined) taskOf(prompt).add(event);
  }
  for (const { id } of session.activePrompts) taskOf(id);
  return [...tasks.values()].map(({ task }) => task).reverse();
}

/** The tasks of all sessions that can be read, the session that was used last first. */
export async function allTasks({ agent, dataDirectory }: OpenDirectory): Promise<readonly Task[]> {
  const { sessions } = fileStore({ dataDirectory }).list();
  const tasks: Task[] = [];
  for (const { id, state } of sessions) {
    if (state !== "damaged") tasks.push(...(await tasksOf(agent.session(id))));
  }
  return tasks;
}

/** The updates of a task from where it is known until it ends, waits for a message or the client leaves. */
export async function* follow(
  { session, name, progress, at }: KnownTask,
  left: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  if (progress.isAtRest) return;
  for await (const [prompt, event] of byPrompt(session.events({ after: at.event, signal: left }), at.prompt)) {
    if (prompt !== name.prompt) continue;
    yield* progress.add(event);
    if (progress.isAtRest) return;
  }
}

/** Events with the ids of their prompts. */
async function* byPrompt(
  events: AsyncIterable<AgentEvent>,
  first?: string,
): AsyncGenerator<readonly [prompt: string | undefined, event: AgentEvent], void, undefined> {
  let prompt = first;
  for await (const event of events) {
    if (event.type === "agent_start") prompt = event.promptId;
    yield [prompt, event];
    if (event.type === "agent_end") prompt = undefined;
  }
}
