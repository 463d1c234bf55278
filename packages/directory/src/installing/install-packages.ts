import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, type Environment, isRecord, isText, jsonValue, lineText, listOf, shortened } from "@mdx-ai/base";
import { runProgram } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import { npmSettings } from "../sources/index.ts";

export interface PackageOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Where npm's settings of a project are. Absolute. */
  readonly currentDirectory: string;
  /** The lock file of an earlier installation, as lines. The same packages are installed, or none. */
  readonly locked: readonly string[] | undefined;
}

const LOCK = "bun.lock";

/**
 * Installs the packages that an agent's package.json names into its `node_modules`, from the user's registry, without running any of their
 * scripts. Resolves to the lines of the lock file, unless the agent has one; to undefined if there are no packages. Rejects with
 * `DirectoryError` ("invalid" or "source").
 */
export async function installPackages(folder: string, options: PackageOptions): Promise<readonly string[] | undefined> {
  const dependencies = dependenciesOf(folder);
  if (Object.keys(dependencies).length === 0) return undefined;
  const scratch = `${folder}.packages`;
  mkdirSync(scratch);
  try {
    writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, dependencies }));
    const own = attempt(() => readFileSync(join(folder, LOCK), "utf8"));
    const text = own ?? options.locked?.join("\n");
    const lock = text === undefined ? undefined : checkedLock(text, options);
    if (lock !== undefined) writeFileSync(join(scratch, LOCK), lock);
    await install(scratch, lock !== undefined, options);
    moveModules(scratch, folder);
    return own === undefined ? readFileSync(join(scratch, LOCK), "utf8").trimEnd().split("\n") : undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A version, a range or a tag of the registry, also of a package under another name. Never a path, an address or a repository. */
const RANGE = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?[\w.^~<>=|*+\s-]+$/;
const PACKAGE = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/;

function dependenciesOf(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, "package.json");
  const value: unknown = existsSync(file) ? attempt(() => JSON.parse(readFileSync(file, "utf8"))) : {};
  const named = isRecord(value) ? (value["dependencies"] ?? {}) : undefined;
  if (!isRecord(named)) throw new DirectoryError("invalid", "package.json of the agent cannot be read");
  for (const [name, range] of Object.entries(named)) {
    if (PACKAGE.test(name) && isText(range) && RANGE.test(range)) continue;
    throw refused(`package.json names ${JSON.stringify(name)} by ${JSON.stringify(range)}`);
  }
  return Object.fromEntries(Object.entries(named).map(([name, range]) => [name, String(range)]));
}

const refused = (what: string): DirectoryError =>
  new DirectoryError("invalid", lineText(`${what}; an agent that is added can use packages of the registry alone`));

/**
 * A lock file of packages, of the agent or of `agents.lock.json`, written anew, so that it has one meaning. Lock files of other programs are
 * not read. Throws `DirectoryError` if it leads elsewhere than to the user's registry, or has a package without its hash.
 */
function checkedLock(text: string, { environment, currentDirectory }: PackageOptions): string {
  const value: unknown = jsonValue(text.replace(/,(?=\s*[}\]])/g, ""));
  if (!isRecord(value) || !isRecord(value["packages"])) throw refused(`${LOCK} cannot be read`);
  const settings = npmSettings(environment, currentDirectory);
  for (const [name, entry] of Object.entries(value["packages"])) {
    const [id, address, , integrity] = listOf(entry);
    const [, of, version] = isText(id) ? (/^((?:@[^/@]+\/)?[^/@]+)@([^@]+)$/.exec(id) ?? []) : [];
    const isOfRegistry = of !== undefined && (address === "" || (isText(address) && address.startsWith(settings.registryOf(of).href))); // biome-ignore format: short
    const isHashed = isText(integrity) && /^sha(?:1|256|384|512)-[\w+/=]+$/.test(integrity);
    if (isOfRegistry && isHashed && version !== undefined && RANGE.test(version) && !ELSEWHERE.test(version)) continue;
    throw refused(`${LOCK} names ${name} by ${shortened(JSON.stringify(entry) ?? "", 200)}`);
  }
  const { packages: _packages, ...others } = value;
  const line = JSON.stringify(others, undefined, 1).split("\n").find((one) => ELSEWHERE.test(one)); // biome-ignore format: short
  if (line !== undefined) throw refused(`${LOCK} names ${shortened(line.trim(), 200)}`);
  return JSON.stringify(value, undefined, 2);
}

const OTHER_PROTOCOLS = "file:|link:|workspace:|root:|git[:+]|github:";

/** What leads elsewhere than to the registry. */
const ELSEWHERE: RegExp = new RegExp(
  [
    String.raw`\\`,
    String.raw`^(?:\.{0,2}/|~|${OTHER_PROTOCOLS})`,
    String.raw`[@"](?:\.{1,2}/|~/|${OTHER_PROTOCOLS})`,
    String.raw`\w+://`,
    String.raw`\.t(?:gz|ar)\b`,
  ].join("|"),
);

/** The package manager within this program's runtime. */
async function install(scratch: string, isFrozen: boolean, { environment, signal }: PackageOptions): Promise<void> {
  const options = ["--ignore-scripts", "--no-progress", "--linker", "hoisted", "--backend", "copyfile"];
  const words = [process.execPath, "install", ...options, isFrozen ? "--frozen-lockfile" : "--no-cache"];
  const { exitCode, output, errors } = await runProgram(words, {
    ...{ cwd: scratch, environment: { ...environment, BUN_BE_BUN: "1" }, signal },
  });
  if (exitCode === 0) return;
  const reason = `${errors}\n${output}`.split("\n").filter((line) => /error|failed/i.test(line)).join("; "); // biome-ignore format: short
  throw new DirectoryError(
    "source",
    lineText(`the packages of the agent cannot be installed: ${reason || `exit code ${exitCode}`}`),
  );
}

/** Links to programs of packages are left out. */
function moveModules(scratch: string, folder: string): void {
  const modules = join(scratch, "node_modules");
  if (!existsSync(modules)) return;
  for (const path of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (path.isSymbolicLink()) rmSync(join(path.parentPath, path.name));
  }
  const target = join(folder, "node_modules");
  try {
    renameSync(modules, target);
  } catch {
    cpSync(modules, target, { recursive: true });
  }
}
