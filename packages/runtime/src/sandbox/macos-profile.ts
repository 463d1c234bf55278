import { dirname } from "node:path";
import { foldersFrom } from "@mdx-ai/base";
import { depthOf, type Mount, type Mounts } from "./mounts.ts";

/** The access of a process on macOS. All paths are absolute and real. */
export interface MacosPolicy {
  /** The mounts that a sandbox of Linux would have. Private folders are hidden. */
  readonly mounts: Mounts;
  /** Files and folders that are absent and must not be created, in any spelling: file systems of macOS ignore case. */
  readonly absent: readonly string[];
  /** The only folder for temporary files. */
  readonly temporary: string;
  readonly agentDir: string;
  /** Everything that the machine reaches, nothing, or a proxy at this port of the loopback. */
  readonly network: "all" | "none" | { readonly proxyPort: number };
}

/**
 * Services that ordinary programs ask: logs, names of users, certificates. Those that hold keys, start other programs or own the
 * clipboard are left out.
 */
const SERVICES: readonly string[] = [
  ...["com.apple.system.logger", "com.apple.logd", "com.apple.system.notification_center"],
  ...["com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership"],
  ...["com.apple.bsd.dirhelper", "com.apple.trustd", "com.apple.trustd.agent"],
];

const NETWORK_SERVICES: readonly string[] = [
  ...["com.apple.SystemConfiguration.configd", "com.apple.SystemConfiguration.DNSConfiguration"],
  ...["com.apple.dnssd.service", "com.apple.networkd"],
];

const DEVICES = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"];

/** The access of every process, whatever the policy. */
const BASE: readonly string[] = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec process-fork)",
  "(allow process-info* signal (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow pseudo-tty ipc-posix-sem ipc-posix-shm*)",
  rule("allow mach-lookup", SERVICES.map(globalName)),
  "(allow file-read*)",
  rule("allow file-write-data file-ioctl", DEVICES.map(literal)),
  '(allow file-read* file-write* file-ioctl (regex "^/dev/tty") (literal "/dev/ptmx"))',
];

/**
 * The policy as a profile of `sandbox-exec`. Never tested on macOS. The last rule that matches an access decides it, so that an
 * inner path comes after the outer one.
 */
export function macosProfile({ mounts, absent, temporary, agentDir, network }: MacosPolicy): string {
  const paths = [...mounts].toSorted(([one], [other]) => depthOf(one) - depthOf(other));
  const visible = [...paths.filter(([, { kind }]) => isVisible(kind)).map(([path]) => path), temporary];
  const fixed = paths.filter(([, { kind }]) => kind !== "link").map(([path]) => path);
  const lines = [
    ...BASE,
    ...paths.flatMap(([path, mount]) => rulesOf(path, mount)),
    rule("allow file-read* file-write*", [subpath(temporary)]),
    // Looking up a path reads all folders on the way.
    rule("allow file-read-metadata", foldersAround(visible).map(literal)),
    rule("deny file-write*", absent.map(anySpelling)),
    // A file that is moved away with the folder around it loses its protection.
    rule("deny file-write-unlink", [...new Set([...fixed, ...foldersAround(fixed), temporary])].map(literal)),
    ...networkRules(network),
    rule("allow network*", [agentDir, temporary].map(subpath)),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

const isVisible = (kind: Mount["kind"]): boolean => kind === "read-only" || kind === "writable";

function rulesOf(path: string, { kind }: Mount): string[] {
  switch (kind) {
    case "read-only":
      return [rule("allow file-read*", [subpath(path)]), rule("deny file-write*", [subpath(path)])];
    case "writable":
      return [rule("allow file-read* file-write*", [subpath(path)])];
    case "stand-in":
    case "private":
    case "hidden-folder":
      return [rule("deny file-read* file-write* network*", [subpath(path)])];
    // The rules are about the files that links lead to.
    case "link":
      return [];
    default:
      return kind satisfies never;
  }
}

function networkRules(network: MacosPolicy["network"]): string[] {
  if (network === "none") return [];
  if (network !== "all") return [`(allow network-outbound (remote ip "localhost:${network.proxyPort}"))`];
  return [
    "(allow network-outbound (remote ip))",
    "(allow network-inbound network-bind (local ip))",
    "(allow system-socket)",
    rule("allow network-outbound", [literal("/private/var/run/mDNSResponder")]),
    rule("allow mach-lookup", NETWORK_SERVICES.map(globalName)),
  ];
}

/** All folders that contain one of the paths, outer ones first. */
function foldersAround(paths: readonly string[]): string[] {
  const folders = new Set(paths.flatMap((path) => foldersFrom(dirname(path))));
  return [...folders].toSorted((one, other) => depthOf(one) - depthOf(other));
}

/** Empty without objects: a rule without any would be about everything. */
function rule(head: string, objects: readonly string[]): string {
  return objects.length === 0 ? "" : `(${head} ${objects.join(" ")})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

const subpath = (path: string): string => `(subpath ${quoted(path)})`;

function globalName(name: string): string {
  return `(global-name ${quoted(name)})`;
}

/** A path and all below it, in capitals and small letters. */
const anySpelling = (path: string): string => {
  const letters = [...path].map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    if (lower !== upper) return `[${lower}${upper}]`;
    return /[\\^$.*+?()[\]{}|]/.test(letter) ? `\\${letter}` : letter;
  });
  return `(regex ${quoted(`^${letters.join("")}(/|$)`)})`;
};

/** A text as a string of the profile's language, which is a Scheme. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
