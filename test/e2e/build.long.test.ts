import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { placeExecutable } from "../support/place-executable.ts";
import { requireProgram } from "../support/require-program.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const AGENT = `---
model: offline
---

# Agent: Hello World

## Purpose

Greets people.

<Tool name="greet" description="Greets somebody by name">
  <Param name="name" description="Who is greeted" />

\`\`\`typescript
import { greeting } from "./tools/greeting.ts";

export async function execute({ name }: { name: string }) {
  return \`\${greeting}, \${name}!\`;
}
\`\`\`

</Tool>
`;

const PLAIN = AGENT.replace('import { greeting } from "./tools/greeting.ts";', 'const greeting = "Hello";');

const FILES = {
  "agent.mdx": AGENT,
  "AGENT.md": "* Be kind.\n",
  "tools/greeting.ts": 'export const greeting: string = "Hello";\n',
  "skills/wave/SKILL.md": "---\nname: wave\ndescription: How to wave.\n---\nWave.\n",
  "skills/wave/scripts/wave.sh": "#!/bin/sh\necho waves\n",
  ".env": "KEY=secret-of-the-author\n",
  "sessions/main/journal.jsonl": '{"said":"private words"}\n',
};

let workshop: TemporaryDirectory;
let program: string;

beforeAll(async () => {
  workshop = temporaryDirectory();
  program = join(workshop.path, "mdx-ai");
  await placeExecutable(program);
});

afterAll(() => workshop[Symbol.dispose]());

async function run(command: readonly string[], folder: string, environment: Readonly<Record<string, string>> = {}) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** Builds an agent with these files; the executable is `out` in the folder. */
async function build(folder: string, files: Readonly<Record<string, string>>, agent = "agent"): Promise<string> {
  const directory = writeFiles(join(folder, agent), files);
  if (existsSync(join(directory, "skills/wave/scripts/wave.sh")))
    chmodSync(join(directory, "skills/wave/scripts/wave.sh"), 0o755);
  const output = join(folder, "out");
  const { exitCode, stderr } = await run([program, "build", directory, "--output", output], folder);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return output;
}

const installed = (folder: string): string => join(folder, "home/.local/state/mdx-ai/built/hello-world");

