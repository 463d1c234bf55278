// Before the command's package is packed: the type declarations for authors of modules, and what every package holds.
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDeclarations } from "./declarations.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = join(ROOT, "packages/cli");

await rm(join(PACKAGE, "types"), { recursive: true, force: true });
await writeDeclarations(join(PACKAGE, "src/index.ts"), join(PACKAGE, "types"));
for (const file of ["README.md", "LICENSE"]) await copyFile(join(ROOT, file), join(PACKAGE, file));
