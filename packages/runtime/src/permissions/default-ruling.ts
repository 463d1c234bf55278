import { isWithin, pathWithin } from "../files/real-place.ts";
import type { ToolTouch } from "../types/permission.ts";
import { meaningOf } from "./defining-files.ts";
import type { PatternRoots } from "./path-pattern.ts";
import { ALLOWED, type Ruling } from "./rule-layers.ts";

/** What the paths of calls are held against. All absolute and real. */
export interface CallPlaces extends PatternRoots {
  /** Folders and files that hold secrets, in lower case. */
  readonly secrets: readonly string[];
  /** Files of the agent that trust covers, relative to its directory, in lower case. */
  readonly definingFiles: ReadonlySet<string>;
}

const ask = (reason: string): Ruling => ({ verdict: "ask", reason });

/** What becomes of a call where no rule speaks of it. */
export async function defaultRuling(
  touch: ToolTouch,
  places: CallPlaces,
  holdsShell: () => Promise<boolean>,
): Promise<Ruling> {
  switch (touch.kind) {
    case "read":
      return ofReading(touch.path, places);
    case "write":
      return ofWriting(touch.path, places);
    case "command":
      return (await holdsShell()) ? ALLOWED : ask("runs a shell command outside a sandbox");
    case "call":
      return ALLOWED;
  }
}

function ofReading(path: string, { agentDir, cwd }: CallPlaces): Ruling {
  if (isWithin(agentDir, path) || isWithin(cwd, path)) return ALLOWED;
  return ask("reads outside the agent directory and the working directory");
}

function ofWriting(path: string, { agentDir, definingFiles }: CallPlaces): Ruling {
  const place = pathWithin(agentDir, path);
  if (place === undefined) return ask("writes outside the agent directory");
  const meaning = meaningOf(place, definingFiles);
  return meaning === undefined ? ALLOWED : ask(`writes onto ${JSON.stringify(place)}, which ${meaning}`);
}
