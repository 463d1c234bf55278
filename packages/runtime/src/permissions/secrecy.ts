import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isWithin } from "../files/real-place.ts";
import { isVariablesFile, RECORD_FOLDERS } from "./secret-names.ts";

/** What a process knows is told there: its variables, its memory, its files. */
const OF_A_PROCESS = /^\/proc\/(\d+|self|thread-self)(\/|$)/;

const RECORDS = new RegExp(`/(?:${RECORD_FOLDERS.join("|")})(?=/|$)`, "g");

/** Where an agent lives, and what counts as secret around it. */
interface SecretSurroundings {
  /** Absolute and real. */
  readonly agentDir: string;
  /** As `secretPlaces` gives them, in lower case. */
  readonly secrets: readonly string[];
}

/**
 * Why a real path is secret, such as "a place of secrets"; undefined where it is not. An agent that lives in a place of
 * secrets may look at its own files.
 */
export function secrecyOf(path: string, { agentDir, secrets }: SecretSurroundings): string | undefined {
  // A file system may not tell upper case from lower; a name that is held back for nothing is asked about.
  const name = path.toLowerCase();
  const home = agentDir.toLowerCase();
  const isOwn = isWithin(home, name);
  if (OF_A_PROCESS.test(name)) return "what a process knows";
  if (secrets.some((place) => isWithin(place, name) && !(isOwn && isWithin(place, home)))) return "a place of secrets";
  if (isVariablesFile(basename(name))) return "a file of variables, which may hold keys";
  return isRecordOfAnother(path, agentDir) ? "what another agent has recorded" : undefined;
}

function isRecordOfAnother(path: string, agentDir: string): boolean {
  for (const { index } of path.matchAll(RECORDS)) {
    const folder = path.slice(0, index);
    if (folder !== agentDir && existsSync(join(folder || "/", "agent.mdx"))) return true;
  }
  return false;
}
