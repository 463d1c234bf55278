import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type PackedPackages, packPackages, succeed as succeedIn } from "../support/packed-packages.ts";
import { followPage, pageSteps } from "../support/page-run.ts";
import { requireProgram } from "../support/require-program.ts";
import { SLOW_PROSE } from "../support/slow-prose.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const AGENT = "# Agent: Plain\n\n## Purpose\n\nAnswer.\n";

const TYPED_TOOL = '<Tool name="t" description="T">\n\n```ts\nconst execute = (): string => 5;\n```\n\n</Tool>\n';

const COUNTING_TOOL = '<Tool name="count" description="Counts">\n\n```ts\nconst execute = () => "5";\n```\n\n</Tool>\n';

const AUTHORED_MODULE = `import type { AgentModule } from "mdx-ai";

export default {
  describe: () => ({ name: "clock", description: "Knows the time" }),
  initialize: async (context) => context.log(context.agentDir),
  tools: () => [{
    name: "now",
    description: "Tells the time",
    parameters: { type: "object", properties: {} },
    execute: async (_args, { signal }) => (signal.aborted ? "" : "noon"),
  }],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
} satisfies AgentModule;
`;

/** A module of the specification's form: its tools have arguments of any type. */
const SPECIFIED_MODULE = `import type { AgentModule, AgentTool } from "mdx-ai";

const greet: AgentTool<{ name: string }> = {
  name: "greet",
  description: "Greets",
  parameters: { type: "object", properties: { name: { type: "string" } } },
  execute: async ({ name }) => \`Hello \${name}\`,
};

export default {
  describe: () => ({ name: "greeter", description: "Greets" }),
  initialize: async () => {},
  tools: (): AgentTool<any>[] => [greet],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
} satisfies AgentModule;
`;

let packed: PackedPackages;

// Packing compiles the executable, and installing writes it: both take long on a busy machine.
setDefaultTimeout(300_000);

beforeAll(async () => {
  packed = await packPackages();
});

afterAll(() => packed[Symbol.asyncDispose]());

