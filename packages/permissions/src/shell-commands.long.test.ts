import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { bash, permissionBench } from "../../../test/support/permission-bench.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";

describe("a text for the shell", () => {
  /** Signs that a shell heeds, and such as it does not. */
  const piece = fc.oneof(
    fc.constantFrom(..."echo;echo ;\n;&;&&;|;||;(;);{;};<;>;$;`;';\";\\;#;!;*;?;[;];~;=;\t; ;  ".split(";"), ";"),
    fc.constantFrom(
      "a",
      "b",
      "echo x",
      "evil",
      "$(evil)",
      "`evil`",
      "$'",
      '$"',
      "<<",
      "2>&1",
      " 2>&1 ",
      " >/dev/null",
      " &>/dev/null",
      " </dev/null ",
      "\r",
      "ü",
      "\\\n",
      "if",
      "then",
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => `echo ${pieces.join("")}`);

  test("never runs but what was allowed: bash itself runs nothing else of 400 texts", async () => {
    using bench = permissionBench();
    using folder = temporaryDirectory();
    const gate = bench.gate(bench.open({ user: { allow: ["bash(echo *)"] } }));
    mkdirSync(join(folder.path, "work"));
    const strangers: string[] = [];
    let allowed = 0;
    for (const command of fc.sample(text, { numRuns: 2500, seed: 7 })) {
      if ((await gate.rule(bash(command)))?.action !== "allow") continue;
      allowed += 1;
      if (allowed > 400) break;
      const reported = runAlone(command, join(folder.path, "work"));
      if (reported !== "") strangers.push(`${JSON.stringify(command)}: ${reported}`);
    }
    expect(strangers).toStrictEqual([]);
    expect(readdirSync(join(folder.path, "work"))).toStrictEqual([]);
    expect(allowed).toBeGreaterThan(100);
  });
});

/** Runs a text where no program is found; gives what bash complains of, but for what it cannot parse and so does not run. */
function runAlone(command: string, cwd: string): string {
  const shell = Bun.spawnSync(["/bin/bash", "-c", "--", command], { cwd, env: { PATH: "/nowhere" }, stdin: "ignore" });
  const lines = shell.stderr.toString().split("\n");
  return lines.filter((line) => /not found|No such file|denied/i.test(line)).join("\n");
}
