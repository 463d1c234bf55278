import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { countPrompt, loadState, newState, saveState } from "./agent-state.ts";

const clock = new HandClock("2026-11-21T09:00:00.000Z");
const FILE = "state/agent-state.json";

test("an agent without a state has a new one, and reading makes no folder", async () => {
  using agent = temporaryDirectory();
  expect(loadState(agent.path, { clock })).toEqual({ version: 1, promptCount: 0 });
  expect(readdirSync(agent.path)).toEqual([]);
});

test("what was saved is loaded, the folder is made, and both are their owner's alone", async () => {
  using agent = temporaryDirectory();
  const state = countPrompt(countPrompt(newState, clock.now()), clock.now());
  saveState(agent.path, state);
  expect(loadState(agent.path, { clock })).toEqual({
    version: 1,
    promptCount: 2,
    lastUsed: "2026-11-21T09:00:00.000Z",
  });
  expect(statSync(join(agent.path, "state")).mode & 0o777).toBe(0o700);
  expect(statSync(join(agent.path, FILE)).mode & 0o777).toBe(0o600);
});

test("saving leaves no draft behind, and the last of many savings counts", async () => {
  using agent = temporaryDirectory();
  for (let promptCount = 1; promptCount <= 20; promptCount++) saveState(agent.path, { version: 1, promptCount });
  expect(readdirSync(join(agent.path, "state"))).toEqual(["agent-state.json"]);
  expect(loadState(agent.path, { clock })?.promptCount).toBe(20);
});

test("saving keeps the file that sandboxes protect, and takes back a mode that others may read", () => {
  using agent = temporaryDirectory();
  const path = join(agent.path, FILE);
  saveState(agent.path, newState);
  const { ino } = statSync(path);
  chmodSync(path, 0o644);
  saveState(agent.path, countPrompt(newState, clock.now()));
  expect(statSync(path)).toMatchObject({ ino, mode: 0o100600 });
});

test.each([
  ["is longer", (path: string) => appendFileSync(path, " ".repeat(500))],
  ["has a second name", (path: string) => linkSync(path, `${path}.link`)],
])("a file that %s is replaced, and not written over", async (_name, change) => {
  using agent = temporaryDirectory();
  const path = join(agent.path, FILE);
  saveState(agent.path, newState);
  change(path);
  const before = readFileSync(path, "utf8");
  const descriptor = openSync(path, "r");
  saveState(agent.path, { version: 1, promptCount: 5 });
  expect(loadState(agent.path, { clock })?.promptCount).toBe(5);
  expect(readFileSync(descriptor, "utf8")).toBe(before);
  closeSync(descriptor);
});

test.each([
  ["empty", ""],
  ["cut off", '{"version": 1, "promptC'],
  ["no object", "[]"],
  ["null", "null"],
  ["with a negative count", '{"version": 1, "promptCount": -1}'],
  ["with a count that is a text", '{"version": 1, "promptCount": "1"}'],
  ["with a time that is none", '{"version": 1, "promptCount": 1, "lastUsed": "yesterday"}'],
])("a file that is %s is set aside with a warning", async (_name, text) => {
  using agent = temporaryDirectory();
  mkdirSync(join(agent.path, "state"));
  writeFileSync(join(agent.path, FILE), text);
  const warnings: string[] = [];
  const state = loadState(agent.path, { clock, onWarning: (message) => warnings.push(message) });
  expect(state).toEqual(newState);
  const aside = "state/agent-state.broken-2026-11-21T09-00-00.000Z.json";
  expect(readFileSync(join(agent.path, aside), "utf8")).toBe(text);
  expect(existsSync(join(agent.path, FILE))).toBe(false);
  expect(warnings).toEqual([`state/agent-state.json cannot be read and was renamed to ${aside}`]);
});

test("a file of a newer version is neither set aside nor written over, and a warning says what to do", async () => {
  using directory = agentDirectory();
  const text = '{"version": 2, "prompts": 7}';
  writeFiles(directory.path, { [FILE]: text });
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const agent = await openScriptAgent(directory.path, [{ text: "done" }], { onWarning });
  await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  expect(readFileSync(join(directory.path, FILE), "utf8")).toBe(text);
  expect(readdirSync(join(directory.path, "state"))).not.toContainEqual(expect.stringContaining("broken"));
  expect(warnings).toEqual(["state/agent-state.json was written by a newer version of mdx-ai; update mdx-ai"]);
});

test.each(["state", FILE])(
  "%s that is a symbolic link is a warning, and nothing is read or written where it leads",
  async (link) => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const file = join(elsewhere.path, "agent-state.json");
    writeFileSync(file, '{"version": 1, "promptCount": 7}');
    mkdirSync(dirname(join(agent.path, link)), { recursive: true });
    symlinkSync(link === FILE ? file : elsewhere.path, join(agent.path, link));
    const warnings: string[] = [];
    const onWarning = (message: string): unknown => warnings.push(message);
    expect(loadState(agent.path, { clock, onWarning })).toEqual(newState);
    saveState(agent.path, { version: 1, promptCount: 8 }, onWarning);
    expect(readFileSync(file, "utf8")).toContain("7");
    expect(readdirSync(elsewhere.path)).toStrictEqual(["agent-state.json"]);
    expect(warnings[0]).toContain("is a symbolic link");
  },
);

test("a state that can be neither read nor written is a warning, not a failure", async () => {
  using agent = temporaryDirectory();
  mkdirSync(join(agent.path, FILE, "full"), { recursive: true });
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  expect(loadState(agent.path, { clock, onWarning })).toEqual(newState);
  saveState(agent.path, newState, onWarning);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toStartWith("state/agent-state.json could not be read: ");
  expect(warnings[1]).toStartWith("state/agent-state.json could not be written: ");
  expect(readdirSync(join(agent.path, "state"))).toEqual(["agent-state.json"]);
});

test("saving does not bring back a removed agent directory", async () => {
  using parent = temporaryDirectory();
  const warnings: string[] = [];
  saveState(join(parent.path, "gone"), newState, (message) => warnings.push(message));
  expect(warnings).toHaveLength(1);
  expect(readdirSync(parent.path)).toEqual([]);
});

test("a file where the folder should be is a warning that says so", async () => {
  using agent = temporaryDirectory();
  writeFileSync(join(agent.path, "state"), "");
  const warnings: string[] = [];
  saveState(agent.path, newState, (message) => warnings.push(message));
  expect(warnings).toEqual([expect.stringContaining("state is a file where a folder should be")]);
});

test("a named pipe instead of the state is a warning, without waiting for its other end", async () => {
  using agent = temporaryDirectory();
  mkdirSync(join(agent.path, "state"));
  Bun.spawnSync(["mkfifo", join(agent.path, FILE)]);
  const warnings: string[] = [];
  expect(loadState(agent.path, { clock, onWarning: (message) => warnings.push(message) })).toEqual(newState);
  expect(warnings).toEqual(["state/agent-state.json could not be read: it is not a regular file"]);
});
