import { expect, test } from "bun:test";
import { join } from "node:path";
import { requireProgram } from "../../support/require-program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openTmux } from "../../support/tmux.ts";

interface Width {
  readonly counted: number;
  readonly shown: number;
}

test.skipIf(requireProgram("tmux"))("what is padded and wrapped has the width that the terminal gives it", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "widths.json");
  await using terminal = await openTmux({
    command: [process.execPath, join(import.meta.dir, "../../support/terminal-widths-process.ts"), file],
    cwd: folder.path,
    environment: { LC_ALL: "C.UTF-8" },
  });
  expect(await terminal.exitCode()).toBe(0);
  const { table, columns, wrapped }: Record<string, readonly Width[]> = await Bun.file(file).json();
  for (const widths of [table, columns, wrapped]) {
    expect(widths?.length).toBeGreaterThan(10);
    expect(widths?.map(({ shown }) => shown)).toEqual(widths?.map(({ counted }) => counted) ?? []);
  }
  // The borders of the table are below each other.
  expect(new Set(table?.map(({ shown }) => shown)).size).toBe(1);
  expect(new Set(columns?.map(({ shown }) => shown)).size).toBe(1);
  expect(Math.max(...(wrapped ?? []).map(({ shown }) => shown))).toBe(10);
});
