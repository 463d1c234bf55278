import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readUserSettings } from "@mdx-ai/parser";
import { approvalRequest } from "../support/approval-request.ts";
import { themeOf } from "../support/cli/output.ts";
import { ApprovalQuestions } from "../support/cli/terminal.ts";
import { eventually } from "../support/eventually.ts";
import { codeBlocks } from "../support/markdown-text.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/permissions.md")).text();

describe("the page about permissions", () => {
  test("shows the question as the terminal does", async () => {
    const command = "git status";
    const request = approvalRequest({
      args: { command },
      access: { kind: "command", command },
      pattern: `bash(${command})`,
      prefix: `bash(${command} *)`,
    });
    const theme = themeOf({ NO_COLOR: "1" });
    const screen = { append() {}, refresh() {}, text: () => "", setText() {}, rows: () => 40 };
    const questions = new ApprovalQuestions({ screen, theme, isBackground: () => false, quiet: 0 });
    const answered = questions.queue.askAbout(request, new AbortController().signal);
    await eventually(() => questions.isOpen);
    expect(codeBlocks(page, "console")).toStrictEqual([`${questions.draw(80).join("\n")}\n`]);
    questions.dismiss();
    expect(await answered).toStrictEqual({ answer: "no" });
  });

  test("shows settings of a user without a mistake", async () => {
    const blocks = codeBlocks(page, "yaml").filter((text) => text.startsWith("# settings.yaml\n"));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect((await readUserSettings(block)).problems).toStrictEqual([]);
  });
});
