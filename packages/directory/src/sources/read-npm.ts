import { createHash } from "node:crypto";
import { isRecord, jsonValue, quoted } from "@mdx-ai/base";
import { httpRequest, requireSuccess, UNCHANGED } from "./http-request.ts";
import { requireIntegrity, sha512 } from "./integrity.ts";
import { isPrivateHost, privatePlace } from "./loopback.ts";
import type { NpmSettings } from "./npm-settings.ts";
import { PACKAGE_LIMITS, type PackageFile, unwrapped } from "./package-files.ts";
import { readArchive } from "./read-archive.ts";
import { type Origin, type Source, sourceError } from "./source.ts";

type NpmSource = Extract<Source, { readonly type: "npm" }>;
type NpmOrigin = Extract<Origin, { readonly type: "npm" }>;

export interface NpmRequest {
  readonly settings: NpmSettings;
  readonly signal: AbortSignal;
  readonly pinned?: NpmOrigin | undefined;
}

export interface FetchedPackage {
  readonly origin: NpmOrigin;
  /** Without the folder that npm wraps them in. */
  readonly files: readonly PackageFile[];
}

/** A version of a package, as its registry describes it. */
interface PackageVersion {
  readonly version: string;
  readonly tarball: URL;
  /** `sha512-…`, or the older `sha1-…`, as base64. */
  readonly integrity: string;
}

/** The description of a package without its readme. */
const ABBREVIATED = "application/vnd.npm.install-v1+json, application/json;q=0.9";

const MAX_DOCUMENT = 64 * 1024 * 1024;

/**
 * Downloads a package from its registry and unpacks it in memory. None of its scripts run, and nothing that it depends on is fetched.
 * Rejects with `DirectoryError` ("source"), also if the package is not what its registry or `pinned` says.
 */
export async function readNpm(source: NpmSource, { settings, signal, pinned }: NpmRequest): Promise<FetchedPackage> {
  const registry = settings.registryOf(source.name);
  const what = `npm:${source.name}`;
  const document = await packageDocument(source.name, { settings, signal });
  const chosen = chooseVersion(document, source, pinned?.version, registry);
  const bytes = await download(chosen.tarball, what, { settings, signal, headers: UNCHANGED, maxBytes: PACKAGE_LIMITS.bytes }); // biome-ignore format: short
  const named = `${source.name}@${chosen.version}`;
  const integrity = sha512(bytes);
  requireIntegrity(named, chosen.integrity.startsWith("sha1-") ? sha1(bytes) : integrity, chosen.integrity);
  if (pinned !== undefined) requireIntegrity(named, integrity, pinned.integrity);
  const files = unwrapped(await readArchive(bytes));
  requireName(files, source.name);
  return { origin: { type: "npm", version: chosen.version, integrity }, files };
}

type RegistryAccess = Pick<NpmRequest, "settings" | "signal">;

/** What the registry knows of a package, as JSON; undefined if it is none. Rejects with `DirectoryError` ("source"). */
async function packageDocument(name: string, access: RegistryAccess): Promise<unknown> {
  const address = new URL(name.replace("/", "%2f"), access.settings.registryOf(name));
  const bytes = await download(address, `npm:${name}`, { ...access, headers: { accept: ABBREVIATED }, maxBytes: MAX_DOCUMENT }); // biome-ignore format: short
  return jsonValue(Buffer.from(bytes).toString());
}

