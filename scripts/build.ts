// `npm run build [-- --platform=linux-x64] [--outfile=FILE]`: makes the command one executable, by default dist/mdx-ai
// for this machine. The file's path is relative to the repository.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable, unsignedNote } from "./build-executable.ts";

const { values } = parseArgs({
  options: { platform: { type: "string" }, outfile: { type: "string", default: "dist/mdx-ai" } },
});
const platform = values.platform === undefined ? {} : { platform: values.platform };
const outfile = resolve(import.meta.dir, "..", values.outfile);
await buildExecutable({ outfile, ...platform });
if (values.platform === "darwin-x64") console.error(unsignedNote(outfile));
console.log(`${outfile} (${Math.round(Bun.file(outfile).size / 2 ** 20)} MiB)`);
