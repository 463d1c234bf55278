import type { AgentLog } from "../log/agent-log.ts";
import { lineText } from "../log/line-text.ts";

export interface ReportOptions {
  readonly log: Pick<AgentLog, "write">;
  /** Told each failure once; one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Tells that something went wrong at a place, such as "modules/clock.ts: start". Never throws. */
export type FailureReport = (place: string, error: unknown) => void;

/** Writes every failure to the log and warns of each once, since some hooks run again with every prompt. */
export function failureReport({ log, onWarning }: ReportOptions): FailureReport {
  const told = new Set<string>();
  return (place, error) => {
    const message = `${place}: ${lineText(error)}`;
    void log.write(message);
    if (told.has(message)) return;
    told.add(message);
    onWarning?.(message);
  };
}
