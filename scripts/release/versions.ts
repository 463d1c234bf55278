import { join } from "node:path";

export const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;

/** A version without a range, such as 1.2.3 or 1.2.3-rc.1. */
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
/** The line of a manifest with its own version, or with that of a platform's package. */
const VERSION_LINE = /^( {2}"version"| {4}"@mdx-ai\/(?:linux|darwin)-\w+"): "([^"]*)"/gm;

const manifestsOf = (root: string): readonly string[] =>
  ["package.json", ...new Bun.Glob("{packages,platforms}/*/package.json").scanSync(root)].toSorted();

/** Where the version of the root's manifest is not said: in another manifest, or as a heading of CHANGELOG.md. */
export async function versionProblems(root: string): Promise<readonly string[]> {
  const { version } = await Bun.file(join(root, "package.json")).json();
  const others = await Promise.all(
    manifestsOf(root).map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      const wrong = [...text.matchAll(VERSION_LINE)].filter(([, , said]) => said !== version);
      return wrong.map(([, key = "", said]) => `${path}: ${key.trim()} is ${said}, not ${version}`);
    }),
  );
  const changes = await Bun.file(join(root, "CHANGELOG.md")).text();
  const missing = changes.includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md: no heading "## ${version}"`];
  return [...others.flat(), ...missing];
}

/** Writes a version into all manifests; rejects if it is none. */
export async function setVersion(root: string, version: string): Promise<void> {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 1.2.3`);
  for (const path of manifestsOf(root)) {
    const file = Bun.file(join(root, path));
    await Bun.write(file, (await file.text()).replace(VERSION_LINE, `$1: "${version}"`));
  }
}
