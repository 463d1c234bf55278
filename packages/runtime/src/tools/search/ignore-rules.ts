import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ignore, Options } from "ignore";
import { textUpTo } from "../../files/read-file.ts";

/** Files of rules, the strongest first: those of a stronger kind win, wherever they are. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

/** Bytes; a longer file of rules does not count: each path is compared with each rule. */
const MOST_BYTES = 256 * 1024;

/** The rules that one folder has. */
interface FolderRules {
  /** Its path relative to the outermost folder, with a "/" at its end; "" for that itself. */
  readonly base: string;
  readonly matchers: ReadonlyMap<(typeof KINDS)[number], IgnoreTest>;
  /** Whether it is the root of a repository: rules of git from above do not hold in it. */
  readonly isRepository: boolean;
}

/** The rules of a folder and those above it, the nearest first. */
export class IgnoreRules {
  readonly #folders: readonly FolderRules[];
  readonly #make: MakeIgnore;

  private constructor(folders: readonly FolderRules[], make: MakeIgnore) {
    this.#folders = folders;
    this.#make = make;
  }

  /** The rules that hold in a folder because of it and of those above it, up to the file system's root. Absolute path. */
  static at(folder: string, make: MakeIgnore): IgnoreRules {
    const parts = folder.split("/").filter((part) => part !== "");
    let rules = new IgnoreRules([], make).within("/", "", undefined);
    parts.forEach((_, index) => {
      const inner = parts.slice(0, index + 1).join("/");
      rules = rules.within(`/${inner}`, `${inner}/`, undefined);
    });
    return rules.#withoutThoseFor(`${parts.join("/")}/`);
  }

  /** The rules in a folder in it. `names` are the names in that folder, if they are known; `base` is relative to "/", and ends with one. */
  within(folder: string, base: string, names: ReadonlySet<string> | undefined): IgnoreRules {
    const matchers = new Map<(typeof KINDS)[number], IgnoreTest>();
    const isRepository = names?.has(".git") ?? existsSync(join(folder, ".git"));
    for (const kind of KINDS) {
      const isThere = names === undefined || names.has(kind) || (kind === ".git/info/exclude" && isRepository);
      const text = isThere ? textUpTo(join(folder, kind), MOST_BYTES) : undefined;
      if (text !== undefined) matchers.set(kind, ignoreFile(text, this.#make));
    }
    if (matchers.size === 0 && !isRepository) return this;
    return new IgnoreRules([{ base, matchers, isRepository }, ...this.#folders], this.#make);
  }

  /** Without files of rules that leave out a folder, which is searched nevertheless. */
  #withoutThoseFor(path: string): IgnoreRules {
    const folders = this.#folders.map((folder) => {
      const parts = path.slice(folder.base.length).split("/").filter(Boolean);
      const folders = parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
      const isFor = (test: IgnoreTest): boolean => folders.some((inner) => test(inner) === true);
      return { ...folder, matchers: new Map([...folder.matchers].filter(([, test]) => !isFor(test))) };
    });
    return new IgnoreRules(folders, this.#make);
  }

  /** Whether a path is left out; relative to "/", and a folder's with a "/" at its end. The folders above it are not. */
  ignores(path: string): boolean {
    for (const kind of KINDS) {
      const decision = this.#decision(path, kind);
      if (decision !== undefined) return decision;
    }
    return false;
  }

  /** Whether the files of one kind leave a path out; undefined if none of them is about it. */
  #decision(path: string, kind: (typeof KINDS)[number]): boolean | undefined {
    for (const { base, matchers, isRepository } of this.#folders) {
      const isIgnored = matchers.get(kind)?.(path.slice(base.length));
      if (isIgnored !== undefined) return isIgnored;
      if (isRepository && kind.startsWith(".git")) return undefined;
    }
    return undefined;
  }
}

/** Makes the matcher of rules. */
type MakeIgnore = (options?: Options) => Ignore;

/** Whether rules leave a path out, or keep it; undefined if none of them is about it. */
type IgnoreTest = (path: string) => boolean | undefined;

/**
 * Reads a file of rules in the format of `.gitignore`. The test takes a path relative to the file's folder, a folder's with a "/" at its
 * end; the folders above it are not left out. Rules with many wildcards are compared as globs, in time that is linear: as regular
 * expressions a few of them could take hours for one path.
 */
function ignoreFile(text: string, make: MakeIgnore): IgnoreTest {
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
