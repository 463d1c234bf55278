/** What `edit_file` costs for a file of 1 MB: the median, in milliseconds, and the time of processors. The bare line writes the same bytes. */
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@mdx-ai/base";
import { applyEdits } from "@mdx-ai/tools/edits";
import { fileKeeper } from "../packages/sessions/src/checkpoints/file-keeper.ts";
import { readHistory } from "../packages/sessions/src/history/read-history.ts";
import { openJournalFile } from "../packages/sessions/src/journal/journal.ts";
import { editFileTool } from "../packages/tools/src/edit/edit-file-tool.ts";
import { lineDifference } from "../packages/tools/src/edit/unified-diff.ts";
import { FileMemory } from "../packages/tools/src/file-memory.ts";
import { median } from "./median.ts";

const ROUNDS = 50;

const folder = mkdtempSync(join(tmpdir(), "mdx-ai-edit-"));
const path = join(folder, "a.ts");
const text = Array.from({ length: 20_000 }, (_, index) => `const value${index} = compute(${index}, "some text");`).join(
  "\n",
);
writeFileSync(path, text);

const tool = editFileTool({ files: new FileMemory() });
const { signal } = new AbortController();
const context = {
  ...{ agentDir: "/nowhere", cwd: folder, sessionId: "main", callId: "1", signal },
  log: async () => {},
  update: () => {},
};

const redactor = createRedactor({ environment: { MY_SERVICE_TOKEN: "0123456789abcdefghij" } });
const past = {
  folder,
  containsSecret: (content: Uint8Array) => redactor.containsSecret(content),
  history: () => readHistory([]),
};
const journal = openJournalFile(join(folder, "journal.jsonl"));
const keeperOf = (prompt: number) =>
  fileKeeper({ journal, prompt, journaled: [], past, onWarning: (message) => console.error(message) });

interface Cost {
  readonly wall: number;
  readonly processor: number;
}

async function costOf(work: (round: number) => unknown): Promise<Cost> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { wall: median(times), processor: (user + system) / 1_000 / ROUNDS };
}

let version = 0;
const editOnce = (more: object): unknown => {
  const old = version === 0 ? "value500 =" : `value500 /* ${version} */ =`;
  version += 1;
  return tool.execute({ path, edits: [{ old, new: `value500 /* ${version} */ =` }] }, { ...context, ...more });
};

const bytes = Buffer.from(text);
const edits = [{ old: "compute(10000, ", new: "compute(x, " }];
const computed = await costOf(() => {
  const edited = applyEdits(bytes, edits);
  lineDifference(bytes, edited.bytes, edited.changes);
});
const whole = await costOf(() => editOnce({}));
const first = await costOf((round) => editOnce({ keeper: keeperOf(round) }));
const keeper = keeperOf(ROUNDS);
const further = await costOf(() => editOnce({ keeper }));
const bare = await costOf(() => {
  const draft = openSync(`${path}.draft`, "w");
  writeFileSync(draft, text);
  closeSync(draft);
  renameSync(`${path}.draft`, path);
});
rmSync(folder, { recursive: true });

const shown = (label: string, { wall, processor }: Cost): string =>
  `${label.padEnd(40)} ${wall.toFixed(2)} ms, processor ${processor.toFixed(2)} ms`;
console.log(
  [
    `edit_file, ${(text.length / 1e6).toFixed(2)} MB, median of ${ROUNDS}`,
    shown("edit and difference in memory", computed),
    shown("edit_file", whole),
    shown("the same, to be taken back", first),
    shown("the same, again in the prompt", further),
    shown("bare write and rename", bare),
  ].join("\n"),
);
