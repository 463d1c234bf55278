import { describe, expect, test } from "bun:test";
import { bash, permissionBench } from "../../../test/support/permission-bench.ts";
import { commandForms } from "./command-forms.ts";

const DOLLAR = "$";

const removing = [
  ["a tab", "rm\tx"],
  ["several blanks", "rm   x"],
  ["blanks before it", " \t rm x"],
  ["a backslash", "\\rm x"],
  ["double quotes", '"rm" x'],
  ["single quotes within", "r'm' x"],
  ["a quote of the shell's own", "$'rm' x"],
  ["a line that goes on", "r\\\nm x"],
  ["a folder", "/bin/rm x"],
  ["a folder in quotes", '"/usr/bin"/rm x'],
  ["an assignment", "A=1 B+=2 rm x"],
  ["an assignment with blanks in quotes", "A='1 2' rm x"],
  ["a redirection before it", ">log 2>&1 rm x"],
  ["a redirection with a variable before it", "{fd}>x rm y"],
  ["a redirection with an element before it", "{fd[0]}>x rm y"],
  ["an empty substitution within", "r$(true)m x"],
  ["then", "if true; then rm x; fi"],
  ["a variable for blanks", "rm$IFS-r$IFS/x"],
  ["a variable that may be empty", "rm$1 x"],
  ["a quote that only seems to be open", "echo $'\\''; \"rm\" x"],
  ["a text from here with an open quote", "cat <<EOF\nit's\nEOF\n'rm' x"],
  ["sudo after a text from here with an open quote", "cat <<EOF\nit's\nEOF\nsudo rm x"],
  ["sudo after a default that looks like a comment", `echo ${DOLLAR}{x:- #}; sudo rm x`],
  ["sudo after an escaped quote", "echo $'it\\'s'; sudo rm x"],
  ["a character in hexadecimal digits", "$'r\\x6d' x"],
  ["a character in octal digits", "$'\\162m' x"],
  ["a character of Unicode", "$'\\u0072\\U0000006d' x"],
  ["env with another name for the program", "env -a name rm x"],
  ["env with another name for the program, in a word", "env --argv0 name rm x"],
  ["fish", "fish -c 'rm x'"],
  ["tcsh", "tcsh -c 'rm x'"],
  ["a coprocess with a name", "coproc N { sudo rm x; }"],
  ["if", "if rm x; then true; fi"],
  ["elif and else", "if false; then :; elif false; then :; else rm x; fi"],
  ["do", "for a in b; do rm x; done"],
  ["while", "while rm x; do :; done"],
  ["until", "until rm x; do :; done"],
  ["!", "! rm x"],
  ["braces", "{ rm x; }"],
  ["parentheses", "( rm x )"],
  ["a branch of a case", "case x in x) rm x;; esac"],
  ["a branch of a case with parentheses", "case x in (x) rm x;; esac"],
  ["a function", "f() { rm x; }; f"],
  ["a function with its keyword", "function f { rm x; }; f"],
  ["$()", "echo $(rm x)"],
  ["$() in quotes, in quotes", `echo "a $(echo "b $(rm 'x y')")"`],
  ["backquotes", "echo `rm x`"],
  ["<()", "diff <(rm x) y"],
  ["a text from here for a shell", "sh <<EOF\nrm x\nEOF"],
  ["a comment with an open quote before it", "ls # it's\nrm x"],
  ["time", "time -p rm x"],
  ["command", "command -p rm x"],
  ["builtin", "builtin command rm x"],
  ["exec", "exec -a name rm x"],
  ["nohup", "nohup rm x &"],
  ["setsid", "setsid -f rm x"],
  ["nice", "nice -n 5 rm x"],
  ["nice with an attached value", "nice -5 rm x"],
  ["timeout", "timeout 5 rm x"],
  ["timeout with options", "timeout -k 1 --signal=KILL 5s rm x"],
  ["stdbuf", "stdbuf -oL -e 0 rm x"],
  ["env", "env rm x"],
  ["env with variables", "env -i -u HOME A=b rm x"],
  ["env -S", "env -S 'rm x'"],
  ["env -S with its text in the same word", "env -S'rm x'"],
  ["env -S in quotes", "env '-Srm x'"],
  ["env -S with other letters", "sudo env -iS 'rm x'"],
  ["env -S with a variable in its text", "env -S 'A=1 rm x'"],
  ["env -S with options in its text", "env -S '-i rm x'"],
  ["env -S with blanks of its own", "env -S'rm\\_x'"],
  ["env --split-string", "env --split-string='rm x'"],
  ["env --split-string with another word", "env --split 'rm x' y"],
  ["xargs", "ls | xargs -0 -n 1 rm"],
  ["xargs with a place", "ls | xargs -I {} rm {}"],
  ["sudo", "sudo -u root -E rm x"],
  ["sudo with letters in one", "sudo -Eu root -- rm x"],
  ["doas", "doas -u root rm x"],
  ["busybox", "busybox rm x"],
  ["several of them", "sudo nohup nice -n 3 env A=b timeout 5 /bin/rm x"],
  ["eval", "eval rm x"],
  ["eval of a quoted text", "eval 'ls; rm x'"],
  ["eval --", "eval -- 'rm x'"],
  ["trap", "trap 'rm x' EXIT"],
  ["trap --", "trap -- 'rm x' EXIT"],
  ["sh -c", "sh -c 'rm x'"],
  ["bash -lc", 'bash -lc "cd y && rm x"'],
  ["bash with options", "/bin/bash -o pipefail -e -c 'rm x'"],
  ["bash with options behind -c", "bash -c -o pipefail 'rm x'"],
  ["sh -c in sh -c", `sh -c "bash -c 'rm x'"`],
  ["su -c", "su -c 'rm x' root"],
  ["find -exec", "find . -name '*.tmp' -exec rm {} \\;"],
  ["find -execdir … +", "find . -execdir rm {} +"],
  ["find with a shell", "find . -exec sh -c 'rm \"$1\"' _ {} \\;"],
] as const;

