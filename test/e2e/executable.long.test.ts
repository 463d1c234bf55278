import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { embeddingServer } from "../support/embedding-server.ts";
import { placeExecutable } from "../support/place-executable.ts";
import { SLOW_PROSE } from "../support/slow-prose.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const WEATHER = join(import.meta.dir, "../../examples/weather");
const AGENT = "# Agent: Plain\n\n## Purpose\n\nAnswer.\n";

let workshop: TemporaryDirectory;
let executable: string;

beforeAll(async () => {
  workshop = temporaryDirectory();
  executable = join(workshop.path, "mdx-ai");
  await placeExecutable(executable);
});

afterAll(() => workshop[Symbol.dispose]());

interface RunOptions {
  /** Holds the home folder, and is the current one. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

async function run(args: readonly string[], { folder, environment = {} }: RunOptions) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const child = Bun.spawn([executable, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** Writes an agent with these files beside its agent.mdx, under a folder; returns the agent's path. */
async function writeAgent(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const agent = join(folder, "agent");
  for (const [path, text] of Object.entries({ "agent.mdx": AGENT, ...files })) await Bun.write(join(agent, path), text);
  return agent;
}

/** A script for the model that calls one tool, then ends. */
const callScript = (tool: string): string =>
  [{ calls: [{ id: "c1", name: tool, arguments: {} }] }, { text: "Done." }]
    .map((line) => JSON.stringify(line))
    .join("\n");

/** A module with one tool, `probe`, whose answer is the expression. */
const probeModule = (imports: string, expression: string): string => `${imports}
export default {
  describe: () => ({ name: "probe", description: "Probes" }),
  initialize: async () => {},
  tools: () => [{
    name: "probe",
    description: "Probes",
    parameters: { type: "object", properties: {} },
    execute: async (): Promise<string> => String(${expression}),
  }],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
};
`;

/** Installs a compiler that leaves a mark when it runs. */
async function writeTrap(folder: string, mark: string): Promise<void> {
  const modules = join(folder, "node_modules");
  const compiler = join(modules, `@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`);
  await Bun.write(join(modules, "typescript/package.json"), "{}");
  await Bun.write(join(modules, "@types/bun/package.json"), "{}");
  await Bun.write(compiler, `#!/bin/sh\n: > '${mark}'\n`);
  await chmod(compiler, 0o755);
}

describe("the executable", () => {
  test("prints its version", async () => {
    using folder = temporaryDirectory();
    const { stdout, exitCode } = await run(["--version"], { folder: folder.path });
    expect({ stdout: stdout.trim(), exitCode }).toEqual({ stdout: manifest.version, exitCode: 0 });
  });

  test("has the patched Markdown parser, which reads in time what the published one does not", async () => {
    using folder = temporaryDirectory();
    await writeAgent(folder.path, { "agent.mdx": `${AGENT}\n${SLOW_PROSE}\n`, "skills/.keep": "" });
    const { stdout, exitCode } = await run(["check", "agent"], { folder: folder.path });
    expect({ stdout, exitCode }).toEqual({ stdout: "No mistakes found. Run it: mdx-ai ./agent\n", exitCode: 0 });
  });

  test("checks all but the types where TypeScript is missing, and says so once on standard error", async () => {
    using folder = temporaryDirectory();
    const code = '<Tool name="t" description="T">\n\n```ts\nconst execute = (): string => 5;\n```\n\n</Tool>\n';
    await writeAgent(folder.path, { "agent.mdx": `${AGENT}\n${code}`, "skills/.keep": "" });
    const { stdout, stderr, exitCode } = await run(["check", "agent"], { folder: folder.path });
    expect({ stdout, exitCode }).toEqual({ stdout: "No mistakes found. Run it: mdx-ai ./agent\n", exitCode: 0 });
    const command = `  npm install --prefix ${workshop.path} typescript@7 @types/bun`;
    expect(stderr).toMatch(/^mdx-ai: the types of 1 tool were not checked: [^\n]+\n[^\n]+\n$/);
    expect(stderr).toEndWith(`\n${command}\n`);
  });

  test("says once what it did not check, however often it checks", async () => {
    using folder = temporaryDirectory();
    const code = '<Tool name="t" description="T">\n\n```ts\nconst execute = (): string => 5;\n```\n\n</Tool>\n';
    const agent = await writeAgent(folder.path, { "agent.mdx": `${AGENT}\n${code}`, "skills/.keep": "" });
    const child = Bun.spawn([executable, "check", "agent", "--watch", "--json"], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], HOME: folder.path, LANG: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let checks = 0;
    for await (const chunk of child.stdout) {
      checks += new TextDecoder().decode(chunk).split("\n").length - 1;
      if (checks >= 3) break;
      await Bun.write(join(agent, "agent.mdx"), `${AGENT}\n${code}\nChange ${checks}.\n`);
    }
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect((await child.stderr.text()).match(/were not checked/g)).toHaveLength(1);
  });

  test("checks types with the TypeScript beside it, and never runs a copy in the directory or a folder above", async () => {
    using folder = temporaryDirectory();
    const code = '<Tool name="t" description="T">\n\n```ts\nconst execute = (): string => 5;\n```\n\n</Tool>\n';
    const agent = await writeAgent(folder.path, { "agent.mdx": `${AGENT}\n${code}`, "skills/.keep": "" });
    const mark = join(folder.path, "ran");
    for (const place of [agent, folder.path]) await writeTrap(place, mark);
    const untrusted = await run(["check", "agent"], { folder: folder.path });
    await run(["trust", "agent", "--edits"], { folder: folder.path });
    const trusted = await run(["check", "agent"], { folder: folder.path });
    for (const result of [untrusted, trusted]) {
      expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("not checked") });
    }
    expect(existsSync(mark)).toBe(false);
    const modules = join(workshop.path, "node_modules");
    mkdirSync(join(modules, "@types"), { recursive: true });
    for (const name of ["typescript", "@types/bun"]) {
      symlinkSync(join(import.meta.dir, "../../node_modules", name), join(modules, name));
    }
    const beside = await run(["check", "agent"], { folder: folder.path });
    await rm(modules, { recursive: true });
    expect(beside).toMatchObject({
      exitCode: 2,
      stderr: "",
      stdout: expect.stringContaining("agent.mdx:10:31 error tool-types"),
    });
  });

