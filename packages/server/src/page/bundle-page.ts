import { join } from "node:path";

const CLIENT = join(import.meta.dir, "client");

/** The code of the page, for a browser. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
  /** The files that it is made of, relative to the current folder. */
  readonly inputs: readonly string[];
}

/** Bundles the page. Rejects with the bundler's error. */
export async function bundlePage(): Promise<PageBundle> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [join(CLIENT, "main.tsx"), join(CLIENT, "style.css")],
    target: "browser",
    minify: true,
    metafile: true,
  });
  const textOf = async (type: string): Promise<string> =>
    (await outputs.find(({ path }) => path.endsWith(type))?.text()) ?? "";
  return { script: await textOf(".js"), style: await textOf(".css"), inputs: Object.keys(metafile?.inputs ?? {}) };
}
