import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDirectory } from "@mdx-ai/directory";
import { answerText } from "@mdx-ai/loop";
import { copyExamples } from "../support/example-copy.ts";
import { surroundingsIn } from "../support/front-end.ts";
import { cliCommand } from "../support/run-cli.ts";
import { run, teamModel, toolTexts } from "../support/team.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("the team example asks its researcher twice at once, and shows its reviewer the draft", async () => {
  using folder = temporaryDirectory();
  copyExamples(join(folder.path, "team"), "team");
  const model = teamModel({
    Lead: [{ researcher: ["Schneeberg?", "Triglav?"] }, { reviewer: "Draft: the Schneeberg" }, "The Schneeberg."],
    Researcher: ({ messages }) => {
      const [found] = toolTexts(messages);
      return (
        found ?? { find_mountain: { name: JSON.stringify(messages).includes("Triglav") ? "Triglav" : "Schneeberg" } }
      );
    },
    reviewer: ["Nothing is wrong."],
  });
  const frontEnd = { ...surroundingsIn(folder.path), toolHostCommand: cliCommand(["__tool-host"]) };
  const opened = await openDirectory("team", { frontEnd, model, run: { isTrusted: true } });
  try {
    expect(opened.directory.diagnostics.filter(({ rule }) => rule !== "skills-missing")).toStrictEqual([]);
    await run(opened, "Which mountain should a beginner climb?");
    const messages = await opened.agent.session().messages();
    expect(toolTexts(messages)).toStrictEqual([
      "2076 m, Austria; a path for hikers, and a train to 1795 m",
      "2864 m, Slovenia; a secured climb along the ridge",
      "Nothing is wrong.",
    ]);
    expect(answerText(messages)).toBe("The Schneeberg.");
  } finally {
    await opened.close();
  }
});