describe.skipIf(requireProgram("npm"))("the packed packages", () => {
  let user: TemporaryDirectory;
  let installed = "";

  beforeAll(async () => {
    user = temporaryDirectory();
    await Bun.write(join(user.path, "package.json"), '{ "private": true }');
    await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", ...packed.tarballs], user.path);
    installed = join(user.path, "node_modules/mdx-ai");
  });

  afterAll(() => user[Symbol.dispose]());

  /** Runs a command with a home folder of its own. */
  const succeed = (command: readonly string[], cwd: string, path?: string): Promise<string> =>
    succeedIn(command, { cwd, home: join(user.path, "home"), path });

  test("hold the licence of everything that they contain, and print it", async () => {
    const notices = await Bun.file(join(installed, "THIRD_PARTY_NOTICES")).text();
    expect(notices).toContain("\nzod ");
    const platform = join(user.path, `node_modules/@mdx-ai/${process.platform}-${process.arch}`);
    expect(await Bun.file(join(platform, "THIRD_PARTY_NOTICES")).text()).toBe(notices);
    const license = await Bun.file(join(platform, "LICENSE")).text();
    expect(await succeed(["npx", "mdx-ai", "licenses"], user.path)).toBe(`${license}\n${notices}`);
  });

  test.skipIf(requireProgram("node"))("say in one line under Node that the library needs Bun", async () => {
    await Bun.write(join(user.path, "node.mjs"), 'import { openDirectory } from "mdx-ai";\nopenDirectory(".");\n');
    const failure = await succeed(["node", "node.mjs"], user.path).catch(String);
    expect(failure).toContain('\nError: The library "mdx-ai" needs Bun (https://bun.com)');
  });

  test("can be bundled with a program that uses the library", async () => {
    await Bun.write(join(user.path, "plain/agent.mdx"), AGENT);
    await Bun.write(
      join(user.path, "reads.ts"),
      'import { readAgentDirectory } from "mdx-ai";\nconsole.log((await readAgentDirectory("plain")).definition.identity.name);\n',
    );
    await succeed([process.execPath, "build", "--target", "bun", "--outdir", "bundled", "reads.ts"], user.path);
    await rename(join(user.path, "node_modules"), join(user.path, "away"));
    try {
      expect(await succeed([process.execPath, "bundled/reads.js"], user.path)).toBe("Plain\n");
    } finally {
      await rename(join(user.path, "away"), join(user.path, "node_modules"));
    }
  });

  test("run as npx mdx-ai", async () => {
    const { version } = await Bun.file(join(installed, "package.json")).json();
    expect(await succeed(["npx", "mdx-ai", "--version"], user.path)).toBe(`${version}\n`);
  });

  test("run an agent", async () => {
    await Bun.write(join(user.path, "agent/agent.mdx"), AGENT);
    await Bun.write(join(user.path, "script.jsonl"), '{"text": "Good morning."}\n');
    const flags = ["--trust", "--model", "script:script.jsonl", "--prompt", "Hello"];
    expect(await succeed(["npx", "mdx-ai", "agent", "agent", ...flags], user.path)).toBe("Good morning.\n");
  });

  test("check types with the TypeScript that is installed with them", async () => {
    await Bun.write(join(user.path, "typed/agent.mdx"), `${AGENT}\n${TYPED_TOOL}`);
    await Bun.write(join(user.path, "typed/skills/.keep"), "");
    const modules = join(user.path, "node_modules");
    await mkdir(join(modules, "@types"), { recursive: true });
    for (const name of ["typescript", "@types/bun"]) {
      await rm(join(modules, name), { recursive: true, force: true });
      await symlink(join(packed.repository, "node_modules", name), join(modules, name));
    }
    await expect(succeed(["npx", "mdx-ai", "check", "typed"], user.path)).rejects.toThrow("10:31 error tool-types");
    const { optionalDependencies } = await Bun.file(
      join(modules, `@mdx-ai/${process.platform}-${process.arch}/package.json`),
    ).json();
    expect(Object.keys(optionalDependencies)).toEqual(["@types/bun", "typescript"]);
  });

  /** A folder with what the command may need of the system, where neither Node nor Bun is. */
  function bareFolder(): string {
    const folder = join(user.path, "bare");
    mkdirSync(folder, { recursive: true });
    for (const name of ["sh", "uname", "readlink"]) {
      const path = Bun.which(name);
      if (path !== null && Bun.which(name, { PATH: folder }) === null) symlinkSync(path, join(folder, name));
    }
    return folder;
  }

  test("are installed for a user by npm, with a manual page, and start without Node", async () => {
    const prefix = join(user.path, "npm");
    const flags = ["-g", "--prefix", prefix, "--offline", "--no-audit", "--no-fund"];
    await succeed(["npm", "install", ...flags, ...packed.tarballs], user.path);
    expect(await succeed([join(prefix, "bin/mdx-ai"), "--version"], user.path, bareFolder())).toMatch(/^\d/);
    expect(await Bun.file(join(prefix, "share/man/man1/mdx-ai.1")).text()).toContain(".SS mdx\\-ai sessions");
  });

  test("are installed for a user by Bun alone, and start without it", async () => {
    const bun = join(user.path, "bun-alone");
    mkdirSync(bun);
    symlinkSync(process.execPath, join(bun, "bun"));
    await succeed(["bun", "add", "-g", ...packed.tarballs], user.path, `${bun}:${bareFolder()}`);
    const command = join(user.path, "home/.bun/bin/mdx-ai");
    expect(await succeed([command, "--version"], user.path, bareFolder())).toMatch(/^\d/);
  });

  test("run on Bun if there is no executable for the machine", async () => {
    const alone = join(user.path, "alone");
    await Bun.write(join(alone, "package.json"), '{ "private": true }');
    await succeed(["npm", "install", "--omit=optional", "--offline", "--no-audit", "--no-fund", packed.command], alone);
    const bun = join(alone, "programs");
    mkdirSync(bun);
    symlinkSync(process.execPath, join(bun, "bun"));
    await Bun.write(join(alone, "agent/agent.mdx"), `${AGENT}\n${COUNTING_TOOL}`);
    const path = `${bun}:${process.env["PATH"]}`;
    const args = ["tool", "agent", "count", "--trust"];
    const command = join(alone, "node_modules/.bin/mdx-ai");
    expect(await succeed([command, ...args], alone, path)).toBe("5\n");
    await Bun.write(join(alone, "slow/agent.mdx"), `${AGENT}\n${SLOW_PROSE}\n`);
    await Bun.write(join(alone, "slow/skills/.keep"), "");
    // Patches of packages are part of what is published.
    expect(await succeed([command, "check", "slow"], alone, path)).toContain("No mistakes found.");
  });

  test("hold no sources, no tests and nothing that only this repository knows", async () => {
    const files = [...new Bun.Glob("**/*").scanSync(installed)];
    expect(
      files.filter(
        (file) => !/^(bin|lib|man|types)\/|^(package\.json|README\.md|LICENSE|THIRD_PARTY_NOTICES)$/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([]);
    const manifest = await Bun.file(join(installed, "package.json")).json();
    expect(JSON.stringify(manifest)).not.toContain("workspace:");
    expect(manifest.dependencies).toBeUndefined();
  });

  test("let authors write satisfies AgentModule", async () => {
    await Bun.write(join(user.path, "authored.ts"), AUTHORED_MODULE);
    await Bun.write(join(user.path, "broken.ts"), AUTHORED_MODULE.replace("describe:", "describes:"));
    const compiler = join(packed.repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--module", "preserve", "--lib", "esnext,dom", "--types", ""];
    const command = [process.execPath, compiler, ...flags, "authored.ts", "broken.ts"];
    const output = await succeed(command, user.path).catch(String);
    const mistakes = output.split("\n").filter((line) => line.includes(": error TS"));
    expect(mistakes).toEqual([expect.stringMatching(/^broken\.ts.*describes/)]);
  });
});

describe("the library, from the packed tarball in an empty project", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/library.md")).text();
  let project: TemporaryDirectory;

  beforeAll(async () => {
    project = temporaryDirectory();
    const modules = join(project.path, "node_modules");
    mkdirSync(modules);
    await succeedIn(["tar", "-xzf", packed.command], { cwd: modules, home: project.path });
    await rename(join(modules, "package"), join(modules, "mdx-ai"));
    mkdirSync(join(project.path, ".programs"));
    symlinkSync(process.execPath, join(project.path, ".programs/bun"));
  });

  afterAll(() => project[Symbol.dispose]());

  test("does what docs/library.md shows", async () => {
    await followPage(page, project.path);
    expect(pageSteps(page).filter(({ kind }) => kind === "other")).toEqual([]);
  });

  test("has types for every program of the page, and for a module of the specification's form", async () => {
    const files = pageSteps(page).flatMap((step) => (step.kind === "file" && step.path.endsWith(".ts") ? [step] : []));
    expect(files.length).toBeGreaterThan(3);
    for (const { path, text } of files) await Bun.write(join(project.path, path), text);
    await Bun.write(join(project.path, "module.ts"), SPECIFIED_MODULE);
    const compiler = join(packed.repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--module", "preserve", "--target", "esnext", "--skipLibCheck"];
    const types = ["--types", "bun", "--typeRoots", join(packed.repository, "node_modules/@types")];
    const paths = [...files.map(({ path }) => path), "module.ts"];
    await succeedIn([process.execPath, compiler, ...flags, ...types, ...paths], {
      cwd: project.path,
      home: project.path,
    });
  });
});
