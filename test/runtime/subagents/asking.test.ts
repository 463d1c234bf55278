import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest } from "@mdx-ai/loop";
import { agentText, run, type Said, team, teamModel, toolTexts } from "../../support/team.ts";

const WRITER = '<Agent name="writer" src="../writer" description="Writes" />';

const write = (path = "note.txt"): Said => ({ write_file: { path, content: "x" } });

/** A lead whose writer writes a file, with the settings of both. */
const files = (lead = "", writer = "") =>
  team({
    "lead/agent.mdx": agentText("lead", WRITER, lead),
    "writer/agent.mdx": agentText("writer", "", writer),
  });

const model = (said: Said = write()) =>
  teamModel({ lead: [{ writer: "Write" }, "done"], writer: (request) => toolTexts(request.messages)[0] ?? said });

describe("permissions of an agent that works as a tool", () => {
  test.each([
    ["works where its parent works", "", "", "x"],
    ["is denied what its parent is denied", "permissions: {write_file: deny}", "", undefined],
    ["is denied what its own settings deny", "", "permissions: {write_file: deny}", undefined],
    [
      "cannot allow itself what its parent asks about",
      "permissions: {write_file: ask}",
      "permissions: {write_file: allow}",
      undefined,
    ],
    ["is in its parent's plan mode", "permissions: {mode: plan}", "permissions: {write_file: allow}", undefined],
  ])("%s", async (_title, lead, writer, written) => {
    using team = files(lead, writer);
    const opened = await team.open(model());
    try {
      await run(opened, "Go");
      const path = join(team.path, "note.txt");
      expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(written);
    } finally {
      await opened.close();
    }
  });
});

describe("questions of an agent that works as a tool", () => {
  test("are asked in the session of its parent, with its name and the parent's call", async () => {
    using team = files("", "permissions: {write_file: ask}");
    const asked: ApprovalRequest[] = [];
    const opened = await team.open(model(), {
      onApproval: async (request) => {
        asked.push(request);
        return { answer: "once" };
      },
    });
    try {
      const events = await run(opened, "Go");
      expect(
        asked.map(({ agent, session, toolName, toolCallId }) => ({ agent, session, toolName, toolCallId })),
      ).toStrictEqual([{ agent: "writer", session: "main", toolName: "write_file", toolCallId: "call-1-0-0" }]);
      const question = events.find((event) => event.type === "question_asked");
      expect(question?.type === "question_asked" && question.question).toMatchObject({
        agent: "writer",
        session: "main",
      });
      expect(existsSync(join(team.path, "note.txt"))).toBe(true);
    } finally {
      await opened.close();
    }
  });
});