describe("a denial of `rm *`", () => {
  test.each(removing)("also holds behind %s", async (_what, command) => {
    using bench = permissionBench();
    const user = { allow: ["bash"], deny: ["bash(rm *)"] };
    expect(await bench.judge(bash(command), { user })).toBe("not run: the user denies bash(rm *)");
  });

  test.each([
    "echo rm x",
    "echo 'then rm x'",
    "ls rm",
    "grep -r rm .",
    "git log -- rm",
    "env A=rm ls",
    "env -S 'ls rm'",
    "env ls '-Srm x'",
    "echo {fd}>x rm y",
    "sudo -u rm ls",
    "timeout 5 ls rm",
    "ls # rm x",
    "find . -name rm",
    "sh ./rm-all.sh rm x",
    "rmdir x",
    "npm run rm",
    'git commit -m "rm $x"',
    "git commit -m 'rm old files' > log",
    "ls $rm",
    'echo "$x rm y"',
  ])("leaves %j alone", async (command) => {
    using bench = permissionBench();
    const user = { allow: ["bash"], deny: ["bash(rm *)"] };
    expect(await bench.judge(bash(command), { user })).toBe("allow");
  });
});

describe("a question about `git push*`", () => {
  const user = { settings: { "bash(git *)": "allow", "bash(git push*)": "ask" } } as const;

  test.each([
    "git push",
    "git  push",
    "git -C . push",
    "git -C '/a b' push origin",
    "git -c user.name=x -c a.b=c push",
    "git --git-dir=x push",
    "git --git-dir x --work-tree y push",
    "git -p -C x --no-pager push --force",
    "git fetch; git -C . push",
  ])("is asked for %j", async (command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), { user })).toBe("ask");
  });

  test.each([
    "git log push",
    "git -C . log",
    "git -c push.default=x log",
    "git add push && git log",
    "git --no-pager stash push",
    "git --no-pager log push",
  ])("is not asked for %j", async (command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), { user })).toBe("allow");
  });

  test.each(["rg 'git push' | wc -l > n", "printf '%s\\n' \"git push\" > a"])(
    "is not asked for the quoted text of %j",
    async (command) => {
      using bench = permissionBench();
      expect(await bench.judge(bash(command), { user: { allow: ["bash"], deny: ["bash(git push*)"] } })).toBe("allow");
    },
  );

  test("is not asked for a command beside one that a later rule allows", async () => {
    using bench = permissionBench();
    const settings = {
      "bash(git *)": "allow",
      "bash(git push*)": "deny",
      "bash(git push origin test)": "allow",
    } as const;
    expect(await bench.judge(bash("git log; git push origin test"), { user: { settings } })).toBe("allow");
    expect(await bench.judge(bash("git push; git push origin test"), { user: { settings } })).toContain("deny");
  });
});

describe("a denial of `npm publish*`", () => {
  const user = { allow: ["bash"], deny: ["bash(npm publish*)"] };

  test.each(["npm --silent run publish", "npm -s --no-audit run publish", "npm run publish"])(
    "leaves %j alone",
    async (command) => {
      using bench = permissionBench();
      expect(await bench.judge(bash(command), { user })).toBe("allow");
    },
  );

  test.each([
    "npm --silent publish",
    "npm --force true publish",
    "npm --tag next publish",
    "npm --force --tag next publish",
    "npm --tag next --no-audit publish",
  ])("holds for %j", async (command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), { user })).toBe("not run: the user denies bash(npm publish*)");
  });
});

describe("what allows `git *`", () => {
  test.each([
    "git\tlog",
    "/usr/bin/git log",
    "\\git log",
    "command git log",
    "time git log",
    "env git log",
    "env X=1 git push",
    "X=1 git log",
    "sudo git log",
    "nice git log",
    "! git log",
    "{ git log; }",
    "if git log; then git log; fi",
    "eval git log",
    "sh -c 'git log'",
    "xargs git log",
    "find . -exec git log \\;",
  ])("does not allow %j", async (command) => {
    using bench = permissionBench();
    expect(await bench.judge(bash(command), { user: { allow: ["bash(git *)"] } })).toBe("ask");
  });
});

describe("the forms of a text", () => {
  const long = [
    ["many commands", "a;(".repeat(33_000)],
    ["many programs that run others", `${"sudo ".repeat(20_000)}rm x`],
    ["many options", `git ${"-c a=1 ".repeat(14_000)}push`],
    ["many shells in shells", `${"sh -c ".repeat(16_000)}rm`],
    ["many texts of env", "env -Sa ".repeat(14_000)],
    ["many programs before texts of env", `${"sudo env -Sa ".repeat(9000)}rm`],
    ["many open braces", "{a[".repeat(30_000)],
    ["many texts in texts", `${"eval ".repeat(20_000)}rm`],
    ["many commands of find", "find -exec ".repeat(9_000)],
    ["many open substitutions in quotes", '"$('.repeat(30_000)],
    ["many backquotes", "`a ".repeat(30_000)],
  ] as const;
  test.each(long)("of %s take no more memory than 50 times the text", (_what, text) => {
    const forms = commandForms(text);
    expect(forms.reduce((length, form) => length + form.length, 0)).toBeLessThan(100 * text.length);
  });
});
