// Before the command's package is packed: writes the library, its type declarations, the manual page, the notices, and the common files of all packages.
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../packages/cli/package.json" with { type: "json" };
import { buildLibrary } from "./build-library.ts";
import { writeDeclarations } from "./declarations.ts";
import { thirdPartyNotices } from "./licenses/third-party-notices.ts";
import { manualPage } from "./man-page.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = join(ROOT, "packages/cli");

const notices = await thirdPartyNotices();
await buildLibrary(join(PACKAGE, "lib"), notices);
await Bun.write(join(PACKAGE, "THIRD_PARTY_NOTICES"), notices);
await rm(join(PACKAGE, "types"), { recursive: true, force: true });
await writeDeclarations(join(PACKAGE, "src/index.ts"), join(PACKAGE, "types"));
await Bun.write(join(PACKAGE, "man/mdx-ai.1"), manualPage(manifest.version));
for (const file of ["README.md", "LICENSE"]) await copyFile(join(ROOT, file), join(PACKAGE, file));
