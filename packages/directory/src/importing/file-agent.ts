import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { replaceFileSync, requireOwn } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import { agentFolder, readSourceRecord, sourceRecord } from "../places.ts";
import type { Surroundings } from "../surroundings.ts";
import { importAgent } from "./import-agent.ts";
import type { ImportedAgent } from "./imported-agent.ts";
import { makeDirectory } from "./make-directory.ts";

/** What an import writes; the other files of the folder are the agent's and its user's. */
const WRITTEN: readonly string[] = ["agent.mdx", "AGENT.md", "skills"];

/** Changes if an import would write something else. */
const IMPORT_VERSION = 1;

/**
 * The directory of an agent that is one file: a folder of the user's state, which is written again when the file has
 * changed, or what is taken along with it. Its sessions and the user's notes in AGENT.md stay. Rejects with `DirectoryError` ("import").
 */
export async function openFileAgent(file: string, surroundings: Surroundings): Promise<string> {
  const folder = agentFolder(file, surroundings);
  const agent = importAgent(file);
  const content = sha256(JSON.stringify([IMPORT_VERSION, agent, copiedHashes(agent)]));
  if (isCurrent(folder, content)) return folder;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  requireOwn(folder, statSync(folder));
  await withLock(`${folder}.lock`, async () => {
    // Another process may have written it meanwhile.
    if (isCurrent(folder, content)) return;
    await rewrite(folder, agent, readRecord(folder)?.memory ?? "");
    const record = { source: file, content, memory: agent.memory ?? "" };
    replaceFileSync({ path: sourceRecord(folder), text: `${JSON.stringify(record, null, 2)}\n` });
  });
  return folder;
}

const isCurrent = (folder: string, content: string): boolean =>
  readRecord(folder)?.content === content && existsSync(join(folder, "agent.mdx"));

/** The files of skills are copied as they are. */
const copiedHashes = ({ skills }: ImportedAgent): readonly string[] =>
  skills.flatMap(({ files }) => files.flatMap((file) => ("copyOf" in file ? sha256(readFileSync(file.copyOf)) : [])));

/** Everything is made in a draft folder before anything is replaced. */
async function rewrite(folder: string, agent: ImportedAgent, oldMemory: string): Promise<void> {
  const notes = join(folder, "AGENT.md");
  const present = existsSync(notes) ? readFileSync(notes, "utf8") : "";
  const added = present.startsWith(oldMemory) ? present.slice(oldMemory.length) : "";
  const memory = `${agent.memory ?? ""}${added}`;
  const parent = mkdtempSync(join(dirname(folder), ".new-"));
  try {
    const draft = join(parent, "agent");
    await makeDirectory(draft, memory === "" ? agent : { ...agent, memory });
    for (const name of WRITTEN) {
      const old = join(folder, name);
      if (existsSync(old)) renameSync(old, join(parent, name));
      if (existsSync(join(draft, name))) renameSync(join(draft, name), old);
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function readRecord(folder: string): { readonly content: string; readonly memory: string } | undefined {
  const { content, memory } = readSourceRecord(folder);
  return typeof content === "string" && typeof memory === "string" ? { content, memory } : undefined;
}
