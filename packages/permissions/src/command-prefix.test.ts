import { describe, expect, test } from "bun:test";
import { commandPrefix } from "./command-prefix.ts";

describe("the prefix of a command", () => {
  test.each([
    ["ls", "ls"],
    ["ls -la src", "ls"],
    ["  ls\t-la ", "ls"],
    ["git status --short", "git status"],
    ["git  status", "git status"],
    ["npm run build -- --watch", "npm run build"],
    ["npm test", "npm test"],
    ["npm test 2>&1", "npm test"],
    ["ls x >/dev/null 2>&1 ", "ls"],
    ["cargo build", "cargo build"],
    ["npx tsc --noEmit", "npx tsc"],
    ["echo 'a; b' \"c && d\"", "echo"],
  ])("%j is %j", (command, prefix) => {
    expect(commandPrefix(command)).toBe(prefix);
  });

  test.each([
    ["two commands", "git status && rm x"],
    ["two commands in a line", "git status; rm x"],
    ["a pipe", "git log | sh"],
    ["two lines", "git status\nrm x"],
    ["a command in the background", "git status &"],
    ["a redirection", "git log > x"],
    ["a command in the background without its output", "git status > /dev/null &"],
    ["a pipe of both outputs", "git log 2>&1 | sh"],
    ["a variable", "git log $X"],
    ["another command in it", "git log $(rm x)"],
    ["an assignment", "GIT_DIR=x git status"],
    ["a comment", "git status # rm"],
    ["an option before the subcommand", "git -C /other status"],
    ["no subcommand", "git"],
    ["a script without a name", "npm run"],
    ["a path", "./build.sh"],
    ["an absolute path", "/bin/ls"],
    ["a quoted program", "'ls' -la"],
    ["a wildcard as the program", "l* x"],
    ["a shell", "bash -c 'rm x'"],
    ["an interpreter", "python3 -c 'x'"],
    ["what runs another program", "sudo ls"],
    ["the same behind a subcommand", "uv run python x.py"],
    ["a program that runs others by an option", "find . -delete"],
    ["nothing", " "],
  ])("%s has none", (_name, command) => {
    expect(commandPrefix(command)).toBeUndefined();
  });
});
