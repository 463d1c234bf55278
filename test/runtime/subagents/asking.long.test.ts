import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { requireProgram } from "../../support/require-program.ts";
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
  test.skipIf(requireProgram("bwrap"))("denied paths of the parent are denied to its commands, too", async () => {
    using team = files("builtins: [bash]\npermissions: {'read_file(secret.txt)': deny}", "builtins: [bash]");
    writeFileSync(join(team.path, "secret.txt"), "hidden words");
    writeFileSync(join(team.path, "shown.txt"), "shown words");
    const opened = await team.open(model({ bash: { command: "cat shown.txt; cat secret.txt" } }));
    try {
      await run(opened, "Go");
      const [text] = toolTexts(await opened.agent.session().messages());
      expect(text).toContain("shown words");
      expect(text).not.toContain("hidden words");
    } finally {
      await opened.close();
    }
  });
});

describe("questions of an agent that works as a tool", () => {
  test("are answered through the parent's session", async () => {
    using team = files("", "permissions: {write_file: ask}");
    const opened = await team.open(model(), { run: { answersWithin: 60 } });
    try {
      const session = opened.agent.session();
      const events: AgentEvent["type"][] = [];
      for await (const event of session.prompt("Go")) {
        events.push(event.type);
        if (event.type === "question_asked") await session.answer(event.question.id, "yes");
      }
      expect(events).toContain("question_answered");
      expect(existsSync(join(team.path, "note.txt"))).toBe(true);
    } finally {
      await opened.close();
    }
  });

  test("name every agent on the way", async () => {
    using folder = team({
      "lead/agent.mdx": agentText("lead", '<Agent name="chief" src="../chief" description="x" />'),
      "chief/agent.mdx": agentText("chief", WRITER),
      "writer/agent.mdx": agentText("writer", "", "permissions: {write_file: ask}"),
    });
    const asked: unknown[] = [];
    const opened = await folder.open(
      teamModel({ lead: [{ chief: "a" }, "done"], chief: [{ writer: "b" }, "done"], writer: [write(), "done"] }),
      {
        onApproval: async ({ agent }) => {
          asked.push(agent);
          return { answer: "no" };
        },
      },
    );
    try {
      await run(opened, "Go");
      expect(asked).toStrictEqual(["chief › writer"]);
      expect(existsSync(join(folder.path, "note.txt"))).toBe(false);
    } finally {
      await opened.close();
    }
  });
});
