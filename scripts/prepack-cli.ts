// Before the command's package is packed: the library, its type declarations, and what every package contains.
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildLibrary } from "./build-library.ts";
import { writeDeclarations } from "./declarations.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = join(ROOT, "packages/cli");

await buildLibrary(join(PACKAGE, "lib"));
await rm(join(PACKAGE, "types"), { recursive: true, force: true });
await writeDeclarations(join(PACKAGE, "src/index.ts"), join(PACKAGE, "types"));
for (const file of ["README.md", "LICENSE"]) await copyFile(join(ROOT, file), join(PACKAGE, file));
