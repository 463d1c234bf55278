import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

const PROGRAM = join(import.meta.dir, "../../packages");

describe.skipIf(requireProgram("bwrap"))("what a command leaves keeps no later command or tool from running:", () => {
  test.each([
    ["a file of variables that is a link to the system", "ln -s /usr .env; ln -s /usr/lib .env.lib"],
    ["one that is a link to a program", "ln -s /bin/sh .env"],
    ["one that is a link to everything", "ln -s / .env"],
    ["one that is a link to the agent directory", "mkdir sub; ln -s .. sub/.env"],
    ["one that is a link to what the kernel makes up", "ln -s /proc .env; ln -s /dev .env.dev"],
    ["one that is a link to this program", `ln -s ${PROGRAM} .env; ln -s ${process.execPath} .env.bun`],
    [
      "an agent whose records are links to the system",
      "mkdir a; : > a/agent.mdx; ln -s /usr a/sessions; ln -s / a/logs",
    ],
    [
      "folders with names that are too long together",
      "for n in $(seq 20); do mkdir $(printf %0250d) && cd -P 0*; done; :",
    ],
  ])("%s", async (_, command) => {
    await using bench = openSandboxBench({ mode: "auto", files: { "kept.txt": "kept" } });
    await bench.bash(command);
    expect(await bench.bash("cat kept.txt; ls /etc/passwd")).toEqual({ isError: false, text: "kept/etc/passwd\n" });
    expect(await bench.tool("return 'ran'")).toEqual({ isError: false, text: "ran" });
    rmSync(bench.directory, { recursive: true });
  });

  test("and a file of variables is hidden behind a link, and in the deepest folder", async () => {
    await using bench = openSandboxBench({ files: { "shared/keys": "secret" } });
    await bench.bash(
      "ln -s shared/keys .env; for n in $(seq 20); do mkdir $(printf %0250d) && cd -P 0*; done; echo k > .env",
    );
    const { text } = await bench.bash(
      "cat shared/keys; for n in $(seq 20); do cd -P 0* 2>/dev/null; done; cat .env 2>/dev/null; :",
    );
    expect(text).toMatch(/^\[the sandbox hides .*shared\/keys, which looks empty: .*\]$/);
    rmSync(bench.directory, { recursive: true });
  });
});

describe.skipIf(requireProgram("bwrap"))("an agent directory that is the home folder", () => {
  test("shows no secret when a command has moved the folder around it away", async () => {
    await using bench = openSandboxBench({ ownHome: "agent", files: { ".config/gh/hosts.yml": "token" } });
    expect((await bench.bash("mv .config moved")).text).toContain("Device or resource busy");
    expect((await bench.bash("cat */gh/hosts.yml .config/gh/hosts.yml 2>/dev/null")).text).not.toContain("token");
  });

  test("keeps what this program believes at its next start: settings, trust, caches", async () => {
    const files = { ".local/state/mdx-ai/trust.json": "{}", ".bun/install/cache/@t@/code.pile": "translated" };
    await using bench = openSandboxBench({ ownHome: "agent", files });
    const { text } = await bench.bash(
      `mv .local moved; mv .bun/install .bun/moved; echo planted > .bun/install/cache/@t@/code.pile
      mkdir -p .config/mdx-ai .cache/mdx-ai; echo 'sandbox: off' > .config/mdx-ai/settings.yaml`,
    );
    for (const [path, content] of Object.entries(files))
      expect(readFileSync(join(bench.directory, path), "utf8")).toBe(content);
    expect(text).toContain(".config/mdx-ai/settings.yaml: ");
    await bench.close();
    for (const path of [".config/mdx-ai", ".cache/mdx-ai"]) expect(existsSync(join(bench.directory, path))).toBe(false);
  });
});

test.skipIf(requireProgram("bwrap"))("a home folder whose name has a detour is found by it", async () => {
  await using bench = openSandboxBench({ ownHome: "agent/../home/", agent: "home/agent" });
  expect(await bench.bash("cd; pwd -P; : > file && echo written")).toEqual({
    isError: false,
    text: `${bench.home}/home\nwritten\n`,
  });
});

test.skipIf(requireProgram("bwrap") || !existsSync("/dev/shm"))(
  "an agent directory in /dev/shm is seen there",
  async () => {
    const name = `mdx-ai-test-${crypto.randomUUID()}`;
    await using bench = openSandboxBench({ agent: `${"../".repeat(12)}dev/shm/${name}` });
    try {
      mkdirSync(join("/dev/shm", name), { recursive: true });
      const { text } = await bench.bash(
        "pwd; echo hostile > agent.mdx; echo made > made; : > /dev/shm/x && ls /dev/shm",
      );
      expect(text).toContain(`/dev/shm/${name}\n`);
      expect(text).toContain("agent.mdx: Read-only file system");
      expect(text).toContain(`${name}\nx\n`);
      expect(existsSync(`/dev/shm/${name}/made`)).toBe(true);
      expect(existsSync("/dev/shm/x")).toBe(false);
    } finally {
      rmSync(join("/dev/shm", name), { recursive: true });
    }
  },
);
