import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  forkSession,
  JournalError,
  listSessions,
  openStoredSession,
  readSession,
  recordingText,
} from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HISTORY = JSON.stringify([
  { role: "user", content: "Which tea?", timestamp: "2026-02-08T10:00:00.000Z", channel: "mail" },
  { role: "assistant", content: "Green tea.", timestamp: "2026-02-08T10:00:02.000Z" },
]);

const folderOf = (agentDir: string): string => join(agentDir, "sessions/main");

function bring(agentDir: string, text = HISTORY): void {
  mkdirSync(folderOf(agentDir), { recursive: true });
  writeFileSync(join(folderOf(agentDir), "history.json"), text);
}

/** Opens the session, and gives what was said and what was warned of. */
function open(agentDir: string) {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const session = openStoredSession({
    directory: join(agentDir, "sessions"),
    id: "main",
    clock: { now: () => 0 },
    onWarning,
  });
  const { messages } = session;
  session.close();
  return { messages, warnings };
}

const SAID = [
  { role: "user", content: [{ text: "Which tea?" }], timestamp: Date.parse("2026-02-08T10:00:00.000Z") },
  { role: "assistant", content: [{ text: "Green tea." }], timestamp: Date.parse("2026-02-08T10:00:02.000Z") },
];

describe("a session that has only the history.json of another program", () => {
  test("begins with its messages, says so once, and keeps the original", () => {
    using agent = temporaryDirectory();
    bring(agent.path);
    const { messages, warnings } = open(agent.path);
    expect(messages).toMatchObject(SAID);
    expect(warnings).toEqual([
      expect.stringMatching(/^session main: imported 2 messages of history\.json; the original is kept as \S+$/),
    ]);
    const kept = readdirSync(folderOf(agent.path)).find((name) => name.startsWith("history.json.imported-")) ?? "";
    expect(readFileSync(join(folderOf(agent.path), kept), "utf8")).toBe(HISTORY);
    const view = readFileSync(join(folderOf(agent.path), "history.json"), "utf8");
    expect(JSON.parse(view)).toHaveLength(2);
    expect(open(agent.path)).toMatchObject({ messages: SAID, warnings: [] });
    expect(readFileSync(join(folderOf(agent.path), "history.json"), "utf8")).toBe(view);
  });

  test("begins with the texts of one whose content are blocks, without tool calls and their results", () => {
    using agent = temporaryDirectory();
    const entries = [
      {
        role: "user",
        content: [
          { type: "text", text: "Which tea?" },
          { type: "image", data: "", mimeType: "image/png" },
        ],
      },
      { role: "assistant", content: [{ type: "toolCall", id: "1", name: "look", arguments: {} }] },
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "look",
        content: [{ type: "text", text: "3 teas" }],
        isError: false,
      },
      { role: "assistant", content: [{ type: "thinking", thinking: "…" }, { type: "text", text: "Green." }, { type: "text", text: "Or black." }] }, // biome-ignore format: short
    ];
    bring(
      agent.path,
      JSON.stringify(entries.map((entry, index) => ({ ...entry, timestamp: 1_770_000_000_000 + index }))),
    );
    const { messages, warnings } = open(agent.path);
    expect(messages).toMatchObject([
      { role: "user", content: [{ type: "text", text: "Which tea?" }], timestamp: 1_770_000_000_000 },
      { role: "assistant", content: [{ type: "text", text: "Green.\n\nOr black." }], timestamp: 1_770_000_000_003 },
    ]);
    expect(warnings).toEqual([expect.stringContaining("imported 2 messages of history.json")]);
  });

  test("is shown before it is opened, and nothing is written then", () => {
    using agent = temporaryDirectory();
    bring(agent.path);
    expect(listSessions(agent.path).sessions).toMatchObject([{ id: "main", state: "readable", title: "Which tea?" }]);
    expect(readSession(agent.path, "main").messages).toMatchObject(SAID);
    expect(readdirSync(folderOf(agent.path))).toEqual(["history.json"]);
  });

  test("can be forked with its messages, and its recording has them", async () => {
    using agent = temporaryDirectory();
    bring(agent.path);
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    await forkSession(agent.path, { from: "main", to: "copy", now: 0, onWarning });
    expect(warnings).toHaveLength(1);
    expect(readSession(agent.path, "copy").messages).toMatchObject(SAID);
    expect(recordingText(agent.path, "main")).toContain("Green tea.");
  });

  test.each([
    ["no JSON", '[{"role"', "is not a list of messages"],
    ["an object", '{"messages": []}', "is not a list of messages"],
    ["another role", '[{"role":"user","content":"a"},{"role":"narrator","content":"b"}]', "message 2 of"],
    ["content that is no text", '[{"role":"user","content":{"text":"a"}}]', "message 1 of"],
    ["a time that is none", '[{"role":"user","content":"a","timestamp":"soon"}]', "message 1 of"],
  ])("is refused with %s, and stays as it was", (_what, text, problem) => {
    using agent = temporaryDirectory();
    bring(agent.path, text);
    expect(() => open(agent.path)).toThrow(JournalError);
    expect(() => open(agent.path)).toThrow(problem);
    expect(readdirSync(folderOf(agent.path))).toEqual(["history.json"]);
    expect(readFileSync(join(folderOf(agent.path), "history.json"), "utf8")).toBe(text);
  });
});
