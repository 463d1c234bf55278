import { expect, test } from "bun:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { agentText, team, teamModel, toolTexts } from "../../../../test/support/team.ts";
import { themeOf } from "../output/theme.ts";
import { PromptView } from "./view/prompt-view.ts";
import { ToolOutput } from "./view/tool-output.ts";

test("the terminal shows running agents side by side below their calls, each with its last line", async () => {
  using folder = team({
    "lead/agent.mdx": agentText("lead", '<Agent name="helper" src="../helper" description="Helps" />'),
    "helper/agent.mdx": agentText("helper", "", "builtins: [list_files, read_file]"),
  });
  const first = Promise.withResolvers<void>();
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: ["first", "second"] }, "done"],
      helper: async ({ messages }) => {
        const isFirst = JSON.stringify(messages[0]).includes("first");
        if (toolTexts(messages).length === 0)
          return isFirst ? { list_files: {} } : { read_file: { path: "agent.mdx" } };
        await first.promise;
        return isFirst ? "found\nthe first" : "found the second";
      },
    }),
  );
  const screen = { append: () => {}, refresh: () => {}, rows: () => 24 };
  const said = () => () => [];
  const view = new PromptView({
    screen,
    theme: themeOf({ NO_COLOR: "1" }),
    output: new ToolOutput(),
    now: () => 0,
    said,
  });
  const live = (): string => view.draw(80).join("\n");
  try {
    const running = (async () => {
      for await (const event of opened.agent.session().prompt("Go")) view.show(event);
    })();
    const expected = ['● helper {"prompt":"first"}\n  list_files', '● helper {"prompt":"second"}\n  read_file'].join(
      "\n",
    );
    await eventually(
      () => live() === expected,
      () => live(),
    );
    first.resolve();
    await running;
    expect(live()).toBe("");
  } finally {
    await opened.close();
  }
});
