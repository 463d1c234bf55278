import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "./replies.ts";
import { openScriptAgent } from "./script-agent.ts";

/** The journal of a prompt that ended right after the model had called a tool, as a directory may bring it along. */
export async function shipJournal(directory: string, call: Reply): Promise<string> {
  const agent = await openScriptAgent(directory, [call, { text: "done" }], { permissions: { allowsAll: true } });
  await Array.fromAsync(agent.session().prompt("do it"));
  await agent.close();
  const journal = join(directory, "sessions/main/journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  const end = lines.findIndex((line) => line.includes('"step":"model:1"'));
  writeFileSync(
    journal,
    lines
      .slice(0, end + 1)
      .map((line) => `${line}\n`)
      .join(""),
  );
  return journal;
}

/** Adds a line to a journal. */
export const add = (journal: string, line: object): void =>
  appendFileSync(journal, `${JSON.stringify({ v: 1, prompt: 1, ...line })}\n`);

/** A reply that calls `bash`. */
export const bash = (command: string): Reply => ({ calls: [{ id: "a", name: "bash", arguments: { command } }] });

/** A secret of this user, which no line of a shipped journal was signed with. */
export const journalKey: string = "k".repeat(64);
