import { describe, expect, test } from "bun:test";
import { requireProgram } from "../../../test/support/require-program.ts";
import { openSandboxBench } from "../../../test/support/sandbox-bench.ts";
import { type GitIdentity, readGitIdentity, settingVariables } from "./git-identity.ts";

const ME = { "../me/.gitconfig": "[user]\nname = Me Myself\nemail = me@a.example\n" };

const INITIAL = "git init -q r && cd r && ";
const COMMIT = "git commit -q --allow-empty -m x && git log --format=%an:%ae:%cn:%ce";

describe.skipIf(requireProgram("bwrap") || requireProgram("git"))(
  "a commit in a sandbox that hides the home folder",
  () => {
    test("has the user's name and address, without a question, and the home folder stays hidden", async () => {
      await using bench = openSandboxBench({ ownHome: "me", cwd: ".", files: ME });
      const { text, isError } = await bench.bash(`${INITIAL}${COMMIT}; ls -A ~`);
      expect({ text, isError }).toEqual({
        text: "Me Myself:me@a.example:Me Myself:me@a.example\n.cache\n.npm\n",
        isError: false,
      });
    });

    test("uses the settings of the workspace's repository, if it has any", async () => {
      await using bench = openSandboxBench({ ownHome: "me", workspace: "work", cwd: "work", files: ME });
      await Bun.$`git init -q ${bench.home}/work && git -C ${bench.home}/work config user.name Worker`.quiet();
      expect((await bench.bash(COMMIT)).text).toBe("Worker:me@a.example:Worker:me@a.example\n");
    });

    test("has those that the command names", async () => {
      await using bench = openSandboxBench({ ownHome: "me", cwd: ".", files: ME });
      const { text } = await bench.bash(
        `${INITIAL}git config user.name x; ${COMMIT.replace("git", "git -c user.name=You")}`,
      );
      expect(text).toBe("You:me@a.example:You:me@a.example\n");
    });

    test.each([
      ["commit.gpgSign", "gpgSign = true", "git commit --allow-empty -m x"],
      ["commit.gpgSign without a value", "gpgSign", "git commit --allow-empty -m x"],
    ])("is not made unsigned, and the sandbox is named, if the user signs: %s", async (_name, line, command) => {
      const files = { "../me/.gitconfig": `${ME["../me/.gitconfig"]}[commit]\n${line}\n` };
      await using bench = openSandboxBench({ ownHome: "me", cwd: ".", files });
      const { text, isError } = await bench.bash(`${INITIAL}${command}; code=$?; git log --oneline; exit $code`);
      expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining("failed to sign") });
      expect(text).toContain("does not have any commits yet");
      expect(text).toContain("[the sandbox hides your keys and the programs that hold them");
      const { text: unsigned } = await bench.bash(
        `cd r && git commit -q --no-gpg-sign --allow-empty -m x && git log --format=%an`,
      );
      expect(unsigned).toBe("Me Myself\n");
    });

    test("is signed or not as the workspace's repository says", async () => {
      const files = { "../me/.gitconfig": `${ME["../me/.gitconfig"]}[commit]\ngpgSign = true\n` };
      await using bench = openSandboxBench({ ownHome: "me", workspace: "work", cwd: "work", files });
      await Bun.$`git init -q ${bench.home}/work && git -C ${bench.home}/work config commit.gpgSign false`.quiet();
      expect((await bench.bash(COMMIT)).text).toBe("Me Myself:me@a.example:Me Myself:me@a.example\n");
    });

    test("has none if the user has none", async () => {
      await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
      expect((await bench.bash(`${INITIAL}${COMMIT}`)).isError).toBe(true);
    });
  },
);

test("without git, or in a folder that is gone, there is no identity", async () => {
  const options = {
    ...{ agentDir: "/nowhere", cwd: "/nowhere", toolHostCommand: [] },
    policy: { mode: "auto", network: "none", read: [], write: [] },
  } as const;
  expect(await readGitIdentity({ ...options, environment: { PATH: "/nowhere" } }, "/")).toEqual([]);
  const environment = { PATH: process.env["PATH"] };
  expect(await readGitIdentity({ ...options, environment }, "/nowhere")).toEqual([]);
});

test("settings that the environment has already are kept", () => {
  const identity: GitIdentity = [["user.name", "Me"]];
  const environment = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_VALUE_0: "c" };
  expect(settingVariables(identity, environment)).toEqual({
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_1: "user.name",
    GIT_CONFIG_VALUE_1: "Me",
  });
  expect(settingVariables([], environment)).toEqual({});
});
