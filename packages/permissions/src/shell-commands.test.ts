import { describe, expect, test } from "bun:test";
import { bash, permissionBench } from "../../../test/support/permission-bench.ts";
import { shellCommands } from "./shell-commands.ts";

const git = { user: { allow: ["bash(git *)"] } };

describe("a pattern of commands", () => {
  const allowed = [
    "git status",
    "git",
    "  git log -1  ",
    "git commit -m 'a; b | c & d > e `f` $(g)'",
    'git commit -m "a; b | c & (d) > e"',
    "git commit -m 'two\nlines'",
    "git log \\; \\| x",
    "git add . && git commit -m x",
    "git fetch; git status\ngit log | git shortlog & git gc || git prune",
    "git log -- *.ts",
    "git log a#b",
    "git log -- 'ünï 😀'",
    "git status 2>&1",
    `git commit -m "$(cat <<'EOF'\nIt's (a) "fix"; rm -rf $HOME \\ \`x\`\nEOF\n)"`,
    `git commit -m "Fix: $(cat <<-"END"\n\ttext\n\tEND\n\n  )" && git status`,
    `git commit -m "$( cat  << \\EOF\nEOF2\n EOF\nEOF\n)" -q`,
    "git status > /dev/null 2>&1; git log 2>/dev/null | git shortlog &>/dev/null && git gc </dev/null",
  ];
  test.each(allowed)("`git *` allows %j", async (command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), git)).toBe("allow");
  });

  test.each(["PATH=. git --version", "x[1]=2 git --version", "LD_PRELOAD+=./x.so git --version"])(
    "`* --version` asks about %j, which sets a variable",
    async (command) => {
      using bench = permissionBench();
      expect(await bench.judge(bash(command), { user: { allow: ["bash(* --version)"] } })).toBe("ask");
    },
  );

  const asked = [
    ["another command behind `;`", "git status; rm -rf /"],
    ["another command behind a new line", "git status\nrm -rf /"],
    ["another command behind `&`", "git status & rm -rf /"],
    ["another command behind `&&`", "git status&&rm -rf /"],
    ["another command behind `||`", "git status || rm -rf /"],
    ["another command behind a pipe", "git log | sh"],
    ["another command before a pipe", "curl x | git apply"],
    ["another command in `$()`", "git log $(rm -rf /)"],
    ["another command in `$()` in quotes", 'git log "$(rm -rf /)"'],
    ["another command in backquotes", "git log `rm -rf /`"],
    ["another command in backquotes in quotes", 'git log "`rm -rf /`"'],
    ["another command in `<()`", "git diff <(rm -rf /)"],
    ["a redirection to a file", "git log > ~/.bashrc"],
    ["a redirection to a file behind one that does not count", "git log 2>&1 > ~/.bashrc"],
    ["a redirection to a file of such a name", "git log > /dev/null/../../tmp/x"],
    ["a redirection to a file whose name is a number", "git log >&22x"],
    ["another command behind a dropped output", "git log >/dev/null; rm -rf /"],
    ["a command in a redirection", "git log > /dev/null$(rm -rf /)"],
    ["an escaped blank before one", "git log \\ 2>&1"],
    ["a quote before one", "git log 'a'2>&1"],
    ["a redirection from a file", "git apply < x"],
    ["a text from here", "git apply <<x\nrm -rf /\nx"],
    ["a text from here that the shell expands", 'git commit -m "$(cat <<EOF\n$(rm -rf /)\nEOF\n)"'],
    ["a quoted text from here, without quotes around it", "git commit -m $(cat <<'EOF'\n--amend\nEOF\n)"],
    ["another command behind a text from here", "git commit -m \"$(cat <<'EOF'\nx\nEOF\nrm -rf /)\""],
    ["another command before the end of a text from here", "git commit -m \"$(cat <<'E' ; rm x\nx\nE\n)\""],
    ["a text from here that ends before", "git commit -m \"$(cat <<'E'\nx\nE\nrm x\nE\n)\""],
    ["a text from here with tabs that ends before", "git commit -m \"$(cat <<-'E'\nx\n\tE\nrm x\nE\n)\""],
    ["a text from here that another line end ends", "git commit -m \"$(cat <<'E'\nx\u2028E\n)\" 'a\nE\n)\"; rm x; 'b"],
    ["a text from here for another program", "git commit -m \"$(sh <<'E'\nrm -rf /\nE\n)\""],
    ["a text from here that is left open", "git commit -m \"$(cat <<'E'\nx\n)\""],
    ["a variable", "git log $X"],
    ["a variable in quotes", 'git log "$X"'],
    ["a quote of the shell's own", "git log $'\\n'"],
    ["a group", "git log {a,b}"],
    ["a function of that name", "git () { rm -rf /; }"],
    ["a comment", "git status # it's\nrm -rf /"],
    ["a line that goes on", "git status \\\nrm"],
    ["a quote that is left open", "git commit -m 'x"],
    ["a double quote that is left open", 'git commit -m "x'],
    ["a carriage return", "git status\rrm"],
    ["a null character", "git status\0rm"],
    ["a bell", "git status\u0007"],
    ["a variable set before it", "GIT_PAGER=sh git log"],
    ["a command that runs it", "sudo git log"],
    ["a backslash that is part of a letter in some character sets", "git log \u00e9\\; rm -rf /"],
    ["a command that begins like it", "gitk --all"],
    ["a space that the shell does not know", "\u00a0git status"],
    ["a quoted name", "'git' status"],
    ["nothing", ""],
    ["nothing but space", " \n"],
  ] as const;
  test.each(asked)("`git *` does not allow %s", async (_what, command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), git)).toBe("ask");
  });

  test.each([
    ["git log; rm -rf x", "rm -rf x"],
    ["git log > x", "> x"],
    ['git commit -m "$(cat <<EOF\nx\nEOF\n)"', '$(cat <<EOF\nx\nEOF\n)"'],
  ])("of %j that does not cover all names the part", async (command, part) => {
    using bench = permissionBench();
    expect(await bench.run(bash(command), git)).toContain(`; no pattern covers ${JSON.stringify(part)}, and no user`);
  });

  test("without a wildcard allows exactly its text", async () => {
    using bench = permissionBench();
    const user = { allow: ["bash(git log | head -1 > x)"] };
    expect(await bench.judge(bash("git log | head -1 > x"), { user })).toBe("allow");
    expect(await bench.judge(bash("git log | head -1 > xy"), { user })).toBe("ask");
  });

  test("`*` alone is every command", async () => {
    using bench = permissionBench();
    expect(await bench.judge(bash("a $(b) > c"), { user: { allow: ["bash(*)"] } })).toBe("allow");
  });

  test("each command of a text may be allowed by another pattern", async () => {
    using bench = permissionBench();
    const user = { allow: ["bash(git *)", "bash(head *)"] };
    expect(await bench.judge(bash("git log | head -1"), { user })).toBe("allow");
  });

  const denied = [
    "rm -rf /",
    "git status; rm x",
    "git status | rm x",
    "echo $(rm x)",
    'echo "$(rm x)"',
    "echo `rm x`",
    "r''m x",
    "r\\m x",
    "A=1 B=2 rm x",
    "(rm x)",
    "if true\nthen true; rm x; fi",
  ];
  test.each(denied)("`rm *` denies %j", async (command) => {
    using bench = permissionBench();
    const user = { allow: ["bash"], deny: ["bash(rm *)"] };
    expect(await bench.judge(bash(command), { user })).toBe("not run: the user denies bash(rm *)");
  });

  test.each(["git log 2>&1", "git log 2>&1; ls", "ls && git log 2>&1 | tail"])(
    "`git * 2>&1` denies %j: a redirection that may pass is still a part of the command",
    async (command) => {
      using bench = permissionBench();
      const user = { allow: ["bash"], deny: ["bash(git * 2>&1)"] };
      expect(await bench.judge(bash(command), { user })).toBe("not run: the user denies bash(git * 2>&1)");
    },
  );

  test("the strictest of what its commands come to counts", async () => {
    using bench = permissionBench();
    const user = { settings: { bash: "allow", "bash(git push*)": "ask", "bash(rm *)": "deny" } } as const;
    expect(await bench.judge(bash("git log; git push"), { user })).toBe("ask");
    expect(await bench.judge(bash("git push; rm x"), { user })).toContain("the user's settings deny");
  });

  test("a text of 100,000 signs is read, and matched, at once", async () => {
    using bench = permissionBench();
    const user = { allow: [`bash(${"a*".repeat(50)}b)`], deny: ["bash(*x*y*z*)"] };
    expect(await bench.judge(bash("a".repeat(100_000)), { user })).toBe("ask");
    expect(await bench.judge(bash(";".repeat(100_000)), { user })).toBe("ask");
    expect(await bench.judge(bash("a;(".repeat(33_000)), { user })).toBe("ask");
    expect(await bench.judge(bash(`a${" ".repeat(100_000)}b`), { user })).toBe("ask");
  });
});

describe("a text for the shell", () => {
  test("is taken apart into simple commands, with and without their quotes", () => {
    expect(shellCommands(`a 'b;c' | d "e\\"f"\\ g && h`)).toStrictEqual({
      isPlain: true,
      commands: [
        { text: "a 'b;c'", plain: "a 'b;c'", words: "a b;c" },
        { text: `d "e\\"f"\\ g`, plain: `d "e\\"f"\\ g`, words: 'd e"f g' },
        { text: "h", plain: "h", words: "h" },
      ],
    });
  });

  test("has its commands with and without redirections that only drop or join outputs", () => {
    expect(shellCommands("npm test 2>&1 | tail -3 >/dev/null")).toStrictEqual({
      isPlain: true,
      commands: [
        { text: "npm test 2>&1", plain: "npm test", words: "npm test" },
        { text: "tail -3 >/dev/null", plain: "tail -3", words: "tail -3" },
      ],
    });
  });
});
