import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ToolCall } from "@mdx-ai/models";
import type { PermissionSettings } from "@mdx-ai/parser";
import { COMMANDS } from "../support/cli/arguments.ts";
import { codeBlocks, codeSpans, tableRows } from "../support/markdown-text.ts";
import { bash, callOf, type PermissionBench, permissionBench, reading, writing } from "../support/permission-bench.ts";

const DOCS = join(import.meta.dir, "../../docs");
const page = await Bun.file(join(DOCS, "permissions.md")).text();

/** The rows of each table of calls, in order: the call, and its result. */
const tables = page
  .split(/^## /m)
  .map((section) => tableRows(section, "| call | result |"))
  .filter((rows) => rows.length > 0);

/** A call such as `read_file(~/a)`. */
function callOfPattern(bench: PermissionBench, text: string): ToolCall {
  const [, tool = "", subject = ""] = /^([\w.]+)\((.*)\)$/.exec(text) ?? [];
  const path = subject.replace(/^~/, bench.home);
  if (tool === "bash") return bash(subject);
  if (tool === "read_file") return reading(path);
  if (tool === "write_file") return writing(path);
  const [name = "", value = ""] = subject.split("=");
  return callOf(tool, { [name]: value });
}

/** What the page says, and what the rules say, of each call of a table. */
async function compared(
  rows: readonly (readonly string[])[],
  options: Parameters<PermissionBench["judge"]>[1],
): Promise<readonly (readonly [said: unknown, found: unknown])[]> {
  using bench = permissionBench();
  const compare = async ([call = "", said]: readonly string[]) => {
    const text = codeSpans(call)[0] ?? "";
    const found = await bench.judge(callOfPattern(bench, text), options);
    return [`${text}: ${said}`, `${text}: ${found.startsWith("not run") ? "deny" : found}`] as const;
  };
  return Promise.all(rows.map(compare));
}

function settingsOf(name: string): PermissionSettings {
  const block = codeBlocks(page, "yaml").find((text) => text.startsWith(`# ${name}\n`));
  const read: unknown = Bun.YAML.parse(block ?? "");
  const settings: { permissions: PermissionSettings } = Object.assign({ permissions: {} }, read);
  return settings.permissions;
}

describe("the page about permissions", () => {
  const said = [
    [
      "without a rule",
      { unenforcedLimits: async ({ name }) => (name === "fetch_page" ? 'network="none"' : undefined) },
    ],
    ["with the patterns of a user", { user: { settings: settingsOf("settings.yaml") } }],
    ["with what a directory wants", { settings: settingsOf("agent.mdx") }],
  ] satisfies readonly (readonly [string, Parameters<PermissionBench["judge"]>[1]])[];
  test.each(said.map(([what, options], index) => [what, options, index] as const))(
    "tells what calls come to %s",
    async (_what, options, index) => {
      const rows = tables[index] ?? [];
      expect(rows.length).toBeGreaterThan(3);
      for (const [told, found] of await compared(rows, options)) expect(found).toBe(told);
    },
  );

  test("shows what a model receives if there is no one to ask", async () => {
    using bench = permissionBench();
    expect(codeBlocks(page, "text")).toStrictEqual([`${await bench.run(bash("git status"))}\n`]);
  });

  test("names flags and pages that there are", () => {
    const options = COMMANDS.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
    const flags = codeBlocks(page, "sh").flatMap((text) => text.match(/--[\w-]+/g) ?? []);
    const named = [...flags, ...codeSpans(page).filter((text) => text.startsWith("--"))];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((flag) => !options.includes(/^--[\w-]+/.exec(flag)?.[0] ?? ""))).toStrictEqual([]);
    const links = [...page.matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, file = ""]) => file);
    expect(links.filter((file) => !existsSync(join(DOCS, file)))).toStrictEqual([]);
  });
});
