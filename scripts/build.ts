// `npm run build [-- --platform=linux-x64] [--outfile=FILE]`: makes the command one executable, by default dist/mdx-ai
// for this machine. The file's path is relative to the repository.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "./build-executable.ts";

const { values } = parseArgs({
  options: { platform: { type: "string" }, outfile: { type: "string", default: "dist/mdx-ai" } },
});
const outfile = resolve(import.meta.dir, "..", values.outfile);
await buildExecutable({ outfile, ...(values.platform === undefined ? {} : { platform: values.platform }) });
if (values.platform === "darwin-x64") {
  // Bun signs those for arm64 alone.
  console.error(`Its signature is invalid. Sign it on a Mac: codesign --force --sign - ${values.outfile}`);
}
console.log(`${outfile} (${Math.round(Bun.file(outfile).size / 2 ** 20)} MiB)`);
