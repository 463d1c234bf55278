// Before the command's package is packed: writes the library, its type declarations, the manual page, and the common files of all packages.
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../packages/cli/package.json" with { type: "json" };
import { buildLibrary } from "./build-library.ts";
import { writeDeclarations } from "./declarations.ts";
import { manualPage } from "./man-page.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = join(ROOT, "packages/cli");

await buildLibrary(join(PACKAGE, "lib"));
await rm(join(PACKAGE, "types"), { recursive: true, force: true });
await writeDeclarations(join(PACKAGE, "src/index.ts"), join(PACKAGE, "types"));
await Bun.write(join(PACKAGE, "man/mdx-ai.1"), manualPage(manifest.version));
for (const file of ["README.md", "LICENSE"]) await copyFile(join(ROOT, file), join(PACKAGE, file));
