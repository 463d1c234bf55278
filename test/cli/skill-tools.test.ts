import { expect, test } from "bun:test";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const tool = (name: string, entrypoint: string, schema = "{type: object}"): string =>
  `### ${name}\ndescription: Does ${name}.\nentrypoint: ${entrypoint}\nschema: ${schema}\n\n`;

const TEXT = "{type: object, properties: {text: {type: string}}, required: [text]}";

const skill = (name: string, tools: string, more = ""): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n## Tools\n\n${tools}`;

test("check reports entrypoints that can never work, and files that they need, at line and column", async () => {
  using folder = temporaryDirectory();
  writeFiles(join(folder.path, "agent"), {
    "agent.mdx": GREETING_AGENT,
    "skills/web/SKILL.md": skill(
      "web",
      tool("a", "bash:cat {path}") +
        tool("b", "http:get api.example.com/x") +
        tool("c", "python:absent.run") +
        tool("d", "python:pack.part.run") +
        tool("e", "grpc:localhost:1/a.B/C") +
        tool("f", "ftp://x"),
      "proto: absent.proto\n",
    ),
    "skills/web/pack/part.py": "def run(): pass\n",
  });
  const { stdout, stderr, exitCode } = await runCommandLine(["check", join(folder.path, "agent")], {
    home: folder.path,
  });
  const found = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("skill-entrypoint"));
  expect(found).toStrictEqual([
    "agent/skills/web/SKILL.md:11:22 warning skill-entrypoint the placeholder {path} names no property of the tool's schema",
    'agent/skills/web/SKILL.md:16:22 warning skill-entrypoint unexpected address "api.example.com/x", expected one that begins with https:// or http://',
    "agent/skills/web/SKILL.md:21:20 warning skill-entrypoint no `absent.py` in the skill's folder: the module `absent` must be installed for python3",
    "agent/skills/web/SKILL.md:31:18 warning skill-entrypoint no file `absent.proto` in the skill's folder",
    "agent/skills/web/SKILL.md:36:13 warning skill-entrypoint unexpected entrypoint `ftp://x`, expected one of bash:, http:get:, http:post:, python:, grpc:, container:",
  ]);
  expect(exitCode).toBe(0);
});

test.skipIf(requireProgram("bwrap"))("tool runs the tools of skills by hand", async () => {
  using folder = temporaryDirectory();
  writeFiles(join(folder.path, "agent"), {
    "agent.mdx": GREETING_AGENT,
    "skills/demo/SKILL.md": skill(
      "demo",
      tool("say", "bash:echo {text}; exit 3", TEXT) +
        tool("shout", "python:words.shout", TEXT) +
        tool("get", "http:get http://10.0.0.1/", TEXT),
      "enabled_by_default: false\n",
    ),
    "skills/demo/words.py": "def shout(text):\n    return text.upper() + '!'\n",
  });
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await runCommandLine(
      ["tool", join(folder.path, "agent"), "--trust", ...args],
      { home: folder.path },
    );
    return [exitCode, stdout, stderr];
  };
  expect(await run("say", "text=it's $(id)")).toStrictEqual([1, "", "it's $(id)\n[exit code 3]\n"]);
  expect(await run("shout", "text=hello")).toStrictEqual([0, "HELLO!\n", ""]);
  const refused =
    '10.0.0.1 is an address of this machine or of a private network; only the user can allow it, with "10.0.0.1" in `sandbox.network` of the user\'s settings\n';
  expect(await run("get", "text=x")).toStrictEqual([1, "", refused]);
});
