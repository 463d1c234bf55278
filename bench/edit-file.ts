/** What `edit_file` costs for a file of 1 MB: the median, in milliseconds. The bare line writes and syncs the same bytes. */
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyEdits } from "../packages/runtime/src/tools/edit/apply-edits.ts";
import { editFileTool } from "../packages/runtime/src/tools/edit/edit-file-tool.ts";
import { lineDifference } from "../packages/runtime/src/tools/edit/unified-diff.ts";
import { FileMemory } from "../packages/runtime/src/tools/file-memory.ts";
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

async function milliseconds(work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return median(times);
}

const edits = [{ old: "compute(10000, ", new: "compute(x, " }];
const computed = await milliseconds(() => {
  const edited = applyEdits(text, edits);
  lineDifference(text, edited.text, edited.changes);
});
const whole = await milliseconds((round) => {
  const old = round === 0 ? "value500 =" : `value500 /* ${round - 1} */ =`;
  return tool.execute({ path, edits: [{ old, new: `value500 /* ${round} */ =` }] }, context);
});
const bare = await milliseconds(() => {
  const draft = openSync(`${path}.draft`, "w");
  writeFileSync(draft, text);
  fsyncSync(draft);
  closeSync(draft);
  renameSync(`${path}.draft`, path);
});
rmSync(folder, { recursive: true });

const shown = (label: string, value: number): string => `${label.padEnd(40)} ${value.toFixed(2)} ms`;
console.log(
  [
    `edit_file, ${(text.length / 1e6).toFixed(2)} MB, median of ${ROUNDS}`,
    shown("edit and difference in memory", computed),
    shown("edit_file, with its syncs", whole),
    shown("bare write, sync and rename", bare),
  ].join("\n"),
);