describe("an executable that contains an agent", () => {
  test("is the same for the same files, wherever they are and whenever they were written", async () => {
    using folder = temporaryDirectory();
    const first = readFileSync(await build(folder.path, FILES));
    cpSync(join(folder.path, "agent"), join(folder.path, "deep/copy"), { recursive: true });
    rmSync(join(folder.path, "deep/copy/sessions"), { recursive: true });
    utimesSync(join(folder.path, "deep/copy/agent.mdx"), 1, 1);
    const second = readFileSync(await build(folder.path, {}, "deep/copy"));
    expect(first.equals(second)).toBe(true);
    expect(first.includes("secret-of-the-author")).toBe(false);
    expect(first.includes("private words")).toBe(false);
  });

  test("asks for no trust, runs the agent's tools, and keeps its sessions in the user's state", async () => {
    using folder = temporaryDirectory();
    const output = await build(folder.path, FILES);
    rmSync(join(folder.path, "agent"), { recursive: true });
    const first = await run([output, "-p", "Call greet name=Ada"], folder.path);
    expect(first).toMatchObject({ exitCode: 0, stdout: "Hello, Ada!\n" });
    await run([output, "agent", "-p", "Call greet name=Bob"], folder.path);
    const { stdout } = await run([output, "sessions", "show", "main"], folder.path);
    expect(stdout).toContain("Hello, Ada!");
    expect(stdout).toContain("Hello, Bob!");
    expect(existsSync(join(installed(folder.path), "sessions/main/journal.jsonl"))).toBe(true);
    expect(existsSync(join(folder.path, "home/.local/state/mdx-ai/trust"))).toBe(false);
  });

  test("brings its own files back, and replaces those of an earlier build, but keeps what its user wrote", async () => {
    using folder = temporaryDirectory();
    await run([await build(folder.path, FILES), "-p", "hello"], folder.path);
    const at = (path: string): string => join(installed(folder.path), path);
    writeFileSync(at("tools/greeting.ts"), 'export const greeting = "Boo";\n');
    const output = join(folder.path, "out");
    expect((await run([output, "-p", "Call greet name=Ada"], folder.path)).stdout).toBe("Hello, Ada!\n");
    writeFileSync(at("AGENT.md"), "* Be brief.\n");
    const { "skills/wave/SKILL.md": _skill, "skills/wave/scripts/wave.sh": _script, ...others } = FILES;
    rmSync(join(folder.path, "agent"), { recursive: true });
    await build(folder.path, {
      ...others,
      "AGENT.md": "* New.\n",
      "tools/greeting.ts": 'export const greeting = "Hi";\n',
    });
    expect((await run([output, "-p", "Call greet name=Ada"], folder.path)).stdout).toBe("Hi, Ada!\n");
    expect(existsSync(at("skills/wave/SKILL.md"))).toBe(false);
    expect(readFileSync(at("AGENT.md"), "utf8")).toBe("* Be brief.\n");
    expect((await run([output, "sessions", "show", "main"], folder.path)).stdout).toContain("Hi, Ada!");
  });

  test("writes and removes nothing through a link that a tool left among its files", async () => {
    using folder = temporaryDirectory();
    const output = await build(folder.path, FILES);
    await run([output, "-p", "hello"], folder.path);
    const outside = join(folder.path, "outside");
    writeFiles(outside, { "greeting.ts": "mine\n", "wave/SKILL.md": "mine\n" });
    for (const [name, target] of [
      ["tools", outside],
      ["skills", outside],
    ] as const) {
      rmSync(join(installed(folder.path), name), { recursive: true });
      symlinkSync(target, join(installed(folder.path), name));
    }
    expect((await run([output, "-p", "Call greet name=Ada"], folder.path)).stdout).toBe("Hello, Ada!\n");
    expect(readFileSync(join(outside, "greeting.ts"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(outside, "wave/SKILL.md"), "utf8")).toBe("mine\n");
  });

  test("keeps nothing where it has no home", async () => {
    using folder = temporaryDirectory();
    const output = await build(folder.path, FILES);
    const temporary = join(folder.path, "temporary");
    mkdirSync(temporary);
    const { exitCode, stdout } = await run([output, "-p", "Call greet name=Ada"], folder.path, {
      HOME: "",
      TMPDIR: temporary,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Hello, Ada!\n" });
    expect([...new Bun.Glob("hello-world*/**").scanSync(temporary)]).toEqual([]);
  });

  test("has the agent's name, help and commands, and not those for authors", async () => {
    using folder = temporaryDirectory();
    const output = await build(folder.path, {
      ...FILES,
      "package.json": '{"name": "@acme/hello", "version": "1.2.0"}',
    });
    expect((await run([output, "--version"], folder.path)).stdout).toMatch(/^acme-hello 1\.2\.0 \(mdx-ai \d/);
    const help = await run([output, "--help"], folder.path);
    expect(help.stdout).toStartWith("out is the agent acme-hello");
    expect(help.stdout).not.toContain("--trust");
    expect((await run([output, "tool", "greet", "name=Ada"], folder.path)).stdout).toContain("Hello, Ada!");
    expect(await run([output, "init", "x"], folder.path)).toMatchObject({ exitCode: 2 });
  });

  test("can be built from another built executable, without that one's agent", async () => {
    using folder = temporaryDirectory();
    const output = readFileSync(await build(folder.path, FILES));
    const other = join(folder.path, "other");
    const words = ["build", join(folder.path, "agent"), "--program", join(folder.path, "out"), "-o", other];
    expect(await run([program, ...words], folder.path)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(other).equals(output)).toBe(true);
  });
});

describe.skipIf(requireProgram("bwrap"))("in a container that has only the C library", () => {
  /** Runs the executable without a shell, a home, variables and a network; the root cannot be written. */
  async function contained(output: string, folder: string, more: readonly string[]) {
    const libraries = (await run(["ldd", output], folder)).stdout.match(/\/\S+\.so\S*/g) ?? [];
    const binds = libraries.flatMap((path) => ["--ro-bind", path, path]);
    const places = ["--proc", "/proc", "--dev", "/dev", ...more, "--ro-bind", output, "/agent", "--remount-ro", "/"];
    const words = [
      "bwrap",
      "--unshare-all",
      "--clearenv",
      ...binds,
      ...places,
      "--",
      "/agent",
      "-p",
      "Call greet name=Ada",
    ];
    return run(words, folder);
  }

  test.each([
    ["nowhere to write", ["--remount-ro", "/dev"], PLAIN],
    ["a folder for temporary files", ["--tmpfs", "/tmp"], AGENT],
    ["a home", ["--tmpfs", "/home", "--setenv", "HOME", "/home"], AGENT],
    ["a home that cannot be written", ["--setenv", "HOME", "/home", "--tmpfs", "/tmp"], AGENT],
  ] as const)("it answers with %s", async (_name, more, text) => {
    using folder = temporaryDirectory();
    const files = text === PLAIN ? { "agent.mdx": PLAIN, "README.md": "Hi\n" } : { ...FILES, "agent.mdx": text };
    const output = await build(folder.path, files);
    expect(await contained(output, folder.path, more)).toMatchObject({ exitCode: 0, stdout: "Hello, Ada!\n" });
  });

  test("it says what an agent with modules or skills lacks if there is nowhere to write", async () => {
    using folder = temporaryDirectory();
    const output = await build(folder.path, FILES);
    const { exitCode, stderr } = await contained(output, folder.path, ["--remount-ro", "/dev"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("set TMPDIR") });
  });
});

test("a key in a file is refused, unless the author says that it is none", async () => {
  using folder = temporaryDirectory();
  const key = 'export const apiKey = "q8Zt3LmP0xVb7RkW2nYd";\n';
  const directory = writeFiles(join(folder.path, "agent"), { ...FILES, "tools/shop.ts": key });
  const words = [program, "build", directory, "-o", join(folder.path, "out")];
  const { exitCode, stderr } = await run(words, folder.path);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("tools/shop.ts:1 contains"),
  });
  expect(await run([...words, "--allow-keys"], folder.path)).toMatchObject({ exitCode: 0 });
});

test("what the agent needs must be in its directory", async () => {
  using folder = temporaryDirectory();
  const directory = writeFiles(join(folder.path, "agent"), FILES);
  symlinkSync(join(folder.path, "elsewhere"), join(directory, "data"));
  const output = join(folder.path, "out");
  const { exitCode, stderr } = await run([program, "build", directory, "-o", output], folder.path);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("leads out of the directory"),
  });
  expect(existsSync(output)).toBe(false);
});
