import { bundleInputs } from "../build-library.ts";
import { type BundledPackage, packageFolders, readPackage } from "./bundled-packages.ts";
import { UNPUBLISHED_TEXTS } from "./unpublished-texts.ts";

const HEADING = `THIRD-PARTY NOTICES

mdx-ai contains code of the packages below, each under the licence that follows its name. Packages with the same text
are listed together. The lists of models and prices come from @earendil-works/pi-ai.

The executable also contains Bun ${Bun.version}, which is MIT-licensed and includes JavaScriptCore and TinyCC under the LGPL and other
libraries under their own licences: https://github.com/oven-sh/bun/blob/bun-v${Bun.version}/LICENSE.md lists them, and says how
to build Bun with another JavaScriptCore. The npm package "mdx-ai" contains none of it.
`;

/** Its data is in the price table; see scripts/prices.ts. */
const PRICES: BundledPackage = {
  ...{ name: "@earendil-works/pi-ai", version: "data", license: "MIT" },
  text: UNPUBLISHED_TEXTS.get("@earendil-works/pi-ai") ?? "",
};

/** The packages that the library and the executable contain, by name. Rejects with `LicenseError`. */
export async function bundledPackages(): Promise<readonly BundledPackage[]> {
  const folders = packageFolders(await bundleInputs(), process.cwd());
  const packages = await Promise.all(folders.map((folder) => readPackage(folder, UNPUBLISHED_TEXTS)));
  return [...packages, PRICES].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file THIRD_PARTY_NOTICES: each text once, below the packages that it is for. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ license, text }) => `${license}\0${text}`);
  const sections = [...byText.values()].map((group) => {
    const names = group.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${"-".repeat(80)}\n${names.join("\n")}\n\n${group[0]?.text ?? ""}\n`;
  });
  return [HEADING, ...sections].join("\n");
}

/** What THIRD_PARTY_NOTICES of this build contains. Rejects with `LicenseError`, or with the bundler's error. */
export const thirdPartyNotices = async (): Promise<string> => noticesText(await bundledPackages());
