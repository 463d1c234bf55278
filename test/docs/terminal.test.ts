import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../support/cli/arguments.ts";
import { isCommand, nameOf, slashCommands } from "../support/cli/terminal.ts";
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
