import { existsSync } from "node:fs";
import type { Environment } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { makeRecords } from "./agent-records.ts";
import { attachIn } from "./attached-process.ts";
import { cacheVariables } from "./cache-variables.ts";
import {
  type AttachedStart,
  type CommandSandbox,
  HOST_NETWORK,
  type SandboxFactory,
  type SandboxOptions,
  type SandboxRequest,
} from "./command-sandbox.ts";
import { settingVariables } from "./git-identity.ts";
import { hasProxy, hostsOf } from "./granted-paths.ts";
import type { SandboxPrograms } from "./holder.ts";
import { type MountPlan, mountPlan } from "./mount-plan.ts";
import { checking, stampOf } from "./mounted-files.ts";
import { isThere, type Mounts, mountArguments, RESERVED } from "./mounts.ts";
import { makeWrittenFolders } from "./narrowed-mounts.ts";
import type { Reserved } from "./placeholders.ts";
import { BUBBLEWRAP_PATH, MAX_BYTES } from "./private-folders.ts";
import { userProcessBound } from "./process-limits.ts";
import { CLOSED, isShortage, SandboxStartError } from "./sandbox-errors.ts";
import { SandboxParts } from "./sandbox-parts.ts";
import { sandboxView } from "./sandbox-view.ts";
import { startInShell } from "./start-process.ts";
import type { SandboxView } from "./types/sandbox.ts";
import type { WaitingShell, WarmSandbox } from "./warm-sandbox.ts";

/** Arguments before all mounts. */
const ROOT = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];

