import type { PageBundle } from "./bundle-page.ts";

/** The code of the page, bundled from its sources; a build replaces this file with the result. Rejects with the bundler's error. */
export async function pageBundle(): Promise<PageBundle> {
  const { bundlePage } = await import("./bundle-page.ts");
  return bundlePage();
}
