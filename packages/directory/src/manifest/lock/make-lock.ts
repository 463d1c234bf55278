import { join } from "node:path";
import type { AgentDirectory } from "@mdx-ai/parser";
import { sha256, sorted, sortedJson } from "../../json.ts";
import { jsonText } from "../../text/visible-text.ts";
import { type ManifestTool, shownRules } from "../manifest.ts";
import { readManifest } from "../read-manifest.ts";
import { SourceBudget } from "../source-budget.ts";
import type { LockDocument, LockedTool } from "./lock-document.ts";

/** The content of the lock file for the current state of a directory. Runs no code. Rejects with `DirectoryError` ("too_large"). */
export async function makeLock(directory: AgentDirectory): Promise<LockDocument> {
  const { tools, program, files, packages, settings } = await readManifest(directory);
  const { identity, skills, heartbeat, settings: all } = directory.definition;
  const { permissions, sandbox, ...others } = all;
  return {
    version: 1,
    name: identity.name,
    prose: sha256(sortedJson(identity)),
    tools: byName(tools.map((tool) => [tool.name, lockedTool(tool)])),
    ...(program !== undefined && { program }),
    files: byName(files.map(({ path, hash }) => [path, hash])),
    packages: byName(packages.map(({ name, hash }) => [name, hash])),
    permissions: shownRules(permissions ?? {}).map(({ pattern, verdict }) => [pattern, verdict]),
    ...(sandbox !== undefined && { sandbox }),
    ...(settings.mcp !== undefined && { mcp: settings.mcp }),
    skills: byName(skills.map(({ name, path }) => [name, textHash(join(directory.path, path))])),
    ...(heartbeat !== undefined && { heartbeat: sha256(sortedJson(heartbeat)) }),
    settings: byName(Object.entries(others).filter(([name]) => name !== "mcp")),
  };
}

function lockedTool({ environment, isImporting: _own, name: _name, ...tool }: ManifestTool): LockedTool {
  return { ...tool, env: environment };
}

/** An object with own members, sorted by name. */
function byName<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))));
}

function textHash(file: string): string {
  const bytes = new SourceBudget().read(file);
  return bytes === undefined ? "unreadable" : sha256(bytes);
}

/** What the lock file holds: equal documents give equal texts. */
export const lockText = (lock: LockDocument): string => `${jsonText(sorted(lock), 2)}\n`;
