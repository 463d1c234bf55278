import {
  type AgentEvent,
  CompletionOrder,
  eventId,
  type Host,
  nextEventId,
  onceEach,
  STEPS,
  type Step,
} from "@mdx-ai/loop";
import { forgetfulJournal, type JournalLine } from "../journal/journal.ts";
import { Inbox } from "./inbox.ts";
import { JournaledResults } from "./journaled-results.ts";
import { RecordingEndError, ReplayError } from "./replay-error.ts";

export interface ReplayHostOptions {
  /** The lines of the prompt. */
  readonly lines: readonly JournalLine[];
  /** Called and awaited for each call step before its result is delivered. */
  readonly rerun?: ((step: string) => Promise<void>) | undefined;
  emit(event: AgentEvent): void;
}

/** The host of one recorded prompt. */
export interface ReplayHost extends Host {
  /** The unused steps of the recording. */
  unused(): readonly string[];
  /** The id after the last event. */
  nextId(): string;
}

/**
 * A host that looks up each step in the lines of a prompt and runs nothing. It uses no clock, disk or network.
 * Steps reject with `ReplayError` if the recording lacks them, or with `RecordingEndError` if it was interrupted.
 */
export function replayHost({ lines, rerun, emit }: ReplayHostOptions): ReplayHost {
  const journaled = new JournaledResults(lines);
  const prompt = lines[0]?.prompt ?? 0;
  const isWhole = journaled.has(STEPS.end.name());
  const inbox = new Inbox({ journal: forgetfulJournal, prompt, journaled: lines });
  const completions = new CompletionOrder();
  const lookUp: Step = async (name, _run, { accepts }) => {
    if (!journaled.has(name)) {
      await journaled.idle();
      throw isWhole ? new ReplayError(missing(prompt, name)) : new RecordingEndError();
    }
    const result = await journaled.take(name, rerun?.(name));
    if (accepts(result)) return result;
    throw new ReplayError(`prompt ${prompt}: the recording holds a result of step ${name} that cannot be read`);
  };
  const step: Step = (name, run, options) => completions.watch(lookUp(name, run, options));
  let last = eventId(prompt, 0);
  const pass = onceEach(emit);
  return {
    step,
    sleep: async (name) => void (await step(name, never, { accepts: STEPS.retry.accepts })),
    ask: (name) => step(name, never, { accepts: STEPS.answer.accepts }),
    inbox: {
      take: async (turn) => {
        const name = STEPS.deliver.name(turn);
        if (journaled.has(name)) await step(name, never, { accepts: STEPS.deliver.accepts });
        return inbox.journaled(turn) ?? [];
      },
      close: async () => [],
    },
    inOrder: (started) => completions.inOrder(started),
    emit: (event) => {
      last = event.id ?? last;
      pass(event);
    },
    nextId: () => nextEventId(last),
    unused: () => journaled.unused(),
  };
}

async function never(): Promise<never> {
  throw new ReplayError("a replay runs nothing");
}

const missing = (prompt: number, step: string): string =>
  `prompt ${prompt}: the recording has no step ${step}: lines of it are lost, or another version of the loop wrote it`;
