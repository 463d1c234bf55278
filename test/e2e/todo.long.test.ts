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
          text: `step ${step}`,
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
      /\[>\] step one\n\[ \] step two\n\[ \] step three\n\[ \] step four\n\[ \] step five\n +\S+ 3 more/,
    );
    await terminal.waitFor(
      "[x] step three\n[>] step four\n[ ] step five\n[ ] step six\n[ ] step seven\n[ ] step eight",
    );
    await terminal.waitFor((screen) => screen.includes("Done.") && !screen.includes("step four\n[ ] step five"));
    expect(await terminal.history()).toContain("todo 3 of 8 done: step four");
    await terminal.type("/todo");
    await terminal.press("Enter");
    await terminal.waitFor(/\[x\] step one\n[\s\S]*\[>\] step four\n[\s\S]*\[ \] step eight\n/);
    await terminal.type("/quit");
    await terminal.press("Enter");
    const later: readonly Reply[] = [{ text: "Later.", delay: 3_000 }];
    await using next = await openInteractive({ directory, home, replies: later, args: ["--session", "main"] });
    await next.terminal.type("And now?");
    await next.terminal.press("Enter");
    await next.terminal.waitFor("[>] step four\n[ ] step five");
    await next.terminal.waitFor("Later.");
  });
});
