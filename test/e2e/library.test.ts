import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { followPage, pageSteps } from "../support/page-run.ts";
import { copyRepository } from "../support/repository-copy.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/library.md")).text();

/** What the issue of a specification writes: a module whose tools have arguments of any type. */
const MODULE = `import type { AgentModule, AgentTool } from "mdx-ai";

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

describe("the library, from the packed tarball in an empty project", () => {
  let repository = "";
  let project: TemporaryDirectory;

  beforeAll(async () => {
    repository = await copyRepository();
    await succeed([process.execPath, "pm", "pack", "--destination", repository], join(repository, "packages/cli"));
    project = temporaryDirectory();
    const tarball = readdirSync(repository).find((name) => name.endsWith(".tgz")) ?? "";
    await succeed(["tar", "-xzf", join(repository, tarball)], project.path);
    mkdirSync(join(project.path, "node_modules"));
    await succeed(["mv", "package", "node_modules/mdx-ai"], project.path);
    mkdirSync(join(project.path, ".programs"));
    symlinkSync(process.execPath, join(project.path, ".programs/bun"));
  });

  afterAll(async () => {
    await rm(repository, { recursive: true, force: true });
    project[Symbol.dispose]();
  });

  async function succeed(command: readonly string[], cwd: string): Promise<string> {
    const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${output}${errors}`);
    return output;
  }

  test("does what docs/library.md shows", async () => {
    await followPage(page, project.path);
    expect(pageSteps(page).filter(({ kind }) => kind === "other")).toEqual([]);
  });

  test("has types for every program of the page, and for a module of the specification's form", async () => {
    const files = pageSteps(page).flatMap((step) => (step.kind === "file" && step.path.endsWith(".ts") ? [step] : []));
    expect(files.length).toBeGreaterThan(5);
    for (const { path, text } of files) await Bun.write(join(project.path, path), text);
    await Bun.write(join(project.path, "module.ts"), MODULE);
    const compiler = join(repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--module", "preserve", "--target", "esnext", "--skipLibCheck"];
    const types = ["--types", "bun", "--typeRoots", join(repository, "node_modules/@types")];
    const paths = [...files.map(({ path }) => path), "module.ts"];
    await succeed([process.execPath, compiler, ...flags, ...types, ...paths], project.path);
  });
});
