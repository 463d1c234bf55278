import type { Ignore, Options } from "ignore";

/** Makes the matcher of rules. */
export type MakeIgnore = (options?: Options) => Ignore;

/** Whether rules leave a path out, or keep it; undefined if none of them is about it. */
export type IgnoreTest = (path: string) => boolean | undefined;

/**
 * Reads a file of rules in the format of `.gitignore`. The test takes a path relative to the file's folder, a folder's with a "/" at its
 * end; the folders above it are not left out. Rules with many wildcards are compared as globs, in time that is linear: as regular
 * expressions a few of them could take hours for one path.
 */
export function ignoreFile(text: string, make: MakeIgnore): IgnoreTest {
  const tests: IgnoreTest[] = [];
  let quick: string[] = [];
  const endQuick = (): void => {
    if (quick.length > 0) tests.unshift(quickTest(quick, make));
    quick = [];
  };
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    if (isQuick(line)) quick.push(line);
    else {
      endQuick();
      tests.unshift(globTest(line));
    }
  }
  endQuick();
  return (path) => {
    // The last rule that is about a path decides.
    for (const test of tests) {
      const isIgnored = test(path);
      if (isIgnored !== undefined) return isIgnored;
    }
    return undefined;
  };
}

const isQuick = (line: string): boolean =>
  line.startsWith("#") || ((line.match(/\*+/g)?.length ?? 0) < 3 && (line.match(/\*\*/g)?.length ?? 0) < 2);

function quickTest(lines: readonly string[], make: MakeIgnore): IgnoreTest {
  const matcher = make({ ignorecase: false, allowRelativePaths: true }).add(lines);
  return (path) => {
    const { ignored, unignored } = matcher.test(path);
    return ignored || unignored ? ignored : undefined;
  };
}

function globTest(line: string): IgnoreTest {
  const isKept = line.startsWith("!");
  const rule = (isKept ? line.slice(1) : line).replace(/(?<!\\) +$/, "");
  const isForFolders = rule.endsWith("/");
  const body = rule.replace(/\/$/, "");
  // Braces mean themselves in a rule.
  const glob = body.replace(/^\//, "").replaceAll(/(?<!\\)[{}]/g, "\\$&");
  const matcher = new Bun.Glob(body.includes("/") ? glob : `**/${glob}`);
  return (path) => {
    if (isForFolders && !path.endsWith("/")) return undefined;
    return matcher.match(path.replace(/\/$/, "")) ? !isKept : undefined;
  };
}
