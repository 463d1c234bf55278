import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  forkSession,
  readSession,
  rewindSession,
  SessionExistsError,
  SessionInUseError,
  UnknownPromptError,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { beginLine } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const opening = { now: 0, onWarning: () => {} };

async function talk(directory: string, inputs: readonly string[], session = "main"): Promise<void> {
  const agent = await openScriptAgent(
    directory,
    inputs.map((text) => ({ text: `to ${text}` })),
  );
  for (const text of inputs) await Array.fromAsync(agent.session(session).prompt(text));
  await agent.close();
}

const inputs = (directory: string, session: string): string =>
  readSession(directory, session)
    .messages.flatMap(({ role, content }) =>
      role === "user" ? content.map((block) => (block.type === "text" ? block.text : "")) : [],
    )
    .join("");

const history = (directory: string, session: string): unknown[] =>
  JSON.parse(readFileSync(join(directory, "sessions", session, "history.json"), "utf8"));

test("a fork has said the same up to a prompt, and each goes its own way from there", async () => {
  using directory = agentDirectory();
  await talk(directory.path, ["a", "b", "c"]);
  expect(await forkSession(directory.path, { ...opening, from: "main", to: "other", at: 2 })).toBe(2);
  expect(await forkSession(directory.path, { ...opening, from: "main", to: "copy" })).toBe(3);
  await talk(directory.path, ["x"], "other");
  expect(inputs(directory.path, "main")).toBe("abc");
  expect(inputs(directory.path, "other")).toBe("abx");
  expect(inputs(directory.path, "copy")).toBe("abc");
  expect(history(directory.path, "other")).toHaveLength(6);
});

test("going back deletes nothing, and one can go forth again", async () => {
  using directory = agentDirectory();
  await talk(directory.path, ["a", "b", "c"]);
  await rewindSession(directory.path, { ...opening, id: "main", to: 1 });
  expect(inputs(directory.path, "main")).toBe("a");
  expect(history(directory.path, "main")).toHaveLength(2);
  await talk(directory.path, ["x"]);
  expect(inputs(directory.path, "main")).toBe("ax");
  await rewindSession(directory.path, { ...opening, id: "main", to: 3 });
  expect(inputs(directory.path, "main")).toBe("abc");
  await rewindSession(directory.path, { ...opening, id: "main", to: 0 });
  expect(inputs(directory.path, "main")).toBe("");
});

test("a fork of an interrupted session is not interrupted, and leaves the other one to be finished", async () => {
  using directory = agentDirectory();
  await talk(directory.path, ["a"]);
  appendFileSync(join(directory.path, "sessions/main/journal.jsonl"), `${JSON.stringify(beginLine(2, "b"))}\n`);
  await forkSession(directory.path, { ...opening, from: "main", to: "other" });
  expect(readSession(directory.path, "main").summary.isUnfinished).toBe(true);
  expect(readSession(directory.path, "other").summary.isUnfinished).toBe(false);
  expect(inputs(directory.path, "other")).toBe("a");
});

test.each<[string, Partial<Parameters<typeof forkSession>[1]>, new (...args: never[]) => Error]>([
  ["of a session that is not there", { from: "nobody" }, UnknownSessionError],
  ["to one that is there", { to: "main" }, SessionExistsError],
  ["at a prompt that is not there", { at: 9 }, UnknownPromptError],
])("a fork %s is refused and makes no session", async (_name, change, error) => {
  using directory = agentDirectory();
  await talk(directory.path, ["a"]);
  const fork = forkSession(directory.path, { ...opening, from: "main", to: "other", ...change });
  await expect(fork).rejects.toBeInstanceOf(error);
  expect(readdirSync(join(directory.path, "sessions"))).toStrictEqual(["main"]);
});

const KEYS = ["order-1", "order-2", "order-3"];

/** Submits inputs with keys, and gives what a session has said when all have ended. */
async function submitAll(directory: string, session: string, keys = KEYS): Promise<string> {
  const agent = await openScriptAgent(directory, [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
  for (const key of keys) await agent.session(session).submit(`${key} `, { key });
  await Array.fromAsync(agent.session(session).prompt("last "));
  await agent.close();
  return inputs(directory, session);
}

test("a fork knows the keys of the prompts that it has, and runs what is submitted with another one", async () => {
  using directory = agentDirectory();
  await submitAll(directory.path, "main", KEYS.slice(0, 2));
  await forkSession(directory.path, { ...opening, from: "main", to: "one", at: 1 });
  await forkSession(directory.path, { ...opening, from: "one", to: "none", at: 0 });
  await forkSession(directory.path, { ...opening, from: "main", to: "two", at: 2 });
  expect(await submitAll(directory.path, "one")).toBe("order-1 order-2 order-3 last ");
  expect(await submitAll(directory.path, "one")).toBe("order-1 order-2 order-3 last last ");
  expect(await submitAll(directory.path, "none")).toBe("order-1 order-2 order-3 last ");
  expect(await submitAll(directory.path, "two")).toBe("order-1 order-2 order-3 last ");
  expect(await submitAll(directory.path, "main", KEYS.slice(0, 2))).toBe("order-1 order-2 last last ");
});

test("a fork that goes back keeps its keys, including the key of the prompt to which it goes", async () => {
  using directory = agentDirectory();
  await submitAll(directory.path, "main", KEYS.slice(0, 2));
  await forkSession(directory.path, { ...opening, from: "main", to: "other", at: 1 });
  await rewindSession(directory.path, { ...opening, id: "other", to: 0 });
  expect(await submitAll(directory.path, "other", ["order-1"])).toBe("last ");
  await rewindSession(directory.path, { ...opening, id: "other", to: 2 });
  expect(await submitAll(directory.path, "other")).toBe("order-1 order-2 order-3 last ");
});

test("a session that is in use is neither forked nor rewound", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("a"));
  await expect(forkSession(directory.path, { ...opening, from: "main", to: "other" })).rejects.toBeInstanceOf(
    SessionInUseError,
  );
  await expect(rewindSession(directory.path, { ...opening, id: "main", to: 0 })).rejects.toBeInstanceOf(
    SessionInUseError,
  );
  await agent.close();
  await expect(rewindSession(directory.path, { ...opening, id: "main", to: 5 })).rejects.toBeInstanceOf(
    UnknownPromptError,
  );
});
