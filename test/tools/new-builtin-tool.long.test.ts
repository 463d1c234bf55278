import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptReference } from "../support/replies.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

/** A copy of the sources, which imports its own packages and the installed ones of others. */
function copySources(copy: string): void {
  for (const part of ["packages", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  const modules = join(copy, "node_modules");
  mkdirSync(join(modules, "@mdx-ai"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@mdx-ai") symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(ROOT, "node_modules/@mdx-ai")))
    symlinkSync(join(copy, "packages", name), join(modules, "@mdx-ai", name));
}

const TOOL = `import { join } from "node:path";
import { type BuiltinToolContext, textResult } from "@mdx-ai/loop";
import type { ListedTool } from "./listed-tool.ts";

export const stampTool = (): ListedTool => ({
  name: "stamp",
  effects: "writes",
  listing: { group: "coding", counterparts: ["seal"] },
  label: { kind: "write", verb: "stamp" },
  aliases: ["seal_file"],
  description: "Write a stamp.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  access: async ({ path }, { cwd }) => ({ kind: "write", path: join(cwd, String(path)) }),
  execute: async ({ path }, { cwd, keeper }: BuiltinToolContext) => {
    const file = join(cwd, String(path));
    const content = Buffer.from("stamped");
    await keeper?.keep({ path: file, existing: file, content });
    await Bun.write(file, content);
    return textResult("stamped " + path);
  },
});
`;

const run = async (copy: string, words: readonly string[], cwd = copy) => {
  const child = Bun.spawn([process.execPath, "--no-env-file", "--no-install", ...words], {
    ...{ cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    env: { PATH: process.env["PATH"], HOME: copy },
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
};

test("a new builtin tool is one file and its row in the table: rules, label, other names, imports and undo follow", async () => {
  using folder = temporaryDirectory();
  const copy = folder.path;
  copySources(copy);
  writeFileSync(join(copy, "packages/tools/src/stamp.ts"), TOOL);
  const table = join(copy, "packages/tools/src/builtin-tools.ts");
  const rows = readFileSync(table, "utf8");
  writeFileSync(
    table,
    `import { stampTool } from "./stamp.ts";\n${rows.replace("  todo: todoTool,\n", "  todo: todoTool,\n  stamp: stampTool,\n")}`,
  );
  expect(await run(copy, ["scripts/builtin-tools.ts"])).toMatchObject({ code: 0 });

  const agent = join(copy, "agent");
  mkdirSync(join(agent, "skills"), { recursive: true });
  const settings = 'builtins: [stamp]\npermissions: { write_file: ask, stamp: { allow: ["ok/**"] } }';
  writeFileSync(join(agent, "agent.mdx"), `---\n${settings}\n---\n\n# Agent: stamper\n\n## Purpose\n\nStamps.\n`);
  const call = (path: string) => ({ id: path, name: "seal_file", arguments: { path } });
  const model = scriptReference(copy, [{ calls: [call("ok/a.txt"), call("b.txt")] }, { text: "done" }]);
  const main = join(copy, "packages/cli/src/main.ts");
  const prompt = await run(copy, [main, "agent", agent, "--trust", "-m", model, "-p", "Stamp", "--session", "s"]);
  expect(prompt).toMatchObject({ code: 0, stdout: "done\n" });
  expect(prompt.stderr).toContain("→ stamp ok/a.txt");
  expect(readFileSync(join(agent, "ok/a.txt"), "utf8")).toBe("stamped");
  expect(readdirSync(agent)).not.toContain("b.txt");
  const rewind = await run(copy, [main, "sessions", agent, "rewind", "s", "--to", "0", "--files"]);
  expect(rewind.stdout).toContain("a.txt");
  expect(readdirSync(join(agent, "ok"))).toEqual([]);
});
