import { renameSync, rmSync, symlinkSync } from "node:fs";

/** Points a link now here, now there, as fast as it can, for ten seconds at most: LINK HERE THERE. */
const [link = "", ...targets] = process.argv.slice(2);
const draft = `${link}.draft`;
const end = Date.now() + 10_000;
process.stdout.write("swapping\n");
for (let round = 0; Date.now() < end; round += 1) {
  rmSync(draft, { force: true });
  symlinkSync(targets[round % targets.length] ?? "", draft);
  renameSync(draft, link);
}
