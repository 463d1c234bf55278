import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { contentText } from "@mdx-ai/loop";
import { listSessions, readSession } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("reading a session", () => {
  test("gives all that was said so far at any moment, while a process begins one journal after the other", async () => {
    using agent = temporaryDirectory();
    const writer = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../support/rolling-session-process.ts"), agent.path],
      { stdio: ["ignore", "inherit", "inherit"] },
    );
    let said = 0;
    for (let isRunning = true; isRunning; ) {
      isRunning = writer.exitCode === null;
      await Bun.sleep(0);
      if (!existsSync(join(agent.path, "sessions/main/journal.jsonl"))) continue;
      const { messages } = readSession(agent.path, "main");
      const questions = messages.filter(({ role }) => role === "user").map(({ content }) => contentText(content));
      expect(questions).toStrictEqual(questions.map((_, index) => `${index + 1}`));
      expect(questions.length).toBeGreaterThanOrEqual(said);
      said = questions.length;
      const [listed] = listSessions(agent.path).sessions;
      expect(listed).toMatchObject({ state: "readable" });
    }
    expect(said).toBe(150);
    expect(listSessions(agent.path).sessions).toMatchObject([{ prompts: 150, turns: 150, title: "1" }]);
  });
});
