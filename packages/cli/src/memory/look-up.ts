import { existsSync } from "node:fs";
import type { JsonObject } from "@mdx-ai/base";
import { shortened } from "@mdx-ai/base";
import { jsonText, plainLine, plainText, safeJson, withNewline } from "@mdx-ai/directory/text";
import { entryLine, LIMITS, type MemoryEntry } from "@mdx-ai/memory";
import { numberOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import { type MemoryRun, storePath, withMemory, withNewStore } from "./memory-run.ts";

/** Prints the entries, newest first. */
export async function listMemory(run: MemoryRun): Promise<void> {
  const { args, context } = run;
  const limit = numberOption(args, { name: "limit", minimum: 1, isWhole: true });
  const source = args.values.get("source");
  const entries = await withMemory(run, async ({ store, memory: { vaultId, memoryId } }) =>
    store.newestEntries(vaultId, memoryId, {
      ...(limit !== undefined && { limit }),
      ...(source !== undefined && { source }),
    }),
  );
  print(entries ?? [], entryReport, run);
  if (entries !== undefined && entries.length > 0) return;
  note(context, source === undefined ? "Nothing is remembered yet." : "There are no entries from this source.");
}

/** Prints the entries that match a question, best first. */
export async function searchMemory(run: MemoryRun): Promise<void> {
  const {
    words: [query = ""],
    args,
    context,
  } = run;
  const limit = numberOption(args, { name: "limit", minimum: 1, maximum: LIMITS.searchMost, isWhole: true });
  const found = await withMemory(run, ({ store, memory: { vaultId, memoryId } }) =>
    store.search(vaultId, memoryId, query, { ...(limit !== undefined && { limit }) }),
  );
  const scores = new Map(found?.map(({ entry, score }) => [entry.entryId, score]));
  const report = (entry: MemoryEntry): ReturnType<typeof entryReport> => {
    const { id = null, text = null, speaker = null, date = null, session = null } = entryReport(entry);
    return { id, score: scores.get(entry.entryId) ?? 0, text, speaker, date, session };
  };
  print(found?.map(({ entry }) => entry) ?? [], report, run);
  if (found === undefined || found.length === 0) note(context, "Nothing was found.");
}

/** Prints one entry. Rejects with `ProgramError` if no entry has this id. */
export async function showMemory(run: MemoryRun): Promise<void> {
  const {
    words: [id = ""],
    args,
    context,
  } = run;
  const entry = await withMemory(run, ({ store, memory: { vaultId, memoryId } }) =>
    store.getEntry(vaultId, memoryId, id),
  );
  if (entry === undefined) throw unknownIds([id]);
  const isJson = args.switches.has("json");
  const text = isJson
    ? `${jsonText(context.keys.value(entryReport(entry)), 2)}\n`
    : context.keys.text(entryText(entry));
  context.stdout.write(text);
}

/** Prints all entries as lines that `import` accepts. */
export async function exportMemory(run: MemoryRun): Promise<void> {
  const { stdout, keys } = run.context;
  await withMemory(run, async ({ store, memory: { vaultId, memoryId } }) => {
    for (const entry of store.entries(vaultId, memoryId)) {
      if (stdout.closed.aborted) return;
      stdout.write(`${safeJson(keys.json(entryLine(entry)))}\n`);
    }
  });
}

export const unknownIds = (ids: readonly string[]): ProgramError =>
  new ProgramError(`there is no entry ${ids.map((id) => JSON.stringify(id)).join(", ")}`, EXIT_CODE.failed);

function print(entries: readonly MemoryEntry[], report: typeof entryReport, { args, context }: MemoryRun): void {
  const { stdout, keys } = context;
  if (args.switches.has("json")) {
    stdout.write(`${jsonText(keys.value(entries.map(report)), 2)}\n`);
    return;
  }
  const columns = stdout.isTerminal ? process.stdout.columns : undefined;
  for (const entry of entries) stdout.write(keys.text(entryRow(entry, columns)));
}

const note = ({ stderr }: CommandContext, text: string): void => stderr.write(`${text}\n`);

/** An entry as JSON: the fields of an exported line, with null for absent ones. */
function entryReport(entry: MemoryEntry): JsonObject {
  const { id, text, speaker = null, date, session = null, summary = null, tags = {} } = entryLine(entry);
  return { id, text, speaker, date, session, summary, tags: { ...tags } };
}

/** An entry as one line, cut to the width if known. */
function entryRow(entry: MemoryEntry, columns: number | undefined): string {
  const { id, date, speaker, text } = entryLine(entry);
  const said = plainLine(`${speaker === undefined ? "" : `${speaker}: `}${text}`);
  const line = `${plainLine(id)}  ${date.slice(0, 10)}  ${said}`;
  const room = columns ?? WIDEST;
  return `${line.length > room ? shortened(line, room - 1) : line}\n`;
}

/** Maximum characters of a line in a file or pipe. */
const WIDEST = 500;

/** An entry in full: its details and text. */
function entryText(entry: MemoryEntry): string {
  const { id, date, speaker, session, summary, tags = {}, text } = entryLine(entry);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["id", id],
    ["date", date],
    ["speaker", speaker],
    ["session", session],
    ...Object.entries(tags),
    ["summary", summary],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [plainLine(`${name}: ${value}`)]));
  return `${lines.join("\n")}\n\n${withNewline(plainText(text))}`;
}

/** Checks the store without changing it. Returns exit code 1 if there is a problem. */
export async function verifyMemory(run: MemoryRun): Promise<number> {
  const { args, context } = run;
  const problems = existsSync(storePath(run, false)) ? await withNewStore(run, (store) => store.verify()) : [];
  if (args.switches.has("json")) context.stdout.write(`${jsonText({ state: stateOf(problems), problems }, 2)}\n`);
  else context.stdout.write([stateOf(problems), ...problems].map((line) => `${plainLine(line)}\n`).join(""));
  return problems.length === 0 ? EXIT_CODE.done : EXIT_CODE.failed;
}

const stateOf = (problems: readonly string[]): string => (problems.length === 0 ? "ok" : "broken");
