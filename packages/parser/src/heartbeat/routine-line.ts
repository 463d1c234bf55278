import type { RoutineTime } from "../types/agent-definition.ts";
import { parseRoutineTime } from "./routine-time.ts";

/** The content of a line of Routine Tasks, or why it cannot be read. */
export type RoutineLine =
  | { readonly type: "routine"; readonly time: RoutineTime; readonly name: string }
  | { readonly type: "unreadable"; readonly expected: string; readonly hint: string };

const separator = /:(?!\d)|\s(?:-+>?|[–—→])\s/g;
const longestTime = 120;

/** Reads "Every morning at 09:00: Daily summary". The first separator after which the words before make a time counts. */
export function parseRoutineLine(line: string): RoutineLine {
  const time = line.slice(0, longestTime);
  for (const match of time.matchAll(separator)) {
    const due = parseRoutineTime(time.slice(0, match.index));
    if (due === undefined) continue;
    const name = line
      .slice(match.index + match[0].length)
      .replace(/^\s*[*_`]*\s*/, "")
      .trim();
    return name === ""
      ? unreadable("the task's name after the time", "say what to do")
      : { type: "routine", time: due, name };
  }
  const isTimeAlone = parseRoutineTime(line) !== undefined;
  if (isTimeAlone) return unreadable("the task's name after the time", "write `: ` and what to do after the time");
  return unreadable("a time and a task", hintFor(line));
}

function hintFor(line: string): string {
  const examples = "`Every day at 09:00: …`, `Every Monday at 10:00: …`, `Every hour: …` or `Every 15 minutes: …`";
  const isVague = /^[*_]*(?:every|each|on)\s+[^:\d]*:/i.test(line);
  return isVague ? `say at what time, such as ${examples}` : `write ${examples}`;
}

function unreadable(expected: string, hint: string): RoutineLine {
  return { type: "unreadable", expected, hint };
}
