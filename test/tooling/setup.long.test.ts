import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const PINNED = "1.4.5";

/** Stands in for Bun: tells a version, "installs", or tells how it was called and exits with 7. */
const fakeBun = (version: string): string => `#!/bin/sh
case "$1" in
  --version) echo ${version} ;;
  install) echo "fake install" >&2; mkdir -p node_modules ;;
  *) echo "$@"; exit 7 ;;
esac
`;

interface Clone {
  readonly path: string;
  /** A folder that comes first on PATH. */
  readonly bin: string;
}

/** The parts of a clone that setting up needs. */
async function freshClone(folder: string): Promise<Clone> {
  const path = join(folder, "clone");
  for (const part of ["scripts", "package.json", "bun.lock"])
    cpSync(join(ROOT, part), join(path, part), { recursive: true });
  mkdirSync(join(path, "packages"));
  return { path, bin: join(folder, "bin") };
}

async function writeProgram(path: string, text: string): Promise<void> {
  await Bun.write(path, text);
  chmodSync(path, 0o755);
}

async function runBun({ path, bin }: Clone, environment: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(["node", join(path, "scripts/bun.mjs"), "file.ts", "two words"], {
    cwd: path,
    env: { PATH: `${bin}:${pathWithoutBun()}`, HOME: bin, npm_config_fetch_retries: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

function pathWithoutBun(): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.filter((folder) => !existsSync(join(folder, "bun"))).join(":");
}

/** A package registry on loopback that holds `bun` with one platform package for this machine. */
async function serveRegistry(folder: string, version: string) {
  const platform = `@oven/bun-${process.platform}-${process.arch}`;
  const packages: Record<string, object> = {
    bun: { scripts: { postinstall: "exit 1" }, optionalDependencies: { [platform]: PINNED } },
    [platform]: { os: [process.platform], cpu: [process.arch] },
  };
  for (const [name, manifest] of Object.entries(packages)) {
    const source = join(folder, "registry", name);
    await Bun.write(join(source, "package/package.json"), JSON.stringify({ name, version: PINNED, ...manifest }));
    await writeProgram(join(source, "package/bin/bun"), fakeBun(name === "bun" ? "no Bun at all" : version));
    await Bun.spawn(["tar", "-czf", "package.tgz", "package"], { cwd: source }).exited;
  }
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      if (path.endsWith(".tgz")) return new Response(Bun.file(join(folder, "registry", path)));
      const dist = { tarball: new URL(`/${path}/package.tgz`, request.url).href };
      const versions = { [PINNED]: { name: path, version: PINNED, dist, ...packages[path] } };
      return Response.json({ name: path, "dist-tags": { latest: PINNED }, versions });
    },
  });
}

const CALLED = "--no-env-file --no-install file.ts two words\n";

describe.skipIf(requireProgram("node"))("scripts/bun.mjs", () => {
  test.each([PINNED, "1.4.6", "1.10.0"])(
    "runs a Bun %s that is on PATH and hands its exit code on",
    async (version) => {
      using folder = temporaryDirectory();
      const clone = await freshClone(folder.path);
      await writeProgram(join(clone.bin, "bun"), fakeBun(version));
      const first = await runBun(clone);
      expect(first).toMatchObject({ stdout: CALLED, exitCode: 7 });
      expect(first.stderr).toContain("fake install");
      expect(existsSync(join(clone.path, ".bun"))).toBe(false);
    },
  );

  test("installs packages once, and again when bun.lock changes", async () => {
    using folder = temporaryDirectory();
    const clone = await freshClone(folder.path);
    await writeProgram(join(clone.bin, "bun"), fakeBun(PINNED));
    await runBun(clone);
    expect((await runBun(clone)).stderr).toBe("");
    await Bun.write(join(clone.path, "bun.lock"), "changed");
    expect((await runBun(clone)).stderr).toContain("fake install");
  });
});

describe.skipIf(requireProgram("node") || requireProgram("npm"))("without a Bun that serves, scripts/bun.mjs", () => {
  test.each(["1.4.4", "2.0.0", "not a version"])("passes a Bun %s by and fetches its own", async (version) => {
    using folder = temporaryDirectory();
    const clone = await freshClone(folder.path);
    await writeProgram(join(clone.bin, "bun"), fakeBun(version));
    await using registry = await serveRegistry(folder.path, PINNED);
    const { stdout, stderr, exitCode } = await runBun(clone, { npm_config_registry: registry.url.href });
    expect({ stdout, exitCode }).toEqual({ stdout: CALLED, exitCode: 7 });
    expect(stderr).toContain(`installing Bun ${PINNED}`);
    expect(readdirSync(join(clone.path, ".bun"), { recursive: true }).sort()).toEqual([PINNED, `${PINNED}/bun`]);
  });

  test("says so when the registry has no Bun that runs here", async () => {
    using folder = temporaryDirectory();
    const clone = await freshClone(folder.path);
    await using registry = await serveRegistry(folder.path, "1.0.0");
    const { stderr, exitCode } = await runBun(clone, { npm_config_registry: registry.url.href });
    expect(stderr).toContain(`there is no Bun ${PINNED} for`);
    expect(exitCode).toBe(1);
    expect(readdirSync(join(clone.path, ".bun"))).toEqual([]);
  });

  test("says so when the registry is out of reach", async () => {
    using folder = temporaryDirectory();
    const clone = await freshClone(folder.path);
    const { stderr, exitCode } = await runBun(clone, { npm_config_registry: "http://127.0.0.1:9/" });
    expect(stderr).toContain("Is the package registry within reach?");
    expect(exitCode).toBe(1);
  });
});
