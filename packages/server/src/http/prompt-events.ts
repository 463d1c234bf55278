import type { AgentEvent } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { leavable } from "@mdx-ai/sessions";

/** The events of one prompt, for a client that waits for its answer. */
export interface PromptEvents {
  /** Ends with `agent_end`, or with `question_asked`: the prompt then waits. If the reader leaves, the prompt is cancelled. */
  readonly events: AsyncIterable<AgentEvent>;
  /** Ends the events and cancels the prompt. */
  stop(): void;
}

/** The events of the prompt that `begin` submits, or continues if it resolves to undefined. They reject as `begin` does. */
export function promptEvents(session: Session, begin: () => Promise<string | undefined>): PromptEvents {
  const leaving = new AbortController();
  return {
    events: leavable(eventsOf(session, begin, leaving.signal), () => leaving.abort()),
    stop: () => leaving.abort(),
  };
}

async function* eventsOf(
  session: Session,
  begin: () => Promise<string | undefined>,
  left: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const events = session.events({ signal: left })[Symbol.asyncIterator]();
  // The first read joins the stream, before the prompt has any event.
  let next = events.next();
  let isOver = false;
  let prompt: string | undefined;
  try {
    const submitted = await begin();
    prompt = submitted ?? session.activePrompts[0]?.id;
    let hasBegun = submitted === undefined;
    for (let { done, value } = await next; !done; { done, value } = await next) {
      next = events.next();
      hasBegun ||= value.type === "agent_start" && value.promptId === prompt;
      if (!hasBegun) continue;
      isOver = value.type === "agent_end" || value.type === "question_asked";
      yield value;
      if (isOver) return;
    }
  } finally {
    await events.return?.();
    if (!isOver && prompt !== undefined) await session.cancel(prompt);
  }
}
