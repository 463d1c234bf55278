import { describe, expect, test } from "bun:test";
import { GREETING_AGENT } from "../support/agent-files.ts";
import { openInteractive } from "../support/interactive-session.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";

const steps = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const list = (done: number): Reply => ({
  calls: [
    {
      id: `list-${done}`,
      name: "todo",
      arguments: {
        items: steps.map((step, at) => ({
          text: `step ${step}: what is to be done in a window of any size`,
          status: at < done ? "done" : at === done ? "active" : "pending",
        })),
      },
    },
  ],
});

describe.skipIf(requireProgram("tmux"))("the list of a model", () => {
  test("is above the input while it works, is shown by /todo, and stays in the session", async () => {
    const files = { "agent.mdx": `---\nbuiltins: [todo]\n---\n${GREETING_AGENT}` };
    const replies: readonly Reply[] = [list(0), { ...list(3), delay: 3_000 }, { text: "Done.", delay: 3_000 }];
    await using run = await openInteractive({ files, replies });
    const { terminal, directory, home } = run;
    await terminal.type("Go");
    await terminal.press("Enter");
    await terminal.waitFor(
      /\[>\] step one:.*\n\[ \] step two:.*\n\[ \] step three:.*\n\[ \] step four:.*\n\[ \] step five:.*\n +\S+ 3 more/,
    );
    await terminal.waitFor(
      /\[x\] step three:.*\n\[>\] step four:.*\n\[ \] step five:.*\n\[ \] step six:.*\n\[ \] step seven:.*\n\[ \] step eight:/,
    );
    await terminal.waitFor((screen) => screen.includes("Done.") && !/step four:.*\n\[ \] step five/.test(screen));
    expect(await terminal.history()).toContain("todo 3 of 8 done: step four");
    await terminal.type("/todo");
    await terminal.press("Enter");
    await terminal.waitFor(/\[x\] step one:.*\n[\s\S]*\[>\] step four:.*\n[\s\S]*\[ \] step eight:/);
    await terminal.type("/quit");
    await terminal.press("Enter");
    const later: readonly Reply[] = [{ text: "Later.", delay: 3_000 }];
    await using next = await openInteractive({ directory, home, replies: later, args: ["--session", "main"] });
    await next.terminal.type("And now?");
    await next.terminal.press("Enter");
    await next.terminal.waitFor(/\[>\] step four:.*\n\[ \] step five:/);
    await next.terminal.waitFor("Later.");
  });

  test("leaves the input in sight in a window of 40 by 8, and nothing behind in the scrollback", async () => {
    const files = { "agent.mdx": `---\nbuiltins: [todo]\n---\n${GREETING_AGENT}` };
    const replies: readonly Reply[] = [list(0), { ...list(3), delay: 3_000 }, { text: "Done.", delay: 6_000 }];
    await using run = await openInteractive({ files, replies, columns: 40, rows: 8 });
    const { terminal } = run;
    await terminal.type("Go");
    await terminal.press("Enter");
    await terminal.waitFor(/\[>\] step one: what is to be done in a w\S\n +\S+ 7 more\n[\s\S]*^> ?$/m);
    await terminal.waitFor(/\[>\] step four: what is to be done in a \S\n +\S+ 4 more\n[\s\S]*^> ?$/m);
    await terminal.type("And a line that is typed meanwhile");
    await terminal.waitFor(/\[>\] step four.*\n +\S+ 4 more\n[\s\S]*^> And a line that is typed meanwhile$/m);
    await terminal.resize(80, 24);
    await terminal.waitFor(
      /\[x\] step three.*\n\[>\] step four.*\n\[ \] step five.*\n\[ \] step six.*\n\[ \] step seven.*\n\[ \] step eight.*\n[\s\S]*^> And/m,
    );
    await terminal.resize(40, 16);
    await terminal.waitForHistory((all) => all.includes("Done.") && !all.includes("[>]"));
    const all = await terminal.history();
    expect(all.split("\n").filter((line) => /^(?:Done\.|\[.\]| +\S+ \d more)/.test(line))).toEqual(["Done."]);
  });
});