  test("searches with the ripgrep beside it if there is no other, and without one", async () => {
    using folder = temporaryDirectory();
    await writeAgent(folder.path, { "agent.mdx": `---\nbuiltins: [grep]\n---\n\n${AGENT}`, "skills/.keep": "" });
    await Bun.write(join(folder.path, "letters.txt"), "a\né\n");
    // Letters of all languages are those of ripgrep alone.
    const found = async () => {
      const args = ["tool", "agent", "grep", "pattern=^\\w$", `path=${folder.path}`, "glob=*.txt", "--trust"];
      const { stdout, stderr } = await run(args, { folder: folder.path, environment: { PATH: "/nowhere" } });
      return `${stdout}${stderr}`.match(/^\d+: .*$/gm);
    };
    expect(await found()).toEqual(["1: a"]);
    const modules = join(workshop.path, "node_modules");
    mkdirSync(join(modules, "@vscode"), { recursive: true });
    const ripgrep = join(import.meta.dir, "../../packages/cli/node_modules/@vscode/ripgrep");
    symlinkSync(ripgrep, join(modules, "@vscode/ripgrep"));
    const beside = await found();
    await rm(modules, { recursive: true });
    expect(beside).toEqual(["1: a", "2: é"]);
  });

  test("finds memories by vectors with the sqlite-vec beside it, and says what to install without one", async () => {
    using folder = temporaryDirectory();
    using server = embeddingServer();
    await Bun.write(join(folder.path, "agent/agent.mdx"), `---\nmemory: {embeddings: ollama/tiny}\n---\n\n${AGENT}`);
    const environment = { ...server.environment, MDX_AI_SQLITE_VEC: "" };
    const memory = (...args: readonly string[]) =>
      run(["memory", "agent", ...args], { folder: folder.path, environment });
    expect((await memory("add", "The cello, since she was six.")).stderr).toContain("npm install --prefix");
    expect((await memory("search", "instrument")).stderr).toContain("Nothing was found.");
    const modules = join(workshop.path, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(import.meta.dir, "../../packages/cli/node_modules/sqlite-vec"), join(modules, "sqlite-vec"));
    const beside = await memory("search", "instrument");
    await rm(modules, { recursive: true });
    expect(beside).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining("The cello") });
  });

  test("runs the weather example, calling its tool", async () => {
    using folder = temporaryDirectory();
    const agent = join(folder.path, "weather");
    cpSync(WEATHER, agent, { recursive: true });
    const prompt = ["--trust", "--json", "--prompt", "Call get_weather city=Vienna"];
    const { stdout, exitCode } = await run(["agent", agent, ...prompt], { folder: folder.path });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_execution_end", isError: false }));
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
    expect(exitCode).toBe(0);
  });

  test("is not changed by .env and bunfig.toml of the current folder or the agent's, and runs nothing of them", async () => {
    using folder = temporaryDirectory();
    const traps = {
      ".env": "ANTHROPIC_API_KEY=from-env-file\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n",
      "bunfig.toml": 'preload = ["./preload.ts"]\n',
      "preload.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("preloaded", "");\n',
    };
    const agent = await writeAgent(folder.path, traps);
    for (const [path, text] of Object.entries(traps)) await Bun.write(join(folder.path, path), text);
    const { stderr, exitCode } = await run(["agent", agent, "--trust", "--prompt", "Hello"], { folder: folder.path });
    expect(stderr).toContain("No language model");
    expect(exitCode).toBe(0);
    expect([folder.path, agent].filter((path) => existsSync(join(path, "preloaded")))).toEqual([]);
  });

  test("loads modules in TypeScript that import from the agent's own node_modules", async () => {
    using folder = temporaryDirectory();
    const agent = await writeAgent(folder.path, {
      "modules/probe.ts": probeModule(
        'import { answer } from "probed";\nimport { half } from "./lib/half";',
        "half(answer)",
      ),
      "modules/lib/half.ts": "export const half = (value: number): number => value / 2;\n",
      "node_modules/probed/package.json": '{ "name": "probed", "exports": { ".": "./src/answer.ts" } }',
      "node_modules/probed/src/answer.ts": "export const answer: number = 84;\n",
      "script.jsonl": callScript("probe"),
    });
    const model = `script:${join(agent, "script.jsonl")}`;
    const { stdout } = await run(["agent", agent, "--trust", "--json", "--model", model, "--prompt", "Go"], {
      folder: folder.path,
    });
    const end = stdout.split("\n").find((line) => line.includes('"tool_execution_end"'));
    expect(JSON.parse(end ?? "{}")).toMatchObject({ isError: false, result: { content: [{ text: "42" }] } });
  });

  test("never installs a missing import of a module or a tool", async () => {
    using folder = temporaryDirectory();
    const asked: string[] = [];
    await using registry = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        asked.push(request.url);
        return new Response(null, { status: 404 });
      },
    });
    const tool = `<Tool name="probe" description="Probes">\n\n\`\`\`ts\nimport { far } from "not-installed-b";
async function execute() {\n  return String(far);\n}\n\`\`\`\n\n</Tool>\n`;
    const agent = await writeAgent(folder.path, {
      "agent.mdx": `${AGENT}\n${tool}`,
      "modules/far.ts": probeModule('import { far } from "not-installed-a";', "far"),
      "script.jsonl": callScript("probe"),
    });
    const address = registry.url.href;
    const model = `script:${join(agent, "script.jsonl")}`;
    const { stdout, exitCode } = await run(["agent", agent, "--trust", "--json", "--model", model, "--prompt", "Go"], {
      folder: folder.path,
      environment: { npm_config_registry: address, NPM_CONFIG_REGISTRY: address, BUN_CONFIG_REGISTRY: address },
    });
    expect(stdout).toContain("not-installed-b");
    expect({ asked, exitCode }).toEqual({ asked: [], exitCode: 0 });
    expect(existsSync(join(folder.path, "home/.bun"))).toBe(false);
  });
});
