import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Step, StepContext } from "@mdx-ai/loop";
import { JournalError } from "@mdx-ai/sessions";
import { hostOf, stepsOf } from "../../../../test/support/prompt-steps.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type Journal, type JournalLine, openJournalFile } from "../journal/journal.ts";
import { readJournal } from "../journal/read-journal.ts";

const promptStep = (journal: Journal, journaled: readonly JournalLine[]): Step =>
  stepsOf({ journal, prompt: 1, journaled, conversation: { first: 0, messages: [], compaction: undefined } });

const isNumber = (value: unknown): value is number => typeof value === "number";

test("a step runs once, and a later process gets its result from the journal", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  let runs = 0;
  for (let process = 0; process < 3; process++) {
    const { lines } = readJournal(path);
    const journal = openJournalFile(path);
    const step = promptStep(journal, lines);
    expect(await step("model:1", async () => ++runs, { accepts: isNumber })).toBe(1);
    journal.close();
  }
  expect(runs).toBe(1);
});

test("a step that was started and has no result is never run again, but answered as interrupted", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const journal = openJournalFile(path);
  journal.append({ v: 1, prompt: 1, step: "tool:1:a", started: true });
  const step = promptStep(journal, readJournal(path).lines);
  let ran = false;
  const run = async (): Promise<number> => {
    ran = true;
    return 1;
  };
  expect(await step("tool:1:a", run, { accepts: isNumber, interrupted: () => -1 })).toBe(-1);
  expect(ran).toBe(false);
  expect(readJournal(path).lines.at(-1)).toEqual({ v: 1, prompt: 1, step: "tool:1:a", result: -1 });
  journal.close();
});

test("a step that waits for the user runs again after a crash, and not once it has the answer", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const runs: string[] = [];
  const cutAt = async (moment: "waiting" | "answered"): Promise<number | "cut"> => {
    const { lines } = readJournal(path);
    const journal = openJournalFile(path);
    const cut = Promise.withResolvers<"cut">();
    const run = async ({ waiting }: StepContext): Promise<number> => {
      runs.push(moment);
      await waiting?.(async () => {
        if (moment === "waiting") await cutOff(cut);
      });
      if (moment === "answered") await cutOff(cut);
      return 1;
    };
    const step = promptStep(journal, lines);
    const ended = step("tool:1:a", run, { accepts: isNumber, interrupted: () => -1 });
    const result = await Promise.race([ended, cut.promise]);
    journal.close();
    return result;
  };
  expect(await cutAt("waiting")).toBe("cut");
  expect(await cutAt("waiting")).toBe("cut");
  expect(await cutAt("answered")).toBe("cut");
  expect(await cutAt("answered")).toBe(-1);
  expect(runs).toEqual(["waiting", "waiting", "answered"]);
});

/** The process ends here. */
function cutOff(cut: PromiseWithResolvers<"cut">): Promise<never> {
  cut.resolve("cut");
  return new Promise(() => {});
}

test("the markers of steps that begin together are on disk before any of them runs", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const file = openJournalFile(path);
  const order: string[] = [];
  const journal: Journal = {
    append(line) {
      order.push("started" in line ? `started ${line.step}` : `result ${line.step}`);
      file.append(line);
    },
    async sync() {
      await file.sync();
      order.push("synced");
    },
    isInPlace: () => file.isInPlace(),
    close: () => file.close(),
  };
  const step = promptStep(journal, []);
  const call = (name: string): Promise<number> =>
    step(
      name,
      async () => {
        order.push(`run ${name}`);
        return 1;
      },
      { accepts: isNumber, interrupted: () => 0 },
    );
  await Promise.all([call("a"), call("b")]);
  expect(order.slice(0, 2)).toEqual(["started a", "started b"]);
  expect(order.indexOf("synced")).toBeLessThan(order.indexOf("run a"));
  expect(order.filter((entry) => entry.startsWith("run"))).toEqual(["run a", "run b"]);
  journal.close();
});

test("a journaled result that cannot be read is a JournalError, not a second run", async () => {
  using directory = temporaryDirectory();
  const journal = openJournalFile(join(directory.path, "journal.jsonl"));
  const step = promptStep(journal, [{ v: 1, prompt: 1, step: "model:1", result: "not a number" }]);
  expect(step("model:1", async () => 1, { accepts: isNumber })).rejects.toThrow(JournalError);
  journal.close();
});

test("a wait that was journaled by a clock ahead of time lasts no longer than it was meant to", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const journal = openJournalFile(path);
  const until = Date.now() + 2 * 3_600_000;
  const journaled: JournalLine[] = [{ v: 1, prompt: 1, step: "retry:1:2", result: { delay: 10, until } }];
  using host = hostOf({
    journal,
    prompt: 1,
    journaled,
    conversation: { first: 0, messages: [], compaction: undefined },
  });
  await host.sleep("retry:1:2", 10);
  journal.close();
});
