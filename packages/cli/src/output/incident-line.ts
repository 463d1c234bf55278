import type { AgentEvent, CompactionReport } from "@mdx-ai/runtime";
import { capitalized } from "../capitalized.ts";
import { counted, duration, grouped } from "./figures.ts";

/** What happens to a prompt beside its turns. */
type Incident = Extract<AgentEvent, { type: "model_retry" | "model_fallback" | "context_compacted" }>;

/** An incident as one line for the user; of foreign text, which is not made plain here. */
export function incidentLine(event: Incident): string {
  switch (event.type) {
    case "model_retry": {
      const wait = event.delay === 0 ? "at once" : `in ${duration(event.delay)}`;
      const next = `asking again ${wait} (${event.attempt} of ${event.attempts})`;
      return /[.?!]$/.test(event.reason) ? `${event.reason} ${capitalized(next)}` : `${event.reason}; ${next}`;
    }
    case "model_fallback":
      return `${event.from} is unavailable (${event.reason}); asking ${event.to} from now on`;
    case "context_compacted":
      return compactionLine(event);
  }
}

/** What a summary in place of older messages gained. */
export const compactionLine = ({ before, after, measured }: CompactionReport): string =>
  `older messages are replaced by a summary: a request has ${grouped(after)} instead of ${counted(before, "token")}${
    measured === "estimate" ? " (estimated)" : ""
  }`;
