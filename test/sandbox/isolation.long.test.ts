import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

describe.skipIf(requireProgram("bwrap"))("a shell in the sandbox", () => {
  test("is in a separate session, so that it types nothing into the user's terminal", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("set -- $(cat /proc/$$/stat); [ $6 != 0 ] && echo own; : < /dev/tty");
    expect(text).toStartWith("own\n");
    expect(text).toContain("/dev/tty: No such device or address");
  });

  test("leaves no memory of a process behind in a core file", async () => {
    await using bench = openSandboxBench();
    expect(await bench.bash("ulimit -Hc")).toEqual({ text: "0\n", isError: false });
  });

  test("has at most 1 GiB in memory, and creates nothing else in /dev", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash(
      `for f in /tmp ~ /var/tmp /dev/shm; do head -c 250M /dev/zero > $f/x && echo full; done; touch /dev/x; mkdir /dev/pts/x
      du -cbs /tmp/x ~/x /var/tmp/x /dev/shm/x | tail -1`,
    );
    expect(text).toContain("/dev/x': Read-only file system");
    // The agent lies in /tmp and in the home folder: these are small and of this sandbox alone, the others share the rest.
    expect(text.match(/^full$/gm)).toHaveLength(2);
    expect(Number(/(\d+)\ttotal/.exec(text)?.[1])).toBeLessThanOrEqual(2 ** 30);
  });

  test.skipIf(requireProgram("python3"))("opens its own terminals", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash(
      `python3 -c 'import os, pty; m, s = pty.openpty(); os.write(s, b"works"); print(os.read(m, 5).decode())'`,
    );
    expect(text).toBe("works\n");
  });
});

describe.skipIf(requireProgram("bwrap"))("a tool in the sandbox", () => {
  const files = {
    ".env": "a key",
    "apps/web/.env": "a key",
    "sessions/other/journal.jsonl": "said",
    "logs/x.log": "said",
  };
  const body = `const { readFileSync } = require("node:fs");
    const read = (path) => { try { return readFileSync(ctx.agentDir + "/" + path, "utf8"); } catch { return ""; } };
    return ${JSON.stringify(Object.keys(files))}.map(read).join();`;

  test.each([
    [undefined, ",,,"],
    [["**"], ",,,"],
    [[".env", "sessions/**"], "a key,,said,"],
    [["apps/**", "logs/*.log"], ",,,said"],
  ])("that reads %j sees .env files, journals and logs only if it names them", async (read, text) => {
    await using bench = openSandboxBench({ files });
    const tool = read === undefined ? {} : { files: { read, write: [] } };
    expect(await bench.tool(body, tool)).toEqual({ text, isError: false });
  });

  test.skipIf(requireProgram("git")).each([
    ["sees other variables", { environment: ["KEY"] }, {}],
    ["reaches other hosts, in a home that shows nothing", { network: [] }, { agent: "a", ownHome: "h" }],
  ])("runs no program by the settings that a tool left in the home folder which %s", async (_, more, places) => {
    const environment = { KEY: "sk-of-the-other", PATH: "/usr/local/bin:/usr/bin:/bin" };
    await using bench = openSandboxBench({ ...places, environment });
    mkdirSync(join(bench.home, "h"), { recursive: true });
    const ran = (command: string): string =>
      `const run = Bun.spawnSync(["sh", "-c", ${JSON.stringify(command)}]); return String(run.stdout) + run.stderr;`;
    await bench.tool(ran("git config --global alias.planted '!echo ran with $KEY'"));
    expect((await bench.tool(ran("git planted"))).text).toBe("ran with\n");
    expect((await bench.tool(ran("git planted"), more)).text).toContain("'planted' is not a git command");
  });
});