interface DownloadOptions extends RegistryAccess {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

async function download(
  url: URL,
  what: string,
  { settings, signal, headers, maxBytes }: DownloadOptions,
): Promise<Uint8Array> {
  const authorization = settings.authorizationFor(url);
  const all = { ...headers, ...(authorization !== undefined && { authorization }) };
  return requireSuccess(await httpRequest({ url, headers: all, signal, maxBytes }), what).bytes;
}

/** Throws `DirectoryError` ("source") if the package calls itself something else than its registry does. */
function requireName(files: readonly PackageFile[], name: string): void {
  const file = files.find(({ path }) => path === "package.json");
  const own: unknown = file && jsonValue(Buffer.from(file.bytes).toString());
  if (!isRecord(own) || own["name"] === undefined || own["name"] === name) return;
  throw sourceError(`the registry gives a package for npm:${name} that calls itself ${quoted(String(own["name"]))}`);
}

const sha1 = (bytes: Uint8Array): string => `sha1-${createHash("sha1").update(bytes).digest("base64")}`;

/** The version that npm would install. */
function chooseVersion(
  document: unknown,
  source: NpmSource,
  pinned: string | undefined,
  registry: URL,
): PackageVersion {
  const versions = isRecord(document) && isRecord(document["versions"]) ? document["versions"] : undefined;
  if (!isRecord(document) || versions === undefined) throw sourceError(`${registry.host} is not a registry of npm`);
  const tags = isRecord(document["dist-tags"]) ? document["dist-tags"] : {};
  const wanted = pinned ?? source.range ?? "latest";
  const version = versionFor(wanted, versions, tags);
  const found = version === undefined ? undefined : versionOf(version, versions[version], registry);
  if (found !== undefined) return found;
  const latest = typeof tags["latest"] === "string" ? `; the latest is ${tags["latest"]}` : "";
  throw sourceError(`npm:${source.name} has no version ${quoted(wanted)}${latest}`);
}

function versionFor(
  wanted: string,
  versions: Readonly<Record<string, unknown>>,
  tags: Readonly<Record<string, unknown>>,
): string | undefined {
  if (Object.hasOwn(versions, wanted)) return wanted;
  if (Object.hasOwn(tags, wanted)) return typeof tags[wanted] === "string" ? tags[wanted] : undefined;
  // A text that is no range would match every version.
  if (!/^[\d\sxX*v^~<>=|.+-][\w\s.*^~<>=|+-]*$/.test(wanted)) return undefined;
  const matching = Object.keys(versions).filter((version) => Bun.semver.satisfies(version, wanted));
  const latest = tags["latest"];
  if (typeof latest === "string" && matching.includes(latest)) return latest;
  const supported = matching.filter((version) => !isDeprecated(versions[version]));
  return (supported.length > 0 ? supported : matching).toSorted(Bun.semver.order).at(-1);
}

const isDeprecated = (version: unknown): boolean => isRecord(version) && Boolean(version["deprecated"]);

function versionOf(version: string, value: unknown, registry: URL): PackageVersion | undefined {
  const dist = isRecord(value) && isRecord(value["dist"]) ? value["dist"] : {};
  const tarball = typeof dist["tarball"] === "string" ? URL.parse(dist["tarball"], registry.href) : null;
  const integrity = integrityOf(dist);
  if (tarball === null || integrity === undefined || !/^[\w.+-]+$/.test(version)) return undefined;
  if (isPrivateHost(tarball.hostname) && !isPrivateHost(registry.hostname)) {
    throw sourceError(`${registry.host} names a package on ${privatePlace(tarball)}, which is not fetched`);
  }
  return { version, tarball, integrity };
}

/** The strongest hash: packages of before 2017 have SHA-1 alone. */
function integrityOf({ integrity, shasum }: Readonly<Record<string, unknown>>): string | undefined {
  const strong = typeof integrity === "string" ? /(?:^|\s)(sha512-[\w+/=]+)/.exec(integrity)?.[1] : undefined;
  if (strong !== undefined || typeof shasum !== "string") return strong;
  return `sha1-${Buffer.from(shasum, "hex").toString("base64")}`;
}

/** The version of a package that its registry calls the latest; undefined if it names none. Rejects with `DirectoryError` ("source"). */
export async function latestNpmVersion(name: string, access: RegistryAccess): Promise<string | undefined> {
  const document = await packageDocument(name, access);
  const latest = isRecord(document) && isRecord(document["dist-tags"]) ? document["dist-tags"]["latest"] : undefined;
  return typeof latest === "string" && /^\d[\w.+-]*$/.test(latest) ? latest : undefined;
}