/** Arguments after all mounts: nothing can be created in `/dev` except in its mounts. */
const CLOSED_DEVICES = ["--remount-ro", "/dev"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The time limit for starting a command or the process of a tool, in milliseconds. */
const STARTED = 25;

/** How long the shell of an expected command waits, in milliseconds. */
const EXPECTED = 5_000;

/** When the shell of the next command starts: after this command has started or ended, so as not to slow it down. */
function prepareNext({ warm, reserved }: FittingSandbox, exited: Promise<unknown>): void {
  const timer = setTimeout(() => warm.prepare(reserved), STARTED).unref();
  void exited.then(() => {
    clearTimeout(timer);
    setImmediate(() => warm.prepare(reserved));
  });
}

/** Makes sandboxes with bubblewrap. Rejects with the file system's error. */
export async function openSandboxFactory(options: SandboxOptions, programs: SandboxPrograms): Promise<SandboxFactory> {
  const parts = await SandboxParts.open(options, programs);
  const processes = userProcessBound();
  return {
    privateBytes: MAX_BYTES,
    ...(processes !== undefined && { processes }),
    workspace: parts.workspace?.folder,
    contain: (request) => containIn(parts, request),
    trial: () => trialIn(parts),
    expect: () => expectIn(parts),
    view: (request) => viewIn(parts, request),
    close: () => parts.close(),
  };
}

/** Prepares a sandbox for one command, and makes one if none fits. Rejects with the system's error. */
async function containIn(parts: SandboxParts, request: SandboxRequest): Promise<CommandSandbox> {
  const { purpose } = request;
  // Read while the sandbox is being made.
  if (purpose === "shell") void parts.gitIdentity();
  // A trial starts its sandbox during this wait.
  await parts.warm.prepare();
  // Loaded while the sandbox starts.
  const [{ blockedAccess }, { blockedNote }] = await Promise.all([
    import("./blocked-access.ts"),
    import("./blocked-note.ts"),
  ]);
  const { commandNetwork } = await import("./network/command-network.ts");
  await parts.trying?.catch(() => {});
  const leaveParts = parts.use();
  try {
    if (typeof purpose !== "string" && purpose.files) makeWrittenFolders(parts.agentDir, purpose.files);
    const sandbox = await sandboxFor(parts, request);
    const { warm, hosts, guarded, stamp, reserved } = sandbox;
    const identity = purpose === "shell" ? await parts.gitIdentity() : [];
    const network = await commandNetwork(request, hosts, parts.proxies);
    const variables = {
      ...temporaryFolder(parts.options.environment),
      ...network.environment,
    };
    const hasNetwork = hosts === "all" || hosts.length > 0;
    const inside = <Start extends AttachedStart>(start: Start): Start => ({
      ...start,
      cwd: cwdIn(sandbox.mounts, start.cwd, parts.agentDir),
      environment: {
        ...start.environment,
        ...settingVariables(identity, start.environment),
        ...(parts.workspace && cacheVariables(sandbox.mounts, { environment: start.environment, hasNetwork })),
        ...variables,
      },
    });
    const mounts = new Map([...sandbox.mounts, ...reserved.covered.map((path) => [path, RESERVED] as const)]);
    const hasWorkspace = parts.workspace !== undefined;
    const { refused, problems } = network;
    let view = { purpose, hosts, refused, problems, mounts, hasWorkspace, cwd: parts.agentDir };
    const forbidden = (parts.workspace?.kept.forbidden ?? []).filter((path) => !existsSync(path));
    await warm.connected;
    const leave = warm.use();
    let forget = (): void => {};
    return {
      start: async (start) => {
        const placed = inside(start);
        const started = await startInShell(() => shellIn(parts, sandbox), placed);
        forget = parts.watch(started.pid);
        view = { ...view, cwd: placed.cwd };
        prepareNext(sandbox, started.exited);
        return started;
      },
      attach: (start) => attachIn({ sandbox: warm, reserved, folder: parts.folder }, inside(start)),
      network: hosts === "all" ? HOST_NETWORK : warm,
      isCurrent: () => stampOf(guarded) === stamp && parts.placeholders.areThere(reserved),
      blocked: (ended) => blockedAccess(ended, view),
      noteOn: async (ended) => {
        await parts.proxies.keys?.settled();
        return blockedNote(ended, view);
      },
      release: () => {
        forget();
        leave();
        network.release();
        leaveParts();
        parts.removeSoon(forbidden);
      },
    };
  } catch (error) {
    leaveParts();
    throw error;
  }
}

/** Tries twice: a placeholder may be removed before the shell covers it. Rejects as `WarmSandbox.shell` does. */
async function shellIn(parts: SandboxParts, { warm, reserved }: FittingSandbox): Promise<WaitingShell> {
  try {
    return await warm.shell(reserved);
  } catch (error) {
    if (!(error instanceof SandboxStartError) || parts.isClosed) throw error;
    parts.placeholders.renew(reserved);
    return warm.shell(reserved);
  }
}

/** The working directory of a process: the agent directory if the sandbox hides the user's directory, as in a home folder. */
function cwdIn(mounts: Mounts, cwd: string, agentDir: string): string {
  // A link in a private folder may lead to it by another name, and commands can replace that link.
  const real = realPathOrSame(cwd);
  return isThere(mounts, real) ? real : agentDir;
}

async function trialIn(parts: SandboxParts): Promise<string | undefined> {
  // It starts while the plan is made.
  void parts.warm.prepare();
  // The first command finds the same sandbox.
  const leave = parts.use(EXPECTED);
  try {
    const trying = sandboxFor(parts, { purpose: "shell" });
    parts.trying = trying;
    const { warm, reserved } = await trying;
    if ((await warm.trialProblem(reserved)) === undefined) return undefined;
  } catch (error) {
    // A shortage does not justify running without a sandbox: the commands fail and report it.
    if (isShortage(error)) throw error;
  } finally {
    leave();
  }
  const plain = await parts.warm.of({
    mounts: [...ROOT, "--tmpfs", "/run", "--ro-bind", parts.programs.bubblewrap, BUBBLEWRAP_PATH],
    ...{ hosts: [], hasProxy: false, stamp: "", environment: [], prelude: [], hasChannel: false },
  });
  return plain.trialProblem();
}

async function expectIn(parts: SandboxParts): Promise<void> {
  const leave = parts.use(EXPECTED);
  try {
    // The last command had it started.
    if (parts.warm.hasWaitingShell) return;
    const { warm, reserved } = await sandboxFor(parts, { purpose: "shell" });
    warm.prepare(reserved);
  } catch {
    // The command reports it.
  } finally {
    leave();
  }
}

function viewIn(parts: SandboxParts, request: SandboxRequest): SandboxView {
  const { shown, free } = planOf(parts, request);
  return sandboxView(request, parts.options, { mounts: shown, placeholders: free.toSorted() });
}

/** A plan, and the missing paths that commands could create. */
function planOf(parts: SandboxParts, request: SandboxRequest): MountPlan & { readonly free: readonly string[] } {
  parts.workspace?.look();
  const isFree = parts.placeholders.look();
  const plan = mountPlan(request, { ...parts, isFree });
  return { ...plan, free: parts.placeholders.free(parts.reserved(), plan.shown, isFree) };
}

/** A sandbox, and what it protects. */
interface FittingSandbox {
  readonly warm: WarmSandbox;
  readonly hosts: "all" | readonly string[];
  /** Paths in the agent directory that must stay the same files, and the files' identities. */
  readonly guarded: readonly string[];
  readonly stamp: string;
  readonly mounts: Mounts;
  readonly reserved: Reserved;
}

/** How often a sandbox is planned and started before it fails: bubblewrap fails if a file that it mounts is replaced at that moment. */
const STARTS = 3;

async function sandboxFor(parts: SandboxParts, request: SandboxRequest, left = STARTS): Promise<FittingSandbox> {
  try {
    return await startFor(parts, request);
  } catch (error) {
    if (left <= 1 || parts.isClosed || !(error instanceof SandboxStartError)) throw error;
    return sandboxFor(parts, request, left - 1);
  }
}

async function startFor(parts: SandboxParts, request: SandboxRequest): Promise<FittingSandbox> {
  if (parts.isClosed) throw new SandboxStartError(CLOSED);
  const hosts = hostsOf(request, parts.options);
  makeRecords(parts.options);
  const { shown, guarded, named, granted, free } = planOf(parts, request);
  const reserved = parts.placeholders.reserve(free, shown);
  shown.set(BUBBLEWRAP_PATH, { kind: "stand-in", source: parts.programs.bubblewrap });
  for (const [path, source] of parts.proxies.keys?.mounts ?? []) shown.set(path, { kind: "stand-in", source });
  const stamp = stampOf(guarded);
  const warm = await parts.warm.of({
    mounts: [...ROOT, ...mountArguments(shown, parts.privateFolder), ...CLOSED_DEVICES],
    ...{
      hosts,
      hasProxy: hasProxy(request, hosts),
      stamp,
      environment: typeof request.purpose === "string" ? [] : request.purpose.environment.toSorted(),
      prelude: checking([...named, ...granted]),
    },
    hasChannel: request.purpose !== "shell",
  });
  return { warm, hosts, guarded, stamp, mounts: shown, reserved };
}

const temporaryFolder = (environment: Environment): Record<string, string> =>
  Object.fromEntries(TEMPORARY.filter((name) => environment[name]).map((name) => [name, "/tmp"]));
