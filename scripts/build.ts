// `npm run build [-- --platform=linux-x64] [--outfile=FILE]`: makes the command one executable, by default dist/mdx-ai
// for this machine. The file's path is relative to the repository. If `MDX_AI_BUILT_EXECUTABLE` names an executable, this
// one is copied instead: `npm run pack -- --executable=FILE` sets it.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable, copyExecutable } from "./build-executable.ts";

const { values } = parseArgs({
  options: { platform: { type: "string" }, outfile: { type: "string", default: "dist/mdx-ai" } },
});
const platform = values.platform === undefined ? {} : { platform: values.platform };
const outfile = resolve(import.meta.dir, "..", values.outfile);
const built = process.env["MDX_AI_BUILT_EXECUTABLE"];
if (built !== undefined) await copyExecutable(built, { outfile, ...platform });
else await buildExecutable({ outfile, ...platform });
if (values.platform === "darwin-x64") {
  // Bun signs those for arm64 alone.
  console.error(`Its signature is invalid. Sign it on a Mac: codesign --force --sign - ${values.outfile}`);
}
console.log(`${outfile} (${Math.round(Bun.file(outfile).size / 2 ** 20)} MiB)`);
