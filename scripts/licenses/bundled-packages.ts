import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

/** A package of which a bundle contains code or data, and the licence that it is used under. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly license: string;
  /** The licence's text, and that of a NOTICE file. */
  readonly text: string;
}

/** A bundled package has no licence text, or a licence that is not permissive. */
class LicenseError extends Error {
  override readonly name = "LicenseError";
}

/** Licences that allow everyone to pass on the code within this program if the text comes along. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense", "Zlib"],
]);

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\W.*)?$/i;

/** The folders of the packages that the inputs of a bundle come from, sorted. Inputs are relative to `folder`. */
export function packageFolders(inputs: Iterable<string>, folder: string): readonly string[] {
  const found = new Set<string>();
  for (const input of inputs) {
    const [, path] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (path !== undefined) found.add(resolve(folder, path));
  }
  return [...found].sort();
}

/**
 * Reads what a package says about its licence. `texts` has licences of packages that publish none with their code, by name.
 * Rejects with `LicenseError`.
 */
export async function readPackage(folder: string, texts: ReadonlyMap<string, string>): Promise<BundledPackage> {
  const manifest: { name?: string; version?: string; license?: unknown; licenses?: readonly { type?: unknown }[] } =
    JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const name = manifest.name ?? basename(folder);
  const license = manifest.license ?? manifest.licenses?.[0]?.type;
  if (typeof license !== "string" || !PERMISSIVE.has(license)) {
    throw new LicenseError(`${name} is bundled, and its licence is not permissive: ${license ?? "none"}.`);
  }
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const parts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const text = (files.length > 0 ? parts.map((part) => part.trim()).join("\n\n") : texts.get(name)) ?? "";
  if (text === "") throw new LicenseError(`${name} is bundled, and its licence has no text.`);
  return { name, version: manifest.version ?? "", license, text };
}
