import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readUserSettings } from "@mdx-ai/parser";
import { approvalContent } from "../../packages/cli/src/approval/approval-content.ts";
import { themeOf } from "../../packages/cli/src/terminal/theme.ts";
import { answersText, QuestionView } from "../../packages/cli/src/terminal/view/question-view.ts";
import { approvalRequest } from "../support/approval-request.ts";
import { codeBlocks } from "../support/markdown-text.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/permissions.md")).text();

describe("the page about permissions", () => {
  test("shows the question as it stands on the terminal", async () => {
    const command = "git status";
    const request = approvalRequest({
      args: { command },
      touch: { kind: "command", command },
      pattern: `bash(${command})`,
    });
    const theme = themeOf({ NO_COLOR: "1" });
    const screen = { append: () => undefined, rows: () => 40 };
    const content = await approvalContent(request);
    const view = new QuestionView({ request, content, isBackground: false, screen, theme, others: () => 0 });
    const drawn = view.draw(80, answersText("ready", theme));
    expect(codeBlocks(page, "console")).toStrictEqual([`${drawn.join("\n")}\n`]);
  });

  test("shows settings of a user without a mistake", async () => {
    const blocks = codeBlocks(page, "yaml").filter((text) => text.startsWith("# settings.yaml\n"));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect((await readUserSettings(block)).problems).toStrictEqual([]);
  });
});
