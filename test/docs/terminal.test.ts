import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../../packages/cli/src/arguments/command-table.ts";
import { isCommand, nameOf } from "../../packages/cli/src/terminal/command-text.ts";
import { slashCommands } from "../../packages/cli/src/terminal/slash-command-table.ts";
import { codeSpans } from "../support/markdown-text.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/terminal.md")).text();

describe("the page on the terminal", () => {
  test("names all commands of the conversation, and no other", () => {
    const shown = new Set(codeSpans(page).flatMap((text) => (isCommand(text, []) ? nameOf(text) : [])));
    const all = ["/", "/skill:NAME", ...slashCommands.map(({ name }) => name)];
    expect([...shown].toSorted()).toStrictEqual(all.toSorted());
  });

  test("names flags that there are", () => {
    const flags = codeSpans(page).flatMap((text) => (text.startsWith("--") ? (text.split(" ")[0] ?? "") : []));
    const options = COMMANDS.flatMap((command) => command.options.map(({ name }) => `--${name}`));
    expect(flags.length).toBeGreaterThan(3);
    expect(flags.filter((flag) => ![...options, "--debug"].includes(flag))).toStrictEqual([]);
  });
});
