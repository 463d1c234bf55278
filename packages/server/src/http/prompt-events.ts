import type { AgentEvent } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { leavable } from "@mdx-ai/sessions";

/** The events of one prompt, for a client that waits for its answer. */
export interface PromptEvents {
  /** If the reader leaves before the last one, the prompt is cancelled. */
  readonly events: AsyncIterable<AgentEvent>;
  /** Ends the events and cancels the prompt. */
  stop(): void;
}

/**
 * The events of the prompt that `begin` submits, or continues if it resolves to undefined, until its end or its next question; `waits`
 * stays for the events after questions. They reject as `begin` does.
 */
export function promptEvents(
  session: Session,
  begin: () => Promise<string | undefined>,
  { waits = false }: { readonly waits?: boolean } = {},
): PromptEvents {
  const leaving = new AbortController();
  const isLast = ({ type }: AgentEvent): boolean => type === "agent_end" || (type === "question_asked" && !waits);
  return {
    events: leavable(eventsOf(session, { begin, isLast }, leaving.signal), () => leaving.abort()),
    stop: () => leaving.abort(),
  };
}

interface EventRange {
  readonly begin: () => Promise<string | undefined>;
  readonly isLast: (event: AgentEvent) => boolean;
}

async function* eventsOf(
  session: Session,
  { begin, isLast }: EventRange,
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
      isOver = isLast(value);
      yield value;
      if (isOver) return;
    }
  } finally {
    await events.return?.();
    if (!isOver && prompt !== undefined) await session.cancel(prompt);
  }
}
