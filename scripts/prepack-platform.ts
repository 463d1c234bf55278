// Before the package of a platform is packed: writes its executable, the licence and the notices. The argument is the platform. If
// `MDX_AI_BUILT_EXECUTABLE` names an executable, this one is copied: `npm run pack -- --executable=FILE` sets it.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { buildExecutable, copyExecutable, unsignedNote } from "./build-executable.ts";
import { thirdPartyNotices } from "./licenses/third-party-notices.ts";

const ROOT = join(import.meta.dir, "..");
const platform = process.argv[2] ?? "";
const folder = join(ROOT, "platforms", platform);
const outfile = join(folder, "bin/mdx-ai");
const built = process.env["MDX_AI_BUILT_EXECUTABLE"];
if (built !== undefined) await copyExecutable(built, { outfile, platform });
else await buildExecutable({ outfile, platform });
if (platform === "darwin-x64") console.error(unsignedNote(outfile));
await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
await Bun.write(join(folder, "THIRD_PARTY_NOTICES"), await thirdPartyNotices());
