import type { Entry } from "./turn-entries.ts";

/** Whether something went wrong there. */
export function isFailed(entry: Entry): boolean {
  switch (entry.type) {
    case "model":
      return entry.isFailed;
    case "tool":
      return entry.state === "error" || entry.state === "interrupted";
    case "compaction":
      return entry.gain === undefined;
    case "retry":
    case "fallback":
    case "steering":
    case "resumption":
      return false;
  }
}
