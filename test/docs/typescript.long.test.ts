import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { COMMANDS } from "../support/cli/arguments.ts";
import { codeBlocks, codeSpans } from "../support/markdown-text.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/typescript.md")).text();
const [agent = ""] = codeBlocks(page, "mdx");
const source = codeBlocks(page, "ts").find((block) => block.includes("agent.d.ts")) ?? "";

describe("docs/typescript.md", () => {
  test("shows an agent without a mistake, and a source that its agent.d.ts has the types for", async () => {
    using home = temporaryDirectory();
    const tool = '\n<Tool name="copy" description="C" src="./copy.ts">\n<Param name="to" description="T" />\n</Tool>\n';
    writeFiles(home.path, { "trips/agent.mdx": agent + tool, "trips/copy.ts": source.replace("FindTripParams }", "") });
    await runCommandLine(["types", "trips"], { home: home.path });
    const { stdout } = await runCommandLine(["check", "trips"], { home: home.path });
    // The page's source is that of another tool than `copy`: all of its parameters are more than this one takes.
    expect(stdout).not.toContain("tool-types");
    expect(stdout.match(/^\S+ error .*/gm)?.every((line) => line.includes("copy.ts"))).toBe(true);
  });

  test("names the types that each tag has: the agent shown fits, and no other type does", async () => {
    using home = temporaryDirectory();
    const drifting = ["to: number", "days: number", 'class: "first"', "notes: string", "stops: { town: number }[]"];
    for (const [index, member] of drifting.entries()) {
      const name = member.slice(0, member.indexOf(":"));
      const changed = agent.replace(new RegExp(`^ {2}${name}\\??: .*;$`, "m"), `  ${member};`);
      writeFiles(home.path, { [`drift-${index}/agent.mdx`]: changed });
    }
    writeFiles(home.path, { "fine/agent.mdx": agent });
    const rules = async (directory: string): Promise<readonly string[]> => {
      const { stdout } = await runCommandLine(["check", directory], { home: home.path });
      return [...new Set(Array.from(stdout.matchAll(/ error (\S+)/g), ([, rule = ""]) => rule))];
    };
    expect(await rules("fine")).toStrictEqual([]);
    for (const index of drifting.keys()) expect(await rules(`drift-${index}`)).toContain("tool-execute-type");
  });

  test("lists the existing rules", () => {
    const rules = ["tool-types", "module-types", "prose-types", "tool-execute-type"];
    for (const rule of rules) expect(page).toContain(`- \`${rule}\`: `);
  });

  test("lists every flag of check and types", () => {
    const flags = COMMANDS.filter(({ name }) => name === "check" || name === "types").flatMap(({ options }) => options);
    const told = codeSpans(page).flatMap((text) => text.match(/--[a-z-]+/g) ?? []);
    for (const { name } of flags) expect(told).toContain(`--${name}`);
  });
});
