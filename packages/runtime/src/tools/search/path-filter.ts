import { attempt } from "../../attempt.ts";
import { FileToolError } from "../permitted-file.ts";

const LONGEST = 300;

/**
 * Matches relative paths with a glob: `*`, `**`, `?`, `[a-z]`, `{a,b}`; one without a "/" is about names in any folder, "!" in
 * front negates. Throws `FileToolError` for a glob that cannot be read.
 */
export function pathFilter(glob: string): (path: string) => boolean {
  if (glob.startsWith("!")) {
    const matches = pathFilter(glob.slice(1));
    return (path) => !matches(path);
  }
  const plain = glob.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  if (plain === "" || plain.length > LONGEST) {
    throw new FileToolError(`a glob has 1 to ${LONGEST} characters and is relative to the path that is searched`);
  }
  const whole = glob.replace(/\/$/, "").includes("/") || plain.includes("**") ? plain : `**/${plain}`;
  const matcher = attempt(() => new Bun.Glob(whole));
  if (matcher === undefined) throw new FileToolError(`cannot read the glob ${JSON.stringify(glob)}`);
  return (path) => matcher.match(path);
}
