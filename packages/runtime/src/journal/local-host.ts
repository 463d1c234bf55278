import type { Step } from "../types/step.ts";
import type { Journal } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import { JOURNAL_VERSION, type JournalLine } from "./journal-line.ts";
import { startedSteps, stepResults } from "./step-results.ts";

/**
 * The steps of one prompt on one machine: a line appended to the session's journal.
 * `recorded` holds the lines that an earlier process journaled for the same prompt; their results are not drawn again.
 */
export function localHost(journal: Journal, prompt: number, recorded: readonly JournalLine[]): Step {
  const results = stepResults(recorded);
  const started = startedSteps(recorded);

  return async (name, run, { accepts, interrupted, eager }) => {
    if (results.has(name)) {
      const result = results.get(name);
      if (accepts(result)) return result;
      throw new JournalError(`the journal holds a result of step ${name} of prompt ${prompt} that cannot be read`);
    }
    const header = { v: JOURNAL_VERSION, prompt, step: name } as const;
    if (interrupted && !started.has(name)) journal.append({ ...header, started: true });
    const answer = interrupted && started.has(name) ? async () => interrupted() : run;
    if (!eager) {
      // One turn of the microtask queue: steps that begin together append their markers first and share one sync.
      await null;
      await journal.sync();
    }
    const result = await answer(() => journal.sync());
    journal.append({ ...header, result });
    results.set(name, result);
    return result;
  };
}
