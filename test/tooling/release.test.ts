import { expect, test } from "bun:test";
import { join } from "node:path";
import { lastStep, writeChecksums } from "../../scripts/release/packages.ts";
import { setVersion, versionProblems } from "../../scripts/release/versions.ts";
import { writeFiles } from "../support/agent-files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("this repository says one version everywhere, also in its changes", async () => {
  expect(await versionProblems(join(import.meta.dir, "../.."))).toStrictEqual([]);
});

test("another version is reported where it is said, and set everywhere", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "package.json": '{\n  "version": "1.0.0"\n}\n',
    "packages/cli/package.json":
      '{\n  "version": "1.0.0",\n  "d": {\n    "@mdx-ai/linux-x64": "0.9.0",\n    "zod": "4.0.0"\n  }\n}\n',
    "platforms/linux-x64/package.json": '{\n  "version": "0.9.0"\n}\n',
    "CHANGELOG.md": "# Changes\n\n## 1.1.0\n",
  });
  expect(await versionProblems(home.path)).toStrictEqual([
    'packages/cli/package.json: "@mdx-ai/linux-x64" is 0.9.0, not 1.0.0',
    'platforms/linux-x64/package.json: "version" is 0.9.0, not 1.0.0',
    'CHANGELOG.md: no heading "## 1.0.0"',
  ]);
  await setVersion(home.path, "1.1.0");
  expect(await versionProblems(home.path)).toStrictEqual([]);
  expect(await Bun.file(join(home.path, "packages/cli/package.json")).text()).toContain('"zod": "4.0.0"');
  expect(setVersion(home.path, "next")).rejects.toThrow("next is not a version such as 1.2.3");
});

test("the packages of platforms are published before the command, which depends on them", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "mdx-ai-1.0.0.tgz": "a", "mdx-ai-linux-x64-1.0.0.tgz": "b", "mdx-ai-0.9.0.tgz": "old" });
  const packages = await writeChecksums(home.path, "1.0.0");
  expect(packages).toStrictEqual(["mdx-ai-linux-x64-1.0.0.tgz", "mdx-ai-1.0.0.tgz"]);
  expect(lastStep("1.0.0", packages).split("\n").slice(-3)).toStrictEqual([
    "  git tag -a v1.0.0 -m v1.0.0 && git push origin v1.0.0",
    "  npm publish --access public dist/mdx-ai-linux-x64-1.0.0.tgz",
    "  npm publish --access public dist/mdx-ai-1.0.0.tgz",
  ]);
  const sums = Bun.spawnSync(["sha256sum", "--check", "SHA256SUMS"], { cwd: home.path });
  expect(sums.stdout.toString()).toBe("mdx-ai-linux-x64-1.0.0.tgz: OK\nmdx-ai-1.0.0.tgz: OK\n");
});
