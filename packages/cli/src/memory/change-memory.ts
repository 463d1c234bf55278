import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { plainLine } from "@mdx-ai/directory/text";
import { counted, grouped } from "@mdx-ai/directory/views/figures";
import { importLines, readLines, timeOf } from "@mdx-ai/memory";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { Spinner } from "../output/spinner.ts";
import { unknownIds } from "./look-up.ts";
import { type MemoryRun, withMemory, withNewMemory } from "./memory-run.ts";

/** Adds one entry and prints its id. */
export async function addToMemory(run: MemoryRun): Promise<void> {
  const {
    words: [text = ""],
    args: { values },
    context,
  } = run;
  const date = values.get("date");
  const tags = ["speaker", "session", "source"].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const entry = { rawEntry: text, summary: "", tags: Object.fromEntries(tags) };
  const createdAt = date === undefined ? undefined : timeOf(date);
  const added = await withNewMemory(run, ({ store, memory: { vaultId, memoryId } }) =>
    store.addEntry(vaultId, memoryId, { ...entry, ...(createdAt !== undefined && { createdAt }) }),
  );
  context.stdout.write(`Added: ${added.entryId}\n`);
}

/** Deletes entries from every file. Returns exit code 1 if one does not exist; the others are deleted. */
export async function forgetMemory(run: MemoryRun): Promise<number> {
  const {
    words: ids,
    args: { values },
    context,
  } = run;
  const source = values.get("source");
  if ((source === undefined) === (ids.length === 0)) {
    throw new UsageError("name what to forget: forget ID…, or forget --source TEXT");
  }
  const forgotten =
    (await withMemory(run, ({ store, memory: { vaultId, memoryId } }) =>
      source === undefined
        ? store.forgetEntries(vaultId, memoryId, ids)
        : store.forgetSource(vaultId, memoryId, source),
    )) ?? [];
  if (forgotten.length > 0) context.stdout.write(`Forgotten: ${plainLine(forgotten.join(", "))}\n`);
  const unknown = ids.filter((id) => !forgotten.includes(id));
  if (unknown.length > 0) {
    context.stderr.write(`mdx-ai: ${plainLine(unknownIds(unknown).message)}\n`);
    return EXIT_CODE.failed;
  }
  if (forgotten.length === 0) context.stderr.write("There are no entries from this source.\n");
  return EXIT_CODE.done;
}

/** Adds an entry for each line of a file; "-" is standard input. Returns exit code 1 if a line is invalid. */
export async function importMemory(run: MemoryRun): Promise<number> {
  const {
    words: [file = ""],
    context,
  } = run;
  const { stdout, stderr, environment, interruption } = context;
  const path = resolve(context.currentDirectory, file);
  if (file !== "-" && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) {
    throw new UsageError(existsSync(path) ? `${path} is a folder; name a file` : `there is no file ${path}`);
  }
  const bytes = file === "-" ? Bun.stdin.stream() : Bun.file(path).stream();
  const spinner = new Spinner(stderr, environment);
  try {
    const { lines, added, existing, broken } = await withNewMemory(run, async ({ store, memory }) => {
      const imported = await importLines(store, memory, readLines(bytes), {
        signal: interruption.listen(),
        onBroken: ({ line, reason }) => spinner.write(`line ${line} skipped: ${plainLine(reason)}\n`),
        onProgress: (progress) => spinner.show(`${grouped(progress.lines)} lines`),
      });
      await store.awaitConsistency(memory.memoryId);
      return imported;
    });
    spinner.stop();
    if (interruption.exitCode !== undefined) stderr.write("Interrupted; run it again to import the rest.\n");
    const kept = `${grouped(existing)} existed already, ${grouped(broken)} skipped`;
    stdout.write(`Imported ${grouped(added)} of ${counted(lines, "line")}; ${kept}\n`);
    return broken > 0 ? EXIT_CODE.failed : EXIT_CODE.done;
  } finally {
    spinner.stop();
    interruption.release();
  }
}
