import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { processFrontEnd } from "../front-end.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { pathProblem } from "../sources/file-names.ts";
import { fetchSource, hashTree, parseSource } from "../sources/index.ts";
import { safeFiles } from "../sources/package-files.ts";
import { readArchive } from "../sources/read-archive.ts";
import { type AgentPackage, readAgentPackage } from "./agent-package.ts";
import { packAgent, writePackage } from "./pack-agent.ts";

const name = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    fc.constantFrom("a".repeat(200), "\u00fc".repeat(90), "agent.mdx", "Skills", "package.json", "x y", "-", "ı", "ß"),
  )
  .filter((one) => !/[/\\]/.test(one) && pathProblem(one) === undefined);

const paths = fc
  .uniqueArray(
    fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/")),
    { maxLength: 8 },
  )
  .filter((all) => {
    try {
      safeFiles([...all, "agent.mdx"].map((path) => ({ type: "file", path, bytes: Buffer.of(), isExecutable: false })));
      return true;
    } catch {
      return false;
    }
  });

const contents = fc.tuple(fc.uint8Array({ maxLength: 2000 }), fc.boolean());

const named = { name: "@acme/random", version: "1.0.0" };

/** The agent of a directory, whatever it says: packing reads no more of it. */
async function packageAt(path: string): Promise<AgentPackage> {
  return await readAgentPackage(await readDirectory(path, processFrontEnd()));
}

const CASES = randomCases(40);

test(
  "random agents are the same after each format, byte by byte",
  async () => {
    await fc.assert(
      fc.asyncProperty(paths, fc.array(contents, { minLength: 8, maxLength: 8 }), async (all, parts) => {
        using home = temporaryDirectory();
        const folder = join(home.path, "agent");
        for (const [index, path] of all.entries()) {
          const [bytes = Buffer.of(), isExecutable = false] = parts[index] ?? [];
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), bytes, { mode: isExecutable ? 0o755 : 0o644 });
        }
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "agent.mdx"), "# Agent: Random\n");
        const agent = await packageAt(folder);
        expect(agent.hash).toBe(await hashTree(folder));
        for (const format of ["tgz", "npm", "plugin"] as const) {
          const packed = await packAgent(agent, format, { named, program: "0.1.0" });
          const output = join(home.path, format === "plugin" ? "plugin" : `${format}.tgz`);
          await writePackage(output, packed);
          const fetched = await fetchSource(parseSource(output, home.path), {
            ...{ into: join(home.path, "fetched", format), environment: {}, signal: new AbortController().signal },
          });
          expect(fetched.hash).toBe(agent.hash);
          expect((await packageAt(fetched.folder)).files).toEqual(agent.files);
        }
      }),
      CASES,
    );
  },
  20_000 + CASES.numRuns * 1_000,
);

test("random bytes are no archive, and random changes of one are noticed or change nothing", async () => {
  using home = temporaryDirectory();
  writeFileSync(join(home.path, "agent.mdx"), "# Agent: Random\n");
  const agent = await packageAt(home.path);
  const packed = await packAgent(agent, "tgz", { named, program: "0.1.0" });
  const good = packed.type === "file" ? packed.bytes : Buffer.of();
  const whole = await readArchive(good);
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (index, change) => {
      const bad = Buffer.from(good);
      bad[index] = (bad[index] ?? 0) ^ change;
      const read = await readArchive(bad).catch((error: unknown) => error);
      // The compression has bits that mean nothing: fields of its header, and those that fill up its last byte.
      if (Array.isArray(read)) expect(read).toEqual([...whole]);
      else expect(read).toMatchObject({ name: "DirectoryError", problem: "source" });
    }),
    randomCases(200),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      const read = await readArchive(bytes).catch((error: unknown) => error);
      if (!Array.isArray(read)) expect(read).toMatchObject({ name: "DirectoryError", problem: "source" });
    }),
    randomCases(200),
  );
});
