import { existsSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { isWithin, lineText, sourceLayout, visibleText } from "@mdx-ai/base";
import type { AgentDirectory } from "@mdx-ai/parser";
import { serversOfDirectory } from "@mdx-ai/runtime/declared-servers";
import { SKILL_FOLDER } from "../manifest/capabilities.ts";
import { changeLine, difference, needsReview } from "../manifest/difference.ts";
import { lockEntries, readLock } from "../manifest/lock.ts";
import { filesOf, itemsOf, type Manifest } from "../manifest/manifest.ts";
import { type CurrentVersionRequest, currentVersion } from "../sources/index.ts";
import { type UnpinnedCommand, unpinnedCommand } from "./pinned-command.ts";

/**
 * Why an agent that is complete and valid must not be added: each on one line, with what to do. Empty if nothing is wrong. Rejects with
 * `DirectoryError` if its lock file cannot be read.
 */
export async function problemsOfAdded(
  directory: AgentDirectory,
  manifest: Manifest,
  registry: CurrentVersionRequest,
): Promise<readonly string[]> {
  const all = [directory, ...(directory.subagents?.values() ?? [])];
  const unpinned = await Promise.all(all.flatMap(unpinnedServers).map((server) => unpinnedText(server, registry)));
  const problems = [...unpinned, ...outsideFiles(directory, manifest), ...(await lies(directory))];
  return problems.map((line) => lineText(visibleText(line)));
}

/** Tomorrow such a command may run a program that nobody agreed to. */
const unpinnedServers = (directory: AgentDirectory): readonly UnpinnedServer[] =>
  serversOfDirectory(directory).flatMap(({ name, written }) => {
    const found = unpinnedCommand(written);
    return found === undefined ? [] : [{ name, found }];
  });

interface UnpinnedServer {
  readonly name: string;
  readonly found: UnpinnedCommand;
}

/** With the version of today, if the registry can be asked for it. */
async function unpinnedText({ name, found }: UnpinnedServer, registry: CurrentVersionRequest): Promise<string> {
  const current =
    found.registry !== "go" && found.package !== undefined
      ? await currentVersion(found.registry, found.package, registry)
      : undefined;
  const missing = found.registry === "image" ? "the image's digest" : "an exact version";
  const what = current === undefined ? `${found.pinned()} with ${missing}` : found.pinned(current);
  return `the MCP server ${name} runs ${found.word}, whose version is not pinned; write ${what}`;
}

/** Such files would be read in the folder around the agent, where they are not part of it. */
function outsideFiles(directory: AgentDirectory, manifest: Manifest): readonly string[] {
  const files = filesOf(manifest).flatMap(({ kind, item }) =>
    kind !== "skill file" && item.startsWith("../") ? item : [],
  );
  // A path such as ~/.claude/skills is the user's, and the screen of power shows it.
  const skills = itemsOf(manifest, SKILL_FOLDER).filter(
    (path) => !isAbsolute(path) && !path.startsWith("~") && normalize(path).startsWith(".."),
  );
  const agents = [...(directory.subagents?.keys() ?? [])].filter((path) => !isWithin(directory.realPath, path));
  return [...files, ...agents, ...skills, ...manifest.outside.slice(0, 1)].map(
    (path) => `it uses ${path}, which is outside of the agent; put it in the agent's folder`,
  );
}

/** An author's lock file is a claim that people read, so a false one is worse than none. Packages depend on the machine. */
async function lies(directory: AgentDirectory): Promise<readonly string[]> {
  const file = join(directory.path, sourceLayout("").lockFile);
  if (!existsSync(file)) return [];
  const [before, after] = [readLock(file), await lockEntries(directory)].map((entries) => entries.filter(({ kind }) => kind !== "package")); // biome-ignore format: short
  return difference(before ?? [], after ?? [])
    .filter(needsReview)
    .map((change) => `its agent.lock.json does not say ${changeLine(change)}; its author has to run mdx-ai lock`);
}
