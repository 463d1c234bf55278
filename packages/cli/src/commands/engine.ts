import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Redactor } from "@mdx-ai/base";
import { readEngineSession, type StoredSessionName, writeEngineSession } from "@mdx-ai/engine";
import { makeSession, readJournalLines, sessionFolder, sessionSummary, titleSession } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import { agentData } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { agentName } from "../serving/agent-sources.ts";

/** `mdx-ai engine`: copies a session between an engine and the folder of an agent. */
export async function runEngine(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [action, directory = ".", id = ""] = args.positionals;
  const address = textOption(args, "engine", "an address such as restate://127.0.0.1:9070");
  if (address === undefined) throw new UsageError("give the engine's address with --engine restate://HOST:PORT");
  const user = textOption(args, "user", "the name of a user");
  const name = { address, agent: agentName(directory, context), user, id };
  if (action === "export") await exportSession(name, agentData(directory, { args, isWriting: true }, context));
  else if (action === "import")
    await importSession(name, agentData(directory, { args, isWriting: false }, context), context.keys);
  else throw new UsageError(`mdx-ai engine takes export or import, but got ${JSON.stringify(action)}`);
  return EXIT_CODE.done;
}

async function exportSession(name: StoredSessionName, dataDirectory: string): Promise<void> {
  const { lines, title } = await readEngineSession(name);
  makeSession(dataDirectory, name.id);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  appendFileSync(join(sessionFolder(dataDirectory, name.id), "journal.jsonl"), text, { mode: 0o600 });
  if (title !== undefined) titleSession(dataDirectory, name.id, title);
}

async function importSession(name: StoredSessionName, dataDirectory: string, redactor: Redactor): Promise<void> {
  const summary = sessionSummary(dataDirectory, name.id);
  if (summary.state === "damaged" || summary.isUnfinished)
    throw new ProgramError(`session ${name.id} has an unfinished prompt; finish or cancel it first`, EXIT_CODE.failed);
  const lines = readJournalLines(sessionFolder(dataDirectory, name.id));
  await writeEngineSession(name, { lines, title: summary.title }, redactor);
}
