// `npm run typecheck [-- COMPILER FLAGS]`: checks all TypeScript, the scripts that Node runs, and the modules of the examples, which
// publish no declarations.
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");

const exitCodes = [".", "scripts", "examples", "packages/server/src/page/client"].map((project) => {
  const check = [process.execPath, COMPILER, "--noEmit", "-p", project, ...process.argv.slice(2)];
  return Bun.spawnSync(check, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] }).exitCode;
});
process.exitCode = exitCodes.every((code) => code === 0) ? 0 : 1;
