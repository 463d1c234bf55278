import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { copyExamples } from "../support/example-copy.ts";
import type { Reply } from "../support/replies.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openWaking, userTexts } from "../support/waking-agent.ts";

const summary = (name: string): readonly Reply[] => [
  { calls: [{ id: "1", name: "write_file", arguments: { path: `summaries/${name}`, content: `Short ${name}` } }] },
  { text: `Summarized ${name}` },
];

test("the watcher example has each file summarized once: one that arrives, and one that came while no process ran", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "watcher");
  copyExamples(path, "watcher");
  const isKnown = (name: string): boolean => {
    const file = join(path, "state/modules/inbox.json");
    return existsSync(file) && readFileSync(file, "utf8").includes(`"${name}"`);
  };
  const first = await openWaking(path, summary("a.txt"));
  await Bun.write(join(path, "inbox/a.txt"), "A long text");
  await eventually(
    () => isKnown("a.txt"),
    () => first.warnings.join("; "),
  );
  expect(readFileSync(join(path, "summaries/a.txt"), "utf8")).toBe("Short a.txt");
  expect(await userTexts(first.agent, "inbox")).toEqual(["inbox/a.txt has arrived. Summarize it in summaries/a.txt."]);
  await first.agent.close();
  await Bun.write(join(path, "inbox/b.txt"), "Another text");
  const second = await openWaking(path, summary("b.txt"));
  await eventually(
    () => isKnown("b.txt"),
    () => second.warnings.join("; "),
  );
  expect(await userTexts(second.agent, "inbox")).toHaveLength(2);
  expect([first.warnings, second.warnings]).toEqual([[], []]);
  await second.agent.close();
});
