// Refuses to publish while SECURITY.md has no address to report to. `npm run pack` and `npm publish` call it.
import { join } from "node:path";

/** The placeholder's domain, which RFC 2606 reserves. */
const PLACEHOLDER = /@example\.invalid\b/;

/** Whether a SECURITY.md names an address that can receive a report. */
export const hasReportAddress = (text: string): boolean => /<\S+@\S+>/.test(text) && !PLACEHOLDER.test(text);

/** Why the packages may not be published yet; undefined if they may. */
export async function publicationObstacle(): Promise<string | undefined> {
  if (hasReportAddress(await Bun.file(join(import.meta.dir, "../SECURITY.md")).text())) return undefined;
  return "SECURITY.md has no address to report vulnerabilities to: write yours in place of the placeholder.";
}

if (import.meta.main) {
  const obstacle = await publicationObstacle();
  if (obstacle !== undefined) {
    console.error(obstacle);
    process.exitCode = 1;
  }
}
