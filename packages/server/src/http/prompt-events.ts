import type { AgentEvent } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { leavable } from "@mdx-ai/sessions";

/** The events of one prompt, for a client that waits for its answer. */
export interface PromptEvents {
  /** Resolves when the prompt is submitted; rejects as `begin` does. */
  readonly begun: Promise<void>;
  /** They reject as `begun` does. If the reader leaves before the last one, the prompt is cancelled. */
  readonly events: AsyncIterable<AgentEvent>;
  /** Ends the events and cancels the prompt. */
  stop(): void;
}

/**
 * The events of the prompt that `begin` submits, or continues if it resolves to undefined, until its end or its next question; `waits`
 * stays for the events after questions.
 */
export function promptEvents(
  session: Session,
  begin: () => Promise<string | undefined>,
  { waits = false }: { readonly waits?: boolean } = {},
): PromptEvents {
  const leaving = new AbortController();
  const all = session.events({ signal: leaving.signal })[Symbol.asyncIterator]();
  // The first read joins the stream, before the prompt has any event.
  const first = all.next();
  first.catch(() => {});
  const submitting = begin().then((id) => ({ prompt: id ?? session.activePrompts[0]?.id, isNew: id !== undefined }));
  let isOver = false;
  const isLast = ({ type }: AgentEvent): boolean => {
    isOver = type === "agent_end" || (type === "question_asked" && !waits);
    return isOver;
  };
  const cancel = async (): Promise<void> => {
    const { prompt } = await submitting;
    if (!isOver && prompt !== undefined) await session.cancel(prompt);
  };
  leaving.signal.addEventListener("abort", () => void cancel().catch(() => {}), { once: true });
  const stop = (): void => leaving.abort();
  const begun = submitting.then(() => {});
  begun.catch(stop);
  return { begun, events: leavable(eventsOf({ all, first, submitting, isLast }), stop), stop };
}

interface JoinedEvents {
  /** All events of the session. */
  readonly all: AsyncIterator<AgentEvent>;
  readonly first: Promise<IteratorResult<AgentEvent>>;
  readonly submitting: Promise<{ readonly prompt: string | undefined; readonly isNew: boolean }>;
  readonly isLast: (event: AgentEvent) => boolean;
}

async function* eventsOf({
  all,
  first,
  submitting,
  isLast,
}: JoinedEvents): AsyncGenerator<AgentEvent, void, undefined> {
  try {
    const { prompt, isNew } = await submitting;
    let hasBegun = !isNew;
    let next = first;
    for (let { done, value } = await next; !done; { done, value } = await next) {
      next = all.next();
      hasBegun ||= value.type === "agent_start" && value.promptId === prompt;
      if (!hasBegun) continue;
      const isEnd = isLast(value);
      yield value;
      if (isEnd) return;
    }
  } finally {
    await all.return?.();
  }
}
