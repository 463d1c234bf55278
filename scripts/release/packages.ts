import { join } from "node:path";

/**
 * Writes SHA256SUMS for the packages of a version in a folder. Returns their names in the order in which they are published: the
 * command depends on the packages of the platforms.
 */
export async function writeChecksums(folder: string, version: string): Promise<readonly string[]> {
  const command = `mdx-ai-${version}.tgz`;
  const found = [...new Bun.Glob(`*-${version}.tgz`).scanSync(folder)].toSorted();
  const packages = [...found.filter((name) => name !== command), ...found.filter((name) => name === command)];
  const lines = packages.map(async (name) => {
    const hash = new Bun.CryptoHasher("sha256").update(await Bun.file(join(folder, name)).arrayBuffer()).digest("hex");
    return `${hash}  ${name}\n`;
  });
  await Bun.write(join(folder, "SHA256SUMS"), (await Promise.all(lines)).join(""));
  return packages;
}

/** The commands that are left to the person who releases. */
export const lastStep = (version: string, packages: readonly string[]): string =>
  [
    "",
    "Everything is ready. The last step is yours:",
    "",
    `  git tag -a v${version} -m v${version} && git push origin v${version}`,
    ...packages.map((name) => `  npm publish --access public dist/${name}`),
  ].join("\n");
