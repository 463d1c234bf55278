import { attempt, contentHash, failureText } from "@mdx-ai/base";
import { type FileKeeper, type FileRecord, type KeptContent, STEPS } from "@mdx-ai/loop";
import { isFileLine } from "../history/file-lines.ts";
import type { JournaledPrompt } from "../hosts/inbox.ts";
import { resultLine } from "../journal/journal.ts";
import type { SessionPast } from "../session/session.ts";
import { seenFiles, standingPrompts } from "./file-changes.ts";
import { currentHash, KeptContents } from "./kept-contents.ts";

export interface FileKeeperOptions extends JournaledPrompt {
  readonly past: Pick<SessionPast, "folder" | "containsSecret" | "history">;
  /** Receives what could not be kept. */
  readonly onWarning: (message: string) => void;
}

/** Journals the files that the builtin tools of a prompt read and are about to replace, and keeps what is replaced. */
export function fileKeeper({ journal, prompt, journaled, past, onWarning }: FileKeeperOptions): FileKeeper {
  let contents: KeptContents | undefined;
  /** The hashes of what the tools of the prompt wrote last. */
  const left = new Map<string, string>();
  let count = journaled.filter(isFileLine).length;
  const note = (record: FileRecord): void => journal.append(resultLine(prompt, STEPS.file.name(++count), record));
  /** Without a content that cannot be kept, as on a full disk; an undo then names the file and the reason. */
  const kept = async (path: string, existing: string, content: Uint8Array | undefined): Promise<KeptContent> => {
    // The journal would not hold the path as it is.
    if (past.containsSecret(Buffer.from(path))) return { state: "left_out", reason: "its path contains a secret" };
    try {
      contents ??= new KeptContents(past.folder);
      return await contents.keep(existing, { content, isRefused: past.containsSecret });
    } catch (error) {
      onWarning(`the content of a file is not kept, and cannot be restored: ${failureText(error)}`);
      return { state: "left_out", reason: failureText(error) };
    }
  };
  return {
    saw: ({ path, version = "", hash }) =>
      void attempt(() => note({ path, seen: { version, ...(hash !== undefined && { hash }) } })),
    seen: () => attempt(() => seenFiles(standingPrompts(past.history()))) ?? new Map(),
    keep: async ({ path, existing, before, content }) => {
      const after = contentHash(content);
      const current = left.has(path) && (before ? contentHash(before) : currentHash(existing));
      // An undo restores what was there before the tools of the prompt wrote it.
      const isOwn = current !== false && current === left.get(path);
      note({ path, ...(!isOwn && { before: await kept(path, existing, before) }), after });
      left.set(path, after);
    },
  };
}
