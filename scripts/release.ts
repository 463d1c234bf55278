// `npm run release`: does every step of a release but the last, and prints that one; see docs/releasing.md. The first step that
// fails ends it.
//   --set VERSION   writes the version everywhere, and does nothing else
//   --draft         tries the steps: a dirty tree, an existing tag and the placeholder in SECURITY.md pass
//   --no-tests      for a commit that was tested already
//   PLATFORM …      packs only these platforms; default: all four
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lastStep, writeChecksums } from "./release/packages.ts";
import { PLATFORMS, setVersion, versionProblems } from "./release/versions.ts";
import { publicationObstacle } from "./report-address.ts";

const ROOT = join(import.meta.dir, "..");
const CHECKS = ["typecheck", "lint", "imports", "deadcode"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: "string" },
    draft: { type: "boolean", default: false },
    tests: { type: "boolean", default: true },
  },
  allowNegative: true,
});

if (values.set === undefined) await release(positionals.length > 0 ? positionals : PLATFORMS);
else await setVersion(ROOT, values.set);

async function release(platforms: readonly string[]): Promise<void> {
  const { version } = await Bun.file(join(ROOT, "package.json")).json();
  const obstacles = [...(await versionProblems(ROOT)), ...(values.draft ? [] : await publishingObstacles(version))];
  if (obstacles.length > 0) return stop(obstacles.join("\n"));
  const tests = values.tests ? [["run", "test:all"]] : [];
  const flags = values.draft ? ["--draft"] : [];
  const commands = [...CHECKS.map((name) => ["run", name]), ...tests, ["run", "pack", "--", ...flags, ...platforms]];
  for (const command of commands) if (!ran("npm", ...command)) return stop(`npm ${command.join(" ")} failed`);
  const packages = await writeChecksums(join(ROOT, "dist"), version);
  console.log(lastStep(version, packages));
}

/** What keeps this commit from being published. */
async function publishingObstacles(version: string): Promise<readonly string[]> {
  const address = await publicationObstacle();
  return [
    ...(address === undefined ? [] : [address]),
    ...(output("git", "status", "--porcelain") === "" ? [] : ["The tree has changes: commit them."]),
    ...(output("git", "tag", "--list", `v${version}`) === ""
      ? []
      : [`The tag v${version} exists: --set another version.`]),
  ];
}

function ran(...command: readonly string[]): boolean {
  console.error(`→ ${command.join(" ")}`);
  return Bun.spawnSync([...command], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] }).success;
}

function output(...command: readonly string[]): string {
  return Bun.spawnSync([...command], { cwd: ROOT })
    .stdout.toString()
    .trim();
}

function stop(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}
