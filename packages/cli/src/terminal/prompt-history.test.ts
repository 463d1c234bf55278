import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { PromptHistory, type PromptHistoryOptions } from "./input/prompt-history.ts";

function historyIn(state: string, options: Partial<PromptHistoryOptions> = {}): PromptHistory {
  return new PromptHistory({ state, place: "/repository", isKept: true, redact: (text) => text, ...options });
}

const fileIn = (state: string): string => {
  const [name = "", ...others] = readdirSync(join(state, "history"));
  expect(others).toStrictEqual([]);
  return join(state, "history", name);
};

test("what was sent is there in the next conversation of the place, and in no other; its file is the user's alone", async () => {
  using folder = temporaryDirectory();
  const first = historyIn(folder.path);
  for (const text of ["one", "two\nlines", "two\nlines", "  "]) first.add(text);
  await first.settled();
  expect(first.texts).toStrictEqual(["one", "two\nlines"]);
  expect(statSync(fileIn(folder.path)).mode & 0o777).toBe(0o600);
  expect(historyIn(folder.path).load()).toStrictEqual(["one", "two\nlines"]);
  expect(historyIn(folder.path, { place: "/other" }).load()).toStrictEqual([]);
});

test("secrets are redacted in the file, and nothing is kept of a conversation that leaves nothing behind", async () => {
  using folder = temporaryDirectory();
  const redacting = historyIn(folder.path, { redact: (text) => text.replace("sk-123", "[redacted]") });
  const fleeting = historyIn(folder.path, { isKept: false });
  redacting.add("my key is sk-123");
  fleeting.add("never written");
  await Promise.all([redacting.settled(), fleeting.settled()]);
  expect(redacting.texts).toStrictEqual(["my key is sk-123"]);
  expect(historyIn(folder.path).load()).toStrictEqual(["my key is [redacted]"]);
});

test("several conversations write side by side, and a torn line costs itself alone", async () => {
  using folder = temporaryDirectory();
  const histories = [1, 2, 3].map((number) => ({ number, history: historyIn(folder.path) }));
  for (const { number, history } of histories) {
    for (let at = 0; at < 20; at++) history.add(`${number}.${at}`);
  }
  await Promise.all(histories.map(({ history }) => history.settled()));
  appendFileSync(fileIn(folder.path), '"torn\n');
  const all = historyIn(folder.path).load();
  expect(all.length).toBe(60);
  for (const { number } of histories) {
    const own = all.filter((text) => text.startsWith(`${number}.`));
    expect(own).toStrictEqual(Array.from({ length: 20 }, (_, at) => `${number}.${at}`));
  }
});

test("a large file is shortened to the newest texts, and a huge text is not kept", async () => {
  using folder = temporaryDirectory();
  historyIn(folder.path).add("first");
  const history = historyIn(folder.path);
  history.add("x".repeat(30_000));
  history.add("small");
  await history.settled();
  const file = fileIn(folder.path);
  const lines = Array.from({ length: 900 }, (_, at) => `${JSON.stringify(`${at} ${"y".repeat(1_000)}`)}\n`);
  appendFileSync(file, lines.join(""));
  const large = historyIn(folder.path);
  large.load();
  await large.settled();
  const kept = historyIn(folder.path).load();
  expect(statSync(file).size).toBeLessThan(300_000);
  expect(kept.at(-1)).toStartWith("899 ");
  expect(kept).not.toContain("first");
});

test("without a folder to write to it lasts as long as the process", async () => {
  using folder = temporaryDirectory();
  mkdirSync(join(folder.path, "history"));
  appendFileSync(join(folder.path, "file"), "");
  const history = historyIn(join(folder.path, "file"));
  history.add("one");
  await history.settled();
  expect(history.texts).toStrictEqual(["one"]);
  expect(history.load()).toStrictEqual([]);
});
