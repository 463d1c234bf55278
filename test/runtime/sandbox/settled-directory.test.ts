import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolResult } from "@mdx-ai/runtime";
import { isUnsettled, readSettled, UnsettledDirectoryError, untilSettled } from "@mdx-ai/runtime/settled";
import { readRemembered } from "../../../packages/runtime/src/memory/agent-memory.ts";
import { AbsenceMarkers } from "../../../packages/runtime/src/sandbox/absence-markers.ts";
import { runFolder } from "../../../packages/runtime/src/sandbox/run-folder.ts";
import { editFileTool } from "../../../packages/runtime/src/tools/edit/edit-file-tool.ts";
import { FileMemory } from "../../../packages/runtime/src/tools/file-memory.ts";
import { writeFileTool } from "../../../packages/runtime/src/tools/write-file.ts";
import { writeText } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench, type SandboxBench } from "../../support/sandbox-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { textOf, toolContext } from "../../support/tool-context.ts";

const modulesIn = async (directory: string): Promise<readonly string[]> =>
  existsSync(join(directory, "modules"))
    ? readdirSync(join(directory, "modules")).map((name) => `modules/${name}`)
    : [];

/** The modules of a directory in which commands run, and what was set aside. */
async function settledModules(agentDir: string, read = () => modulesIn(agentDir)) {
  const moved: string[] = [];
  const modules = await readSettled({ agentDir, read, paths: (found) => found, onMoved: (line) => moved.push(line) });
  return { modules, moved };
}

/** Runs a command until its file "begun" exists; it is to wait for a file "go". */
async function begin(bench: SandboxBench, command: string, folder: string = bench.directory) {
  const running = bench.bash(`${command}\ntouch begun; while [ ! -e go ]; do sleep 0.01; done`);
  await eventually(() => existsSync(join(folder, "begun")));
  return {
    end: async () => {
      writeFileSync(join(folder, "go"), "");
      return (await running).text;
    },
  };
}

const shownText = (result: string | ToolResult): string => (typeof result === "string" ? result : textOf(result));

