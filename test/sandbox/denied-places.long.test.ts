import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

const FILES = {
  "private/keys/a.key": "denied\n",
  "private/notes.txt": "denied\n",
  "data/b.key": "denied\n",
  "data/c.txt": "allowed\n",
};

describe.skipIf(requireProgram("bwrap"))("what the permissions deny", () => {
  test.each([
    ["by a flag", { user: { deny: ["read_file(private/**)", "read_file(**/*.key)"] } }],
    ["by the user's settings", { user: { settings: { read_file: { deny: ["private", "data/*.key"] } } } }],
    ["by the directory", { permissions: { "read_file(private/**)": "deny", "*(data/b.key)": "deny" } }],
  ] as const)("to read is hidden from commands and tools, %s", async (_, rules) => {
    await using bench = openSandboxBench({ files: FILES, ...rules });
    const { text } = await bench.bash(
      "cat private/* private/*/* data/*; ls private; cp data/b.key x; ln data/b.key y; cat x y",
    );
    expect(text).toContain("allowed\n");
    expect(text).not.toContain("denied");
    const body = `const { readFileSync } = require("node:fs");
      const read = (path) => { try { return readFileSync(ctx.agentDir + "/" + path, "utf8").trim(); } catch { return "none"; } };
      return ${JSON.stringify(Object.keys(FILES))}.map(read).join();`;
    expect((await bench.tool(body)).text).toBe("none,none,,allowed");
  });

  test("to read does not come to light by a move of a folder around it", async () => {
    const files = { "out/deep/a.key": "denied\n" };
    await using bench = openSandboxBench({ files, user: { deny: ["read_file(out/deep/a.key)"] } });
    await bench.bash("mv out other; mv out/deep other; mv out/deep/a.key other; rm -rf out");
    expect((await bench.bash("cat out/deep/a.key other other/* other/*/*")).text).not.toContain("denied");
    expect(readFileSync(join(bench.directory, "out/deep/a.key"), "utf8")).toBe("denied\n");
    expect((await bench.bash("echo 1 > out/deep/new && cat out/deep/new")).text).toBe("1\n");
  });

  test("to write is read-only for commands and tools", async () => {
    const files = { "out/final.txt": "kept", "out/draft.txt": "1", "done/a.txt": "kept" };
    const user = { deny: ["write_file(out/final*)", "write_file(done/**)"] };
    await using bench = openSandboxBench({ files, user });
    await bench.bash(
      "for f in out/final.txt done/a.txt done/b.txt; do echo x > $f; rm -f $f; done; mv out x; mv done y; rm -rf out done; echo 2 > out/draft.txt",
    );
    const body = `try { require("node:fs").writeFileSync(ctx.agentDir + "/done/b.txt", "x"); } catch (error) { return error.code; }`;
    expect((await bench.tool(body)).text).toBe("EROFS");
    const texts = ["out/final.txt", "done/a.txt"].map((path) => readFileSync(join(bench.directory, path), "utf8"));
    expect(texts).toStrictEqual(["kept", "kept"]);
    expect(existsSync(join(bench.directory, "done/b.txt"))).toBe(false);
  });

  test("and a later rule allows is seen, as is what is asked about; a rule without a path is about the tool alone", async () => {
    const permissions = {
      read_file: { deny: ["private/**", "data/**"], allow: ["private/notes.txt"], ask: ["data/c.txt"] },
      list_files: "deny",
    } as const;
    await using bench = openSandboxBench({ files: FILES, permissions, user: { settings: { write_file: "deny" } } });
    const { text } = await bench.bash("cat private/notes.txt private/keys/a.key data/b.key data/c.txt; echo x > new");
    expect(text).toStartWith("denied\n");
    expect(text).toContain("\nallowed\n");
    expect(text.match(/denied/g)?.length).toBe(1);
    expect(existsSync(join(bench.directory, "new"))).toBe(true);
  });

  test("to read is hidden outside the agent directory, too, but not what programs need to start", async () => {
    await using bench = openSandboxBench({
      read: ["."],
      user: { deny: ["read_file(~/notes/**)", "read_file(/usr/**)"] },
    });
    writeFiles(bench.home, { "notes/a.txt": "denied\n" });
    expect((await bench.bash("cat ~/notes/*; echo started")).text).toContain("\nstarted\n");
    expect((await bench.bash("cat ~/notes/a.txt")).text).not.toContain("denied");
  });

  test("to the model by the directory is seen by a tool that names it, and what the user denies is not", async () => {
    const permissions = { "read_file(private/**)": "deny" } as const;
    const body = `try { return require("node:fs").readFileSync(ctx.agentDir + "/private/notes.txt", "utf8"); } catch { return "none"; }`;
    const tool = { files: { read: ["private/**"], write: [] } };
    await using bench = openSandboxBench({ files: FILES, permissions });
    expect((await bench.tool(body, tool)).text).toBe("denied\n");
    await using other = openSandboxBench({ files: FILES, permissions, user: { deny: ["read_file(private/**)"] } });
    expect((await other.tool(body, tool)).text).toBe("none");
  });

  test("stays hidden beside 20,001 files of a command, without a warning", async () => {
    const files = { "deep/in/a.key": "denied\n", "deep/in/.env": "denied\n" };
    await using bench = openSandboxBench({ files, user: { deny: ["read_file(deep/**/*.key)"] } });
    await bench.bash("mkdir a && cd a && seq 20001 | xargs touch");
    expect((await bench.bash("cat deep/in/a.key deep/in/.env; ls deep")).text).toStartWith("in\n");
    expect(bench.warnings).toStrictEqual([]);
  });

  test("is not seen where a command makes more folders than are searched: they are hidden, which a warning says", async () => {
    const files = { "deep/1/2/3/.env": "denied\n", "deep/1/2/3/a.key": "denied\n", "state/notes.txt": "seen\n" };
    const deny = ["read_file(**/*.key)"];
    await using bench = openSandboxBench({ files, user: { deny } });
    await bench.bash("mkdir a && cd a && seq 20001 | xargs mkdir");
    const { text } = await bench.bash(
      "cat deep/1/2/3/.env deep/1/2/3/a.key; mv deep other; cat other/1/2/3/*; cat state/notes.txt; echo x > state/agent-state.json; echo x > agent.mdx",
    );
    expect(text).toContain("seen\n");
    expect(text).not.toContain("denied");
    expect(text.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(2);
    expect(bench.warnings[0]).toContain(`hidden from commands and tools: `);
    expect(bench.warnings[0]).toContain(join(bench.directory, "a/"));
    expect(bench.warnings[0]).toContain("list in `sandbox.read` the folders that agents need");
  });

  test("keeps every command from running where folders cannot be hidden: none is left open", async () => {
    const files = { "deep/1/2/3/.env": "denied\n" };
    await using bench = openSandboxBench({ files });
    await bench.bash("seq 20201 | xargs mkdir");
    const tried = await bench.bash("cat deep/1/2/3/.env; echo ran");
    expect(tried).toEqual({ text: expect.stringContaining("holds too many folders"), isError: true });
  });

  test("is not seen in a folder that a command keeps from being listed", async () => {
    await using bench = openSandboxBench({ files: { "deep/.env": "denied\n" } });
    await bench.bash("chmod 311 deep");
    expect((await bench.bash("chmod 755 deep; cat deep/.env")).text).not.toContain("denied");
    chmodSync(join(bench.directory, "deep"), 0o755);
  });

  test("one by one in more than 1,000 files keeps every command from running: none is left open", async () => {
    await using bench = openSandboxBench({ user: { deny: ["read_file(**/*.key)"] } });
    await bench.bash("mkdir many && cd many && seq -f %g.key 1001 | xargs touch");
    expect(await bench.bash("echo ran")).toEqual({ text: expect.stringContaining("deny their folder"), isError: true });
  });
});
