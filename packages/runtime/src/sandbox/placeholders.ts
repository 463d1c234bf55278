import { lstatSync, mkdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPlaceholder, PLACEHOLDER_TIME } from "@mdx-ai/parser";

/** An optional file or folder that defines or records an agent: if it is absent, a sandbox must not create it either. */
interface Placeholder {
  /** Relative to the agent directory. */
  readonly path: string;
  /** The text of a file, which its readers treat as if the file were absent; undefined for a folder. */
  readonly text: string | undefined;
}

const folder = (path: string): Placeholder => ({ path, text: undefined });
const file = (path: string, text = ""): Placeholder => ({ path, text });

/** A folder comes before its contents. */
const PLACEHOLDERS: readonly Placeholder[] = [
  ...[folder("skills"), folder("modules"), folder("tools"), folder("node_modules"), folder(".git")],
  ...[folder("sessions"), folder("logs"), folder("state")],
  ...[file("heartbeat.md"), file("AGENT.md"), file("package.json", "{}\n"), file("agent.lock.json")],
  // With it, git would take the agent directory itself for a repository, whose settings name programs.
  file("HEAD"),
  file("state/agent-state.json", '{"version":1,"promptCount":0}\n'),
  file("state/memory.json", "[]\n"),
  ...[file("state/usage.jsonl"), file("state/heartbeat.jsonl")],
];

/** Their paths, relative to the agent directory. A folder comes before its contents. */
export const PLACEHOLDER_PATHS: readonly string[] = PLACEHOLDERS.map(({ path }) => path);

/** Creates placeholders for what is absent. If the system lets this user create none, a sandbox can create nothing either. */
export function makePlaceholders(agentDir: string): void {
  const made = PLACEHOLDERS.filter((placeholder) => makePlaceholder(join(agentDir, placeholder.path), placeholder));
  // Files created in a folder have changed its date.
  for (const { path, text } of made) if (text === undefined) stamp(join(agentDir, path));
}

/** Removes the placeholders that are still unused. Never throws. */
export function removePlaceholders(agentDir: string): void {
  const paths = PLACEHOLDER_PATHS.map((path) => join(agentDir, path)).filter(isUnused);
  for (const path of paths.toReversed()) removePlaceholder(path);
}

function makePlaceholder(path: string, { text }: Placeholder): boolean {
  try {
    if (text === undefined) mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    stamp(path);
    return true;
  } catch {
    // The path exists already, or cannot be created.
    return false;
  }
}

const stamp = (path: string): void => utimesSync(path, PLACEHOLDER_TIME, PLACEHOLDER_TIME);

function isUnused(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && isPlaceholder(stats);
  } catch {
    // A file where its folder should be.
    return false;
  }
}

function removePlaceholder(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else unlinkSync(path);
  } catch {
    // The folder is in use, or another process removed it.
  }
}