describe.skipIf(requireProgram("bwrap"))("while a command runs", () => {
  test("what it creates of the agent is not read, and set aside at once", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, "mkdir modules; echo hostile > modules/x.ts");
    expect(existsSync(join(bench.directory, "modules/x.ts"))).toBe(true);
    const { modules, moved } = await settledModules(bench.directory);
    expect(modules).toStrictEqual([]);
    expect(moved).toStrictEqual([expect.stringContaining("the sandbox moved modules to state/set-aside/")]);
    await command.end();
  });

  test("what comes into being during the reading is not believed", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, ":");
    let readings = 0;
    const { modules } = await settledModules(bench.directory, async () => {
      readings += 1;
      if (readings > 1) return modulesIn(bench.directory);
      writeText(join(bench.directory, "modules/x.ts"), "hostile");
      const found = await modulesIn(bench.directory);
      return found;
    });
    expect([readings, modules]).toStrictEqual([2, []]);
    await command.end();
  });

  test("that creates it again and again, the directory cannot be read", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, "(while :; do mkdir -p modules; echo x > modules/x.ts; done) 2>/dev/null &");
    const read = async (): Promise<readonly string[]> => {
      await eventually(() => existsSync(join(bench.directory, "modules/x.ts")));
      return ["modules/x.ts"];
    };
    expect(settledModules(bench.directory, read)).rejects.toThrow(UnsettledDirectoryError);
    await command.end();
    await eventually(() => !existsSync(join(bench.directory, "modules")));
  });

  test("AGENT.md and memories that it creates do not reach a model", async () => {
    await using bench = openSandboxBench({ keeps: "nothing" });
    const memory = JSON.stringify([{ id: "a", timestamp: "2026-01-01T00:00:00.000Z", content: "hostile" }]);
    const command = await begin(bench, `mkdir -p state; echo '${memory}' > state/memory.json; echo hostile > AGENT.md`);
    const places = { agentDir: bench.directory, dataDir: bench.directory };
    expect(readRemembered(places, () => {})).toStrictEqual({ memories: [] });
    await command.end();
  });

  test("write_file waits with what would be taken for its work, and that stays", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, "echo hostile > heartbeat.md");
    const writing = writeFileTool().execute(
      { path: "heartbeat.md", content: "the user's" },
      toolContext(bench.directory),
    );
    await Bun.sleep(200);
    const text = await command.end();
    expect(text).toContain("moved heartbeat.md");
    expect(shownText(await writing)).toStartWith("created ");
    expect(await Bun.file(join(bench.directory, "heartbeat.md")).text()).toBe("the user's");
    await bench.bash(":");
    await bench.close();
    expect(await Bun.file(join(bench.directory, "heartbeat.md")).text()).toBe("the user's");
  });

  test("write_file and edit_file wait with what a workspace protects at any depth, and with nothing else", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    writeText(join(work, "deep/.npmrc"), "old");
    const command = await begin(bench, "mkdir -p deep/.idea; echo hostile > deep/.idea/x", work);
    const context = { ...toolContext(bench.directory), cwd: work };
    const write = writeFileTool();
    const paths = [".envrc", "deep/.vscode/tasks.json"];
    const waiting = Promise.all(paths.map((path) => write.execute({ path, content: "the user's" }, context)));
    const unprotected = await write.execute({ path: "deep/a.ts", content: "the user's" }, context);
    expect(shownText(unprotected)).toStartWith("created ");
    const edits = [{ old: "old", new: "new" }];
    await editFileTool({ files: new FileMemory() }).execute({ path: "deep/.npmrc", edits }, context);
    await Bun.sleep(200);
    expect(paths.filter((path) => existsSync(join(work, path)))).toStrictEqual([]);
    await command.end();
    for (const said of await waiting) expect(shownText(said)).toStartWith("created ");
    await bench.bash(":");
    await bench.close();
    expect(existsSync(join(work, "deep/.idea"))).toBe(false);
    const texts = [".envrc", "deep/.vscode/tasks.json", "deep/.npmrc"].map((path) =>
      readFileSync(join(work, path), "utf8"),
    );
    expect(texts).toStrictEqual(["the user's", "the user's", "new"]);
  });

  test("an aborted writer does not wait", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, ":");
    expect(isUnsettled(bench.directory, "skills/a/SKILL.md")).toBe(true);
    expect(isUnsettled(bench.directory, "out.txt")).toBe(false);
    expect(await untilSettled(bench.directory, "skills/a/SKILL.md", { signal: AbortSignal.abort() })).toBe(false);
    await command.end();
  });
});

test("what the commands of a dead process left is set aside, and its note removed", async () => {
  using folder = temporaryDirectory();
  const agentDir = join(folder.path, "agent");
  mkdirSync(agentDir);
  const markers = new AbsenceMarkers(agentDir, runFolder());
  const source = join(import.meta.dir, "../../../packages/runtime/src/sandbox/absence-markers.ts");
  const script = `import { AbsenceMarkers } from ${JSON.stringify(source)};
    new AbsenceMarkers(${JSON.stringify(agentDir)}, ${JSON.stringify(runFolder())}).write(${JSON.stringify(folder.path)}, ["modules", "lib.ts"]);`;
  expect(Bun.spawnSync([process.execPath, "--eval", script]).exitCode).toBe(0);
  writeText(join(agentDir, "modules/x.ts"), "hostile");
  expect(markers.all()).toMatchObject([{ isLive: false, paths: ["modules", "lib.ts"] }]);
  const { modules, moved } = await settledModules(agentDir);
  expect([modules.length, moved.length, markers.all().length]).toStrictEqual([0, 1, 0]);
  writeText(join(agentDir, "modules/y.ts"), "the user's");
  expect(await settledModules(agentDir)).toStrictEqual({ modules: ["modules/y.ts"], moved: [] });
});
