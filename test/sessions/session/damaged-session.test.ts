import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { JournalError, openStoredSession } from "@mdx-ai/sessions";
import { assistantMessage } from "../../support/model-request.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const line = (prompt: number, step: string, result: unknown): string =>
  `${JSON.stringify({ v: 1, prompt, step, result })}\n`;

const call = assistantMessage([{ type: "toolCall", id: "a", name: "look", arguments: {} }], { stopReason: "toolUse" });
const HISTORY = '[\n  {"role":"user","content":"Look","timestamp":"1970-01-01T00:00:00.000Z"}\n]\n';

/** Writes files of session main, opens it, and gives what was said, what was warned of, and what is in the folder then. */
function open(agentDir: string, files: Readonly<Record<string, string>>) {
  const folder = join(agentDir, "sessions/main");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const session = openStoredSession({ directory: dirname(folder), id: "main", clock: { now: () => 0 }, onWarning });
  const { messages } = session;
  session.close();
  return { messages, warnings, names: readdirSync(folder).sort() };
}

describe("a session whose journal is damaged", () => {
  test("continues without the damaged lines, warns at each start, and leaves the journal; the history that it showed is kept", () => {
    using agent = temporaryDirectory();
    const shown = HISTORY.replace("Look", "Look, as the lost line has it");
    const journal = `${line(1, "begin", beginOf("Look"))}garbage\n${line(1, "end", { outcome: "done", at: 0 })}`;
    const { messages, warnings, names } = open(agent.path, { "journal.jsonl": journal, "history.json": shown });
    expect(messages).toMatchObject([{ role: "user" }]);
    expect(warnings).toEqual([
      "session main: line 2 of journal.jsonl cannot be read; the session continues without them, and the file is unchanged",
    ]);
    const kept = "history.json.damaged-1970-01-01T00-00-00.000Z";
    expect(names).toEqual(["history.json", kept, "id", "journal.jsonl"]);
    const folder = join(agent.path, "sessions/main");
    expect(readFileSync(join(folder, kept), "utf8")).toBe(shown);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toBe(journal);
    expect(open(agent.path, {})).toEqual({ messages, warnings, names });
  });

  test("has its calls without a result answered by an error, and its journal left as it is", () => {
    using agent = temporaryDirectory();
    const journal = line(1, "begin", beginOf("Look")) + line(1, "model:1", call) + line(1, "end", { outcome: "done" });
    const { messages, warnings } = open(agent.path, { "journal.jsonl": journal });
    const lost = {
      role: "toolResult",
      toolCallId: "a",
      isError: true,
      content: [{ text: "lost: the journal was damaged here; outcome unknown" }],
    };
    expect(messages).toMatchObject([{ role: "user" }, { role: "assistant" }, lost]);
    expect(warnings).toStrictEqual([]);
    expect(readFileSync(join(agent.path, "sessions/main/journal.jsonl"), "utf8")).toBe(journal);
  });
});

describe("a session that has lost its journal", () => {
  test.each<[name: string, files: Readonly<Record<string, string>>, text: string]>([
    [
      "is missing",
      { "history.json": HISTORY, id: "main\n" },
      "journal.jsonl is missing, but history.json shows that there was a conversation",
    ],
    [
      "is empty",
      { "history.json": HISTORY, "journal.jsonl": "" },
      "journal.jsonl is empty, but history.json shows that there was a conversation",
    ],
    [
      "is missing beside an older one",
      { "journal-0001.jsonl": line(1, "begin", beginOf("Look")) },
      "journal.jsonl is missing, but journal-0001.jsonl shows that there was a conversation",
    ],
  ])("is not begun anew where it %s, and nothing is written", (_name, files, text) => {
    using agent = temporaryDirectory();
    expect(() => open(agent.path, files)).toThrow(JournalError);
    expect(() => open(agent.path, {})).toThrow(text);
    const folder = join(agent.path, "sessions/main");
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
    for (const [name, written] of Object.entries(files)) expect(readFileSync(join(folder, name), "utf8")).toBe(written);
  });

  test("but has said nothing yet begins", () => {
    using agent = temporaryDirectory();
    expect(open(agent.path, { "history.json": "[]\n", "journal.jsonl": "" })).toMatchObject({
      messages: [],
      warnings: [],
    });
  });
});
