import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";

import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

describe("sessions rewind --files", () => {
  const write = (content: string): readonly Reply[] => [
    { calls: [{ id: `c_${content}`, name: "write_file", arguments: { path: "notes.txt", content } }] },
    { text: "Written." },
  ];

  /** An agent that wrote "one", then "two" into its notes. */
  async function writer(home: TemporaryDirectory): Promise<string> {
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    for (const content of ["one", "two"]) {
      const model = scriptReference(home.path, write(content));
      const args = ["agent", "agent", "--trust", "--model", model, "--allow", "write_file", "-p", `Write ${content}`];
      await runCommandLine(args, { home: home.path });
    }
    return join(home.path, "agent/notes.txt");
  }

  const rewind = (home: TemporaryDirectory, ...args: readonly string[]) =>
    runCommandLine(["sessions", "agent", "rewind", "main", ...args], { home: home.path });

  test("restores what later prompts changed, and takes them out of the conversation", async () => {
    using home = temporaryDirectory();
    const notes = await writer(home);
    expect(readFileSync(notes, "utf8")).toBe("two");
    const { exitCode, stdout } = await rewind(home, "--to", "1", "--files");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Undone: Write two; the session continues from the end of prompt 1\.\n {2}restored +\S+notes\.txt\n$/,
    );
    expect(readFileSync(notes, "utf8")).toBe("one");
    expect((await rewind(home, "--to", "1", "--files")).stdout).toBe("There is no later prompt to undo.\n");
    await rewind(home, "--to", "0", "--files");
    expect(existsSync(notes)).toBe(false);
  });

  test("leaves a file that has changed since, unless it is forced", async () => {
    using home = temporaryDirectory();
    const notes = await writer(home);
    writeText(notes, "mine");
    expect((await rewind(home, "--to", "1", "--files")).stdout).toContain("not restored");
    expect(readFileSync(notes, "utf8")).toBe("mine");
    await rewind(home, "--to", "0", "--files", "--force");
    expect(existsSync(notes)).toBe(false);
  });

  test("restores nothing that another user's program recorded", async () => {
    using home = temporaryDirectory();
    const notes = await writer(home);
    const args = ["sessions", "agent", "rewind", "main", "--to", "1", "--files"];
    await runCommandLine(args, { home: join(home.path, "other"), cwd: home.path });
    expect(readFileSync(notes, "utf8")).toBe("two");
  });

  test.each([
    [["--to", "7", "--files"], 1, "no prompt 7"],
    [["--to", "0", "--force"], 2, "--force needs --files"],
  ])("%j changes nothing", async (args, exitCode, message) => {
    using home = temporaryDirectory();
    const notes = await writer(home);
    const result = await rewind(home, ...args);
    expect(result).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
    expect(readFileSync(notes, "utf8")).toBe("two");
  });
});

describe.skipIf(requireProgram("bwrap"))("sessions rewind --files of a session in a workspace", () => {
  test("names files from the current folder, and makes one while a command runs there that cannot create it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/.envrc": "one" });
    const run = (session: string, name: string, args: JsonObject) => {
      const model = scriptReference(home.path, [
        { calls: [{ id: session, name, arguments: args }] },
        { text: "Done." },
      ]);
      const flags = ["--trust", "--allow-all", "--sandbox", "required", "--workspace", "work", "--session", session];
      return runCommandLine(["agent", "agent", ...flags, "--model", model, "-p", "Go"], { home: home.path });
    };
    await run("main", "write_file", { path: ".envrc", content: "two" });
    const envrc = join(home.path, "work/.envrc");
    expect(readFileSync(envrc, "utf8")).toBe("two");
    rmSync(envrc);
    const command = "touch begun; while [ ! -e go ]; do sleep 0.02; done";
    const other = run("other", "bash", { command });
    await untilExists(join(home.path, "work/begun"));
    const rewound = await runCommandLine(["sessions", "agent", "rewind", "main", "--to", "0", "--files", "--force"], {
      home: home.path,
    });
    writeText(join(home.path, "work/go"), "");
    expect(rewound.stdout).toMatch(/\n {2}restored +work\/\.envrc\n/);
    await other;
    expect(readFileSync(envrc, "utf8")).toBe("one");
  });
});
