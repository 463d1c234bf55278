import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { userEnvironment } from "../support/run-lines.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { openTmux, type TmuxTerminal } from "../support/tmux.ts";

/** Shells that read no file of the user, and what they are told first. */
const SHELLS = [
  { shell: "bash", command: ["bash", "--norc"], setUp: "PS1='ready> '; source <(mdx-ai completions bash)" },
  {
    shell: "zsh",
    command: ["zsh", "-f"],
    setUp: "PS1='ready> '; autoload -U compinit; compinit -D; source <(mdx-ai completions zsh)",
  },
  {
    shell: "fish",
    command: ["fish", "--no-config"],
    setUp: "function fish_prompt; echo 'ready> '; end; mdx-ai completions fish | source",
  },
] as const;

async function openShell({ command, setUp }: (typeof SHELLS)[number], home: TemporaryDirectory): Promise<TmuxTerminal> {
  writeFiles(home.path, {
    "my agent/agent.mdx": "# Agent: A\n",
    "my agent/sessions/work/history.json": "[]",
  });
  const terminal = await openTmux({
    command,
    cwd: home.path,
    environment: userEnvironment(home.path),
    columns: 120,
    rows: 24,
  });
  await terminal.type(`${setUp}; clear`);
  await terminal.press("Enter");
  await terminal.waitFor(/^ready> *$/m);
  return terminal;
}

describe.each(SHELLS)("the completions of $shell", (shell) => {
  test.skipIf(requireProgram(shell.shell))("complete commands, directories, options and sessions", async () => {
    using home = temporaryDirectory();
    await using terminal = await openShell(shell, home);
    await terminal.type("mdx-ai ses");
    await terminal.press("Tab");
    await terminal.waitFor(/mdx-ai sessions$/m);
    await terminal.type("my");
    await terminal.press("Tab");
    await terminal.waitFor(/mdx-ai sessions my\\ agent\//);
    await terminal.type(" sh");
    await terminal.press("Tab");
    await terminal.waitFor(/agent\/ show$/m);
    await terminal.type("w");
    await terminal.press("Tab");
    await terminal.waitFor(/agent\/ show work$/m);
    await terminal.type("--da");
    await terminal.press("Tab");
    await terminal.waitFor(/work --data$/m);
  });

  test.skipIf(requireProgram(shell.shell))("run nothing that the command line contains", async () => {
    using home = temporaryDirectory();
    await using terminal = await openShell(shell, home);
    await terminal.type("mdx-ai agent '$(touch a)' \"$(touch b)\" --sess");
    await terminal.press("Tab");
    await terminal.waitFor(/--session$/m);
    expect(["a", "b"].filter((name) => existsSync(join(home.path, name)))).toEqual([]);
  });
});
