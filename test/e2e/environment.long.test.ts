import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** What a hostile folder may hold: each of them would leave a mark or send the key elsewhere. */
const traps = (mark: string): Readonly<Record<string, string>> => ({
  ".env": "ANTHROPIC_BASE_URL=http://127.0.0.1:1/stolen\nANTHROPIC_API_KEY=from-dotenv\n",
  ".env.local": "ANTHROPIC_API_KEY=from-dotenv\n",
  "bunfig.toml": 'preload = ["./preload.ts"]\n',
  "preload.ts": `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "ran");\n`,
  "tsconfig.json": '{"compilerOptions":{"baseUrl":".","paths":{"*":["./preload.ts"]}}}\n',
});

/** Run from source, Bun keeps what it transpiled; an executable has nothing of that kind. */
const withoutCacheOfBun = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };

describe.skipIf(requireProgram("bwrap"))("the environment of a run", () => {
  test.each(["current folder", "agent directory"])("is not changed by files of the %s", async (place) => {
    using home = temporaryDirectory();
    const mark = join(home.path, "mark");
    const agent = join(home.path, "agent");
    const cwd = join(home.path, "cwd");
    mkdirSync(cwd);
    writeFiles(agent, { "agent.mdx": GREETING_AGENT });
    writeFiles(place === "agent directory" ? agent : cwd, traps(mark));
    const calls = [{ id: "c1", name: "greet", arguments: { name: "Ada" } }];
    const model = scriptReference(home.path, [{ calls }, { text: "done" }]);
    const scripted = await runCommandLine(["agent", agent, "--trust", "--prompt", "hi", "--model", model], {
      home: home.path,
      cwd,
    });
    expect(scripted).toMatchObject({ exitCode: 0, stdout: "done\n" });
    const detected = await runCommandLine(["agent", agent, "--trust", "--prompt", "hi"], { home: home.path, cwd });
    expect(detected.exitCode).toBe(0);
    expect(detected.stderr).toContain("ANTHROPIC_API_KEY");
    expect(existsSync(mark)).toBe(false);
  });

  test("takes the variables of the file that --env-file names, those that are set first", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent.mdx": MINIMAL_AGENT,
      "my.env": '# a comment\nFIRST="from the file"\nSECOND=from the file\n',
    });
    const args = ["tool", ".", "bash", 'command=echo "$FIRST, $SECOND"', "--trust", "--env-file", "my.env"];
    const result = await runCommandLine(args, { home: home.path, environment: { SECOND: "from outside" } });
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("from the file, from outside") });
  });

  test.each([
    ["unset", undefined],
    ["empty", ""],
    ["relative", "somewhere"],
    ["a place that does not exist", "/nonexistent/home"],
  ])("may have a HOME that is %s", async (_name, HOME) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [{ text: "ok" }]);
    const args = ["agent", "--trust", "--ephemeral", "--prompt", "hi", "--model", model];
    const result = await runCommandLine(args, { home: home.path, environment: { HOME, ...withoutCacheOfBun } });
    expect(result).toEqual({ exitCode: 0, stdout: "ok\n", stderr: "" });
    expect(readdirSync(home.path)).toHaveLength(3);
  });

  test("may have a home folder where nothing can be written", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, home: "a file, so that no folder can be made in it" });
    const model = scriptReference(home.path, [{ text: "ok" }]);
    const args = ["agent", "agent", "--trust", "--prompt", "hi", "--model", model];
    const result = await runCommandLine(args, { home: home.path, environment: { HOME: join(home.path, "home") } });
    expect(result).toEqual({ exitCode: 0, stdout: "ok\n", stderr: "" });
  });

  test("keeps the parsed definition in the cache folder, and none in the agent directory", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    chmodSync(join(home.path, "agent"), 0o755);
    const cache = join(home.path, "caches");
    const options = { home: home.path, environment: { XDG_CACHE_HOME: cache } };
    expect(await runCommandLine(["check", "agent"], options)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(cache, "mdx-ai/definitions"))).not.toEqual([]);
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "skills"]);
    const environment = { XDG_CACHE_HOME: join(home.path, "agent"), ...withoutCacheOfBun };
    const within = { home: home.path, environment };
    expect(await runCommandLine(["check", "agent"], within)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "skills"]);
  });
});
