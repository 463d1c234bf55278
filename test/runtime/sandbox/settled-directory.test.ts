import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolResult } from "@mdx-ai/runtime";
import { readRemembered } from "../../../packages/runtime/src/memory/agent-memory.ts";
import { AbsenceMarkers } from "../../../packages/runtime/src/sandbox/absence-markers.ts";
import { runFolder } from "../../../packages/runtime/src/sandbox/run-folder.ts";
import {
  HeldPathError,
  isUnsettled,
  isUnsettledInWorkspace,
  readSettled,
  UnsettledDirectoryError,
  untilSettled,
} from "../../../packages/runtime/src/sandbox/settled-directory.ts";
import { editFileTool } from "../../../packages/runtime/src/tools/edit/edit-file-tool.ts";
import { FileMemory } from "../../../packages/runtime/src/tools/file-memory.ts";
import { writeFileTool } from "../../../packages/runtime/src/tools/write-file.ts";
import type { BuiltinToolContext, FileKeeper } from "../../../packages/runtime/src/types/tool.ts";
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

  test("write_file waits with what only the settings of a workspace name, and that stays", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    writeText(join(work, ".git/HEAD"), "ref: refs/heads/main\n");
    writeText(join(work, ".git/config"), "[core]\n\thooksPath = tools/hooks\n");
    writeText(join(work, ".envrc"), "source ./env.sh\n");
    const command = await begin(bench, ":", work);
    const context = { ...toolContext(bench.directory), cwd: work };
    const paths = ["tools/hooks/pre-commit", "env.sh"];
    const waiting = Promise.all(paths.map((path) => writeFileTool().execute({ path, content: "the user's" }, context)));
    await Bun.sleep(200);
    await command.end();
    for (const said of await waiting) expect(shownText(said)).toStartWith("created ");
    await bench.bash(":");
    await bench.close();
    expect(bench.moved).toStrictEqual([]);
    const texts = paths.map((path) => readFileSync(join(work, path), "utf8"));
    expect(texts).toStrictEqual(["the user's", "the user's"]);
  });

  test("in a workspace whose search is slow, what a tool or an editor makes right before it is not taken for its work", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    // A search of so many takes more than 3 ms.
    for (let index = 0; index < 1_000; index += 1)
      mkdirSync(join(work, `deep/${index % 50}/${index}`), { recursive: true });
    const makers: readonly ((path: string, content: string) => unknown)[] = [
      (path, content) => writeFileTool().execute({ path, content }, { ...toolContext(bench.directory), cwd: work }),
      (path, content) => writeText(join(work, path), content),
    ];
    const made = [".envrc", "deep/.vscode/tasks.json", "deep/1/.npmrc"];
    for (const make of makers) {
      await bench.bash(":");
      for (const path of made) {
        await eventually(() => !isUnsettledInWorkspace(work, path));
        await make(path, "the user's");
        await bench.bash("mkdir -p deep/2; echo hostile > deep/2/.npmrc");
      }
      await bench.bash(":");
      expect(made.filter((path) => existsSync(join(work, path)))).toStrictEqual(made);
      for (const path of made) rmSync(join(work, path));
    }
    const context = { ...toolContext(bench.directory), cwd: work };
    await writeFileTool().execute({ path: "deep/4/.npmrc", content: "old" }, context);
    const command = await begin(bench, ":", work);
    const edits = [{ old: "old", new: "new" }];
    await editFileTool({ files: new FileMemory() }).execute({ path: "deep/4/.npmrc", edits }, context);
    await command.end();
    expect(readFileSync(join(work, "deep/4/.npmrc"), "utf8")).toBe("new");
    await bench.bash("mkdir -p node_modules/x; echo hostile > node_modules/x/.envrc");
    await eventually(() => !isUnsettledInWorkspace(work, ".bashrc"));
    await bench.bash("mv node_modules/x deep/x; mv deep/5 deep/old; mv deep/x deep/5");
    await bench.close();
    const moved = bench.moved.map((line) => /moved (.*?) to /.exec(line)?.[1]);
    expect(new Set(moved)).toStrictEqual(new Set(["deep/2/.npmrc", "deep/5/.envrc"]));
  });

  test("in a workspace whose search is slow, what an earlier command hid or began is set aside when it becomes what runs on its own", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    for (let index = 0; index < 1_000; index += 1)
      mkdirSync(join(work, `deep/${index % 50}/${index}`), { recursive: true });
    await bench.bash(":");
    // The folders of packages are not searched, and the other files have no meaning yet.
    await bench.bash(`mkdir -p node_modules/x deep/cargo deep/bare
      echo hostile > node_modules/x/.envrc
      echo hostile > deep/cargo/config.toml
      echo "ref: refs/heads/x" > deep/bare/HEAD`);
    await eventually(() => !isUnsettledInWorkspace(work, ".envrc"));
    await bench.bash("mv node_modules/x deep/x; mv deep/cargo deep/.cargo; mkdir deep/bare/objects deep/bare/refs");
    await bench.close();
    const hostile = ["deep/x/.envrc", "deep/.cargo/config.toml", "deep/bare/HEAD"];
    expect(hostile.filter((path) => existsSync(join(work, path)))).toStrictEqual([]);
    expect(existsSync(join(work, "deep/x"))).toBe(true);
  });

  test("in a workspace whose search is slow, what it changes within a new folder of another program is set aside", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    for (let index = 0; index < 1_000; index += 1)
      mkdirSync(join(work, `deep/${index % 50}/${index}`), { recursive: true });
    writeText(join(bench.home, "kept"), "the user's");
    await bench.bash(":");
    await eventually(() => !isUnsettledInWorkspace(work, ".envrc"));
    // Moved back by the user.
    renameSync(join(bench.home, "kept"), join(work, "deep/2/.npmrc"));
    const made = ["HEAD", "objects/x", "refs/x", "hooks/post-merge", "config"].map((name) => `deep/clone/.git/${name}`);
    for (const path of [...made, "deep/.vscode/a/tasks.json", "deep/.vscode/settings.json"])
      writeText(join(work, path), "the user's");
    await bench.bash(`echo hostile > deep/clone/.git/hooks/post-merge; echo hostile > deep/.vscode/a/tasks.json
      echo data > deep/clone/.git/objects/y`);
    await bench.close();
    const left = [...made, "deep/clone/.git/objects/y", "deep/.vscode/settings.json", "deep/2/.npmrc"];
    const hostile = ["deep/clone/.git/hooks/post-merge", "deep/.vscode/a/tasks.json"];
    expect([...left, ...hostile].filter((path) => existsSync(join(work, path)))).toStrictEqual(
      left.filter((path) => !hostile.includes(path)),
    );
  });

  test("what an editor creates meanwhile is set aside whole, and what it saves is left alone", async () => {
    await using bench = openSandboxBench({ workspace: "work", files: { ".npmrc": "old" } });
    const work = join(bench.home, "work");
    writeText(join(work, ".vimrc"), "old");
    const command = await begin(bench, ":", work);
    const saved = [join(bench.directory, ".npmrc"), join(work, ".vimrc")];
    for (const path of saved) {
      writeText(`${path}~`, "the user's");
      renameSync(`${path}~`, path);
    }
    const created = [join(bench.directory, "package-lock.json"), join(work, ".envrc")];
    for (const path of created) writeText(path, "the user's");
    const text = await command.end();
    expect(saved.map((path) => readFileSync(path, "utf8"))).toStrictEqual(["the user's", "the user's"]);
    const places = [...text.matchAll(/moved (\S+) to (\S+):/g)].map(([, path = "", folder = ""]) =>
      join(bench.directory, folder.replace(`${bench.directory}/`, ""), path),
    );
    expect(places.map((path) => readFileSync(path, "utf8"))).toStrictEqual(["the user's", "the user's"]);
  });

  test("a command that begins in the middle of a write is waited for, too", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    const work = join(bench.home, "work");
    for (const [path, cwd] of [
      ["heartbeat.md", bench.directory],
      ["skills/one/SKILL.md", bench.directory],
      [".envrc", work],
      ["deep/.vscode/tasks.json", work],
    ] as const) {
      let command: Awaited<ReturnType<typeof begin>> | undefined;
      const keeper: FileKeeper = {
        saw: () => {},
        seen: () => new Map(),
        // Between the first look and the write.
        keep: async () => {
          for (const name of ["begun", "go"]) rmSync(join(work, name), { force: true });
          command = await begin(bench, ":", work);
        },
      };
      const context: BuiltinToolContext = { ...toolContext(bench.directory), cwd, keeper };
      const written = writeFileTool().execute({ path, content: "the user's" }, context);
      await eventually(() => command !== undefined);
      await command?.end();
      expect(shownText(await written)).toStartWith("created ");
      await bench.bash(":");
      expect(readFileSync(join(cwd, path), "utf8")).toBe("the user's");
    }
    await bench.close();
    expect(bench.moved).toStrictEqual([]);
  });

  test("an aborted writer does not wait", async () => {
    await using bench = openSandboxBench();
    const command = await begin(bench, ":");
    expect(isUnsettled(bench.directory, "skills/a/SKILL.md")).toBe(true);
    expect(isUnsettled(bench.directory, "out.txt")).toBe(false);
    const made = { folder: bench.directory, kind: "agent", path: "skills/a/SKILL.md" } as const;
    expect(untilSettled([made], AbortSignal.abort())).rejects.toThrow(HeldPathError);
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
