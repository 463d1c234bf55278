import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "@mdx-ai/base";
import { pathProblem } from "./file-names.ts";
import { isLoopbackHost } from "./loopback.ts";
import { type Source, sourceError } from "./source.ts";

/**
 * Reads the text of a source. Relative paths are resolved against `currentDirectory`, which is absolute. Accesses neither the disk nor
 * the network. Throws `DirectoryError` ("source").
 */
export function parseSource(text: string, currentDirectory: string): Source {
  if (text.trim() === "" || /[\0\r\n]/.test(text)) throw sourceError("a source must be one line of text");
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? [];
  switch (scheme?.toLowerCase()) {
    case "github":
      return githubSource(text);
    case "npm":
      return npmSource(text);
    case "oci":
      return ociSource(text);
    case "http":
    case "https":
      if (GITHUB_PAGE.test(text)) return parseSource(text.replace(GITHUB_PAGE, "github:$1#$2:$3"), currentDirectory);
      return isArchive(text) ? archiveSource(text) : gitSource(text);
    case "ssh":
    case "file":
      return isArchive(text) ? archiveSource(text) : gitSource(text);
    case "git+https":
    case "git+http":
    case "git+ssh":
    case "git+file":
      return gitSource(text.slice("git+".length));
    default:
      return unnamedSource(text, currentDirectory, scheme);
  }
}

