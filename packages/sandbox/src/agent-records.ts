import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, dataLayout } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { SandboxOptions } from "./command-sandbox.ts";

/** Files in `state/` that the runtime writes while commands run, each with the content that its reader treats as empty. */
const RECORDS: Readonly<Record<string, string>> = {
  "usage.jsonl": "",
  "heartbeat.jsonl": "",
  "memory.json": "[]\n",
  "agent-state.json": '{"version":1,"promptCount":0}\n',
};

/**
 * Creates the record files beside an agent's definition. Existing files are mounted read-only, so no command can forge one before
 * the runtime writes it. If this user cannot create them, neither can a sandbox.
 */
export function makeRecords({
  agentDir,
  dataDir = agentDir,
  keeps = "all",
}: Pick<SandboxOptions, "agentDir" | "dataDir" | "keeps">): void {
  if (keeps === "nothing" || realPathOrSame(dataDir) !== realPathOrSame(agentDir)) return;
  const { sessions, logs, state, memoryFolder } = dataLayout(agentDir);
  const folders = keeps === "all" ? [sessions, logs, state, memoryFolder] : [state];
  for (const folder of folders.filter((path) => !existsSync(path))) attempt(() => mkdirSync(folder, { mode: 0o700 }));
  for (const [name, text] of Object.entries(RECORDS)) {
    const path = join(state, name);
    const isKept = keeps === "all" || name === "usage.jsonl";
    if (isKept && !existsSync(path)) attempt(() => writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
  }
}
