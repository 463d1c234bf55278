import { expect, test } from "bun:test";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

/** Exchanges two folders for links that lead out, and back, until it is ended. */
const SWAPPING = `
import ctypes, os
libc = ctypes.CDLL(None)
open("begun", "w").close()
while not os.path.exists("end"):
    for name in (b"data", b"out"):
        libc.renameat2(-100, name, -100, name + b".link", 2)
`;

/** Tells what the tool sees, and writes. */
const looking = (name: string): string => `const { readdirSync, writeFileSync } = require("node:fs");
  const seen = (() => { try { return readdirSync("data").join(); } catch { return ""; } })();
  try { writeFileSync("out/${name}", "hostile"); } catch {}
  return "sees " + seen;`;

test.skipIf(requireProgram("bwrap") || requireProgram("python3"))(
  "a shell that puts links in the place of a tool's files while that is started leads it nowhere else",
  async () => {
    await using bench = openSandboxBench({ files: { "data/mine": "", "out/mine": "", "swap.py": SWAPPING } });
    for (const [link, place] of [
      ["data.link", ".ssh"],
      ["out.link", "victim"],
    ] as const) {
      writeText(join(bench.home, place, "key"), "secret");
      symlinkSync(join(bench.home, place), join(bench.directory, link));
    }
    const swapping = bench.bash("python3 swap.py", 60);
    await untilExists(join(bench.directory, "begun"));
    const seen = new Set<string>();
    const files = { read: ["data/**"], write: ["out/**"] };
    for (let number = 0; number < 25; number += 1) seen.add((await bench.tool(looking(`${number}`), { files })).text);
    writeFileSync(join(bench.directory, "end"), "");
    await swapping;
    expect([...seen]).not.toContain("sees key");
    expect(readdirSync(join(bench.home, "victim"))).toStrictEqual(["key"]);
  },
);