/** A folder at a branch or tag without a slash, as a browser shows it. */
const GITHUB_PAGE = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/tree\/([^/#?]+)\/?([^#?]*)$/;

/** A source without a scheme: a path, or an address in the short form of SSH. */
function unnamedSource(text: string, currentDirectory: string, scheme: string | undefined): Source {
  if (SHORT_SSH.test(text)) return gitSource(text);
  if (scheme !== undefined && !text.slice(0, text.indexOf(":")).includes("/") && !isAbsolute(text)) {
    throw sourceError(
      `${text}: unknown kind of source \`${scheme}:\`; use github:, npm:, oci:, an address of git, or a path`,
    );
  }
  const [path = "", fragment] = splitFragment(text);
  const absolute = resolve(currentDirectory, path);
  if (isArchive(text)) return { type: "archive", location: absolute, ...archivePath(text, fragment) };
  if (/\.git\/?$/.test(path)) return { type: "git", url: absolute, ...refAndPath(text, fragment) };
  return { type: "folder", path: resolve(currentDirectory, text) };
}

/** Such as `git@github.com:owner/repo.git`. */
const SHORT_SSH = /^[\w][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^:]/;

const splitFragment = (text: string): readonly [string, string | undefined] => {
  const index = text.indexOf("#");
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
};

const isArchive = (text: string): boolean =>
  /\.(?:tgz|tar\.gz|tar)$/i.test(splitFragment(text)[0].replace(/\?.*$/, ""));

function githubSource(text: string): Source {
  const [, owner, name, fragment] = /^github:([\w][\w.-]*)\/([\w.-]+?)(?:\.git)?(?:#(.*))?$/i.exec(text) ?? [];
  if (owner === undefined || name === undefined || /^\.+$/.test(name)) {
    throw sourceError(`${text}: expected github:OWNER/REPOSITORY, with #REF or #REF:FOLDER if you like`);
  }
  return { type: "git", url: `https://github.com/${owner}/${name}.git`, ...refAndPath(text, fragment) };
}

function gitSource(text: string): Source {
  const [address, fragment] = splitFragment(text);
  if (SHORT_SSH.test(address)) return { type: "git", url: address, ...refAndPath(text, fragment) };
  const url = parseAddress(text, address);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) throw notEncrypted(text);
  if (url.password !== "") throw withPassword(text);
  const path = url.protocol === "file:" ? fileURLToPath(url) : address;
  return { type: "git", url: path, ...refAndPath(text, fragment) };
}

function archiveSource(text: string): Source {
  const [address, fragment] = splitFragment(text);
  const url = parseAddress(text, address);
  if (url.protocol === "ssh:") throw sourceError(`${text}: an archive is fetched by HTTPS, not by SSH`);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) throw notEncrypted(text);
  if (url.username !== "" || url.password !== "") throw withPassword(text);
  const location = url.protocol === "file:" ? fileURLToPath(url) : url.href;
  return { type: "archive", location, ...archivePath(text, fragment) };
}

function parseAddress(text: string, address: string): URL {
  const url = attempt(() => new URL(address));
  if (url === undefined || /[\s\0]/.test(address)) throw sourceError(`${text} is not a valid address`);
  // A program that is started with the address would take it for an option.
  if (url.hostname.startsWith("-") || url.username.startsWith("-")) throw sourceError(`${text} is not a valid address`);
  if (url.protocol === "file:" && url.hostname !== "")
    throw sourceError(`${text}: a file has no host; write file:///PATH`);
  return url;
}

const notEncrypted = (text: string): Error =>
  sourceError(`${text} is not encrypted; use https. Plain HTTP is for this machine alone`);

const withPassword = (text: string): Error =>
  sourceError(`${text.replace(/\/\/[^/]*@/, "//…@")} contains a password; keep it in git's or npm's configuration`);

function npmSource(text: string): Source {
  const [, name, range] = /^npm:((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/i.exec(text) ?? [];
  if (name === undefined) throw sourceError(`${text}: expected npm:NAME, npm:@SCOPE/NAME or npm:NAME@RANGE`);
  return { type: "npm", name, ...(range !== undefined && { range: range.trim() }) };
}

function ociSource(text: string): Source {
  const [, host, repository, tag, digest] = OCI.exec(text) ?? [];
  if (host === undefined || repository === undefined) {
    throw sourceError(`${text}: expected oci://HOST/REPOSITORY:TAG or oci://HOST/REPOSITORY@sha256:DIGEST`);
  }
  return { type: "oci", host, repository, ...(tag && { tag }), ...(digest && { digest }) };
}

/** By the specification of the distribution API. */
const OCI =
  /^oci:\/\/((?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::\d+)?)\/([a-z0-9]+(?:(?:[._]|__|-+|\/)[a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** The parts of `REF`, `REF:PATH` or `:PATH`. */
function refAndPath(text: string, fragment: string | undefined): { readonly ref?: string; readonly path?: string } {
  if (fragment === undefined || fragment === "") return {};
  const [, ref = "", path] = /^([^:]*)(?::(.*))?$/s.exec(fragment) ?? [];
  if (ref !== "" && !isRef(ref))
    throw sourceError(`${text}: \`${ref}\` is not the name of a branch, a tag or a commit`);
  return { ...(ref !== "" && { ref }), ...folderIn(text, path) };
}

function archivePath(text: string, fragment: string | undefined): { readonly path?: string } {
  const { ref, path } = refAndPath(text, fragment);
  if (ref !== undefined) throw sourceError(`${text}: an archive has no branches; write #:FOLDER for a folder in it`);
  return path === undefined ? {} : { path };
}

function folderIn(text: string, given: string | undefined): { readonly path?: string } {
  const path = given?.replace(/^\.\//, "").replace(/\/+$/, "");
  if (path === undefined || path === "" || path === ".") return {};
  const problem = pathProblem(path);
  if (problem !== undefined) throw sourceError(`${text}: the folder \`${path}\` ${problem}`);
  return { path };
}

/** A name that git accepts, and never takes for an option, a range or a pattern. */
const isRef = (ref: string): boolean =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_./+@=-]*$/u.test(ref) && !/\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)|[./]$/.test(ref);

/** The source as text that `parseSource` reads again. */
export function sourceText(source: Source): string {
  switch (source.type) {
    case "git":
      return `${gitAddress(source.url)}${fragmentText(source)}`;
    case "npm":
      return `npm:${source.name}${source.range === undefined ? "" : `@${source.range}`}`;
    case "oci": {
      const { host, repository, tag, digest } = source;
      return `oci://${host}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
    }
    case "archive":
      return `${source.location}${fragmentText(source)}`;
    case "folder":
      return source.path;
  }
}

function gitAddress(url: string): string {
  const github = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)\.git$/.exec(url)?.[1];
  if (github !== undefined) return `github:${github}`;
  if (SHORT_SSH.test(url)) return url;
  return isAbsolute(url) ? `git+file://${url}` : `git+${url}`;
}

const fragmentText = ({ ref = "", path }: { readonly ref?: string; readonly path?: string }): string => {
  const fragment = `${ref}${path === undefined ? "" : `:${path}`}`;
  return fragment === "" ? "" : `#${fragment}`;
};
