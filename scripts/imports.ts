// `npm run imports`: checks that imports between packages and folders run one way, without cycles.
import { join } from "node:path";
import { checkImports } from "./imports/check-imports.ts";

const { files, imports, complaints } = checkImports(join(import.meta.dir, ".."));

for (const complaint of complaints) console.error(complaint);
console.log(`${imports} imports of ${files} files, ${complaints.length} against the rules`);
process.exitCode = complaints.length === 0 && imports > 0 ? 0 : 1;
