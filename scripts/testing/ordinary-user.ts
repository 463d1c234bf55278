import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { basename, join, sep } from "node:path";

/** The sandbox differs by user: root needs no user namespace, and has no limit on processes. */
export const TESTS_OF_BOTH_USERS: readonly string[] = ["test/sandbox", "packages/sandbox/src"];

/** Tests in these folders that are slow, or that do not depend on the user. */
const OF_ANY_USER: readonly string[] = [
  "imported-places",
  "key-mask",
  "mount-plan",
  "open-repository",
  "sandbox-view",
  "shortage",
  "stale-files",
  "denied-places",
  "blocked-*",
  "macos",
  "seccomp-programs",
];

/** A number that no account uses. */
const USER = 20_000;

/** The parts of a repository that these tests need. */
const PARTS: readonly string[] = ["package.json", "tsconfig.json", "packages", "scripts", "test"];

/** Runs programs as an unprivileged user, in a copy of a repository that belongs to that user. */
export interface OrdinaryUser extends AsyncDisposable {
  /** The copy. Absolute. */
  readonly tree: string;
  /** Bun, and the words before it. */
  readonly bun: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flags of `bun test`. */
  readonly flags: readonly string[];
}

/** Whether a repository has such tests that this process, as the superuser, cannot run as an ordinary user itself. */
export const needsOrdinaryUser = (repository: string): boolean =>
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  existsSync(join(repository, TESTS_OF_BOTH_USERS[0] ?? ""));

/**
 * Copies a repository, since it and Bun may be in a folder that only root can read. Rejects if copying fails, or if this process cannot run
 * programs as another user.
 */
export async function ordinaryUser(repository: string): Promise<OrdinaryUser> {
  // A folder that `TMPDIR` names may be out of reach as well.
  const folder = await mkdtemp("/tmp/mdx-ai-user-");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    return { ...(await userIn(folder, repository)), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function userIn(folder: string, repository: string): Promise<Omit<OrdinaryUser, typeof Symbol.asyncDispose>> {
  const [tree, home, temporary] = [join(folder, "tree"), join(folder, "home"), join(folder, "tmp")] as const;
  for (const path of [tree, home, temporary]) await mkdir(path, { mode: 0o700 });
  await copyParts(repository, tree);
  const program = join(folder, "bun");
  await cp(process.execPath, program);
  await chmod(program, 0o755);
  await run(["chown", "-R", `${USER}:${USER}`, folder]);
  const bun = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", program];
  await run([...bun, "--version"]);
  const { PATH, CI, LANG } = process.env;
  return {
    ...{ tree, bun, environment: { PATH, CI, LANG, HOME: home, TMPDIR: temporary } },
    flags: OF_ANY_USER.flatMap((name) =>
      ["test", "long.test"].map((kind) => `--path-ignore-patterns=**/${name}.${kind}.ts`),
    ),
  };
}

/** The package whose dependencies hold most files of all, which these tests never load: they ask no model of a vendor. */
const ASKS_VENDORS = "models";

/** Leaves out files that only development needs. */
async function copyParts(repository: string, tree: string): Promise<void> {
  const copy = async (path: string): Promise<void> => {
    const source = join(repository, path);
    if (existsSync(source)) await cp(source, join(tree, path), { recursive: true, verbatimSymlinks: true });
  };
  for (const part of PARTS) await copy(part);
  // Links to the packages of the repository itself.
  for (const name of ["@mdx-ai", "mdx-ai"]) await copy(join("node_modules", name));
  const packages = (await foldersIn(join(repository, "packages"))).filter((path) => basename(path) !== ASKS_VENDORS);
  const store = new Set<string>();
  for (const folder of packages) await addInstalled(join(folder, "node_modules"), store);
  const root = await realpath(repository);
  for (const folder of store) await copy(folder.slice(root.length + 1));
}

const STORE = `${sep}node_modules${sep}.bun${sep}`;

/** Adds the folders of the store to which a `node_modules` folder links, directly or not. */
async function addInstalled(modules: string, store: Set<string>): Promise<void> {
  const names = await foldersIn(modules);
  const scoped = names.filter((path) => path.includes(`${sep}node_modules${sep}@`));
  for (const path of [...names, ...(await Promise.all(scoped.map(foldersIn))).flat()]) {
    const real = await realpath(path);
    const start = real.indexOf(STORE);
    if (start < 0) continue;
    const end = real.indexOf(sep, start + STORE.length);
    const folder = real.slice(0, end);
    if (store.has(folder)) continue;
    store.add(folder);
    await addInstalled(join(folder, "node_modules"), store);
  }
}

/** Absolute; none for a folder that does not exist. */
const foldersIn = async (folder: string): Promise<readonly string[]> =>
  existsSync(folder)
    ? (await readdir(folder)).filter((name) => !name.startsWith(".")).map((name) => join(folder, name))
    : [];

/** Rejects if the program fails. */
async function run(command: readonly string[]): Promise<void> {
  const exitCode = await Bun.spawn([...command], { stdio: ["ignore", "ignore", "inherit"] }).exited;
  if (exitCode !== 0) throw new Error(`${command[0]} ended with exit code ${exitCode}`);
}
