import { close, fchmodSync, fchownSync, fstatSync, openSync, type Stats } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { PATH_ONLY, pathWithin, realPlaceOrSame, replaceFile, writeContent } from "@mdx-ai/base/disk";
import { meaningOfFile } from "../permissions/named-programs.ts";
import { HeldPathError, type MadePath, makeSettled, untilSettled } from "../sandbox/settled-directory.ts";
import type { FileKeeper, ToolContext } from "../types/tool.ts";
import { FileToolError, type PermittedFile } from "./permitted-file.ts";
import type { Creating, WritableTarget } from "./writable-target.ts";

type WritingContext = Pick<ToolContext, "agentDir" | "cwd" | "signal">;

/** Waits until a file would not be mistaken for a command's. Rejects with `FileToolError`. */
export const refuseUnsettled = (context: WritingContext, file: PermittedFile): Promise<void> =>
  refused(file, () => untilSettled(madePaths(context, file), context.signal));

/** The function for a file rejects with `FileToolError` if a command runs for too long, and with what `create` throws. */
export const creating =
  (context: WritingContext, file: PermittedFile): Creating =>
  (create) =>
    refused(file, () => makeSettled(madePaths(context, file), create, context.signal));

const REASONS: Readonly<Record<MadePath["kind"], string>> = {
  agent: "defines the agent",
  workspace: "runs code on its own",
};

async function refused<Result>({ path }: PermittedFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HeldPathError)) throw error;
    const reason = `it ${REASONS[error.kind]}, and a command of the agent runs`;
    throw new FileToolError(`${JSON.stringify(path)} cannot be created now: ${reason}; try again when that has ended`);
  }
}

function madePaths({ agentDir, cwd }: WritingContext, { path, permitted = path }: PermittedFile): readonly MadePath[] {
  const within = (folder: string, kind: MadePath["kind"]): readonly MadePath[] => {
    const real = realPlaceOrSame(folder);
    const relative = pathWithin(real, permitted);
    const isFree = relative === undefined || (kind === "workspace" && meaningOfFile(real, permitted) === undefined);
    return isFree ? [] : [{ folder: real, kind, path: relative }];
  };
  return [...within(agentDir, "agent"), ...(cwd === agentDir ? [] : within(cwd, "workspace"))];
}

export interface NewContent {
  /** The file. Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What is replaced, if that is known. */
  readonly before?: Uint8Array;
  /** Keeps the content that is replaced. */
  readonly keeper?: FileKeeper | undefined;
  /** What can be done while it is written. */
  readonly meanwhile?: () => void;
  /** Gives a new file its name. */
  readonly create?: Creating;
}

/**
 * Replaces a file, whose owner and mode stay, or creates it; returns whether there was one. It is not synced, as an editor would not:
 * after a power cut a change of the last seconds may be lost. Rejects with the system's error.
 */
export async function replaceContent(
  { path, existing }: WritableTarget,
  { path: real, bytes, before, keeper, meanwhile, create }: NewContent,
): Promise<boolean> {
  const held = existing && attempt(() => openSync(path, PATH_ONLY));
  try {
    await replaceFile({
      path,
      mode: existing ? 0o600 : 0o666,
      isDispensable: true,
      ...(existing === undefined && create && { publish: create }),
      fill: async (draft) => {
        const written = writeContent(draft, bytes);
        // It may fail before it is waited for, as on a full disk: that must not end the process.
        written.catch(() => {});
        try {
          await keeper?.keep({ path: real, existing: path, ...(before && { before }), content: bytes });
          meanwhile?.();
        } finally {
          await written;
        }
        if (existing) keepOwnerAndMode(draft, existing);
      },
    });
  } finally {
    // The system removes the replaced content now, not while the tool's result is waited for: it may wait for the disk.
    if (held !== undefined) close(held, () => {});
  }
  return existing !== undefined;
}

/** Gives a new file the owner and the mode of the one that it replaces. Throws the system's error. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) attempt(() => fchownSync(file, uid, gid));
  fchmodSync(file, mode & 0o7777);
}
