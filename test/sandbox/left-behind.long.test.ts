import { describe, expect, test } from "bun:test";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

const left = (programs: string): string => `[ended with the command, which left it running: ${programs}]`;

describe.skipIf(requireProgram("bwrap"))("what a command leaves behind in the sandbox", () => {
  test.each([
    ["sleep 300 & echo on", `on\n${left("sleep 300")}`],
    ["setsid sleep 300 >/dev/null 2>&1 & sleep 0.1; exit 3", `[exit code 3]\n${left("sleep 300")}`],
    ["(sleep 301 &); (sleep 301 &); (sleep 301 &); (sleep 301 &)", left("sleep 301; sleep 301; sleep 301; and 1 more")],
    ["sleep 0.02 & echo on", "on\n"],
    ["kill -9 $$", "[exit code 137]"],
    ["sleep 300 & kill -TERM $$", `[exit code 143]\n${left("sleep 300")}`],
    ["no-such-program", "/bin/bash: line 1: no-such-program: command not found\n[exit code 127]"],
    ["printf 'a\\n' >&2; printf 'b\\n'; printf 'c\\n' >&2", "a\nb\nc\n"],
    ["ls /proc/self/fd | wc -l", "4\n"],
  ])("ends with it, and the result names it: %s", async (command, text) => {
    await using bench = openSandboxBench();
    expect((await bench.bash(command)).text).toBe(text);
  });
});
