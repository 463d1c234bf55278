import { attempt, contentHash, failureText } from "@mdx-ai/base";
import { type FileKeeper, type FileRecord, type KeptContent, STEPS } from "@mdx-ai/loop";
import { isFileLine } from "../history/untrusted-lines.ts";
import type { JournaledPrompt } from "../hosts/inbox.ts";
import { resultLine } from "../journal/journal.ts";
import type { SessionPast } from "../session/session.ts";
import { seenFiles, standingPrompts } from "./file-changes.ts";
import { currentHash, KeptContents } from "./kept-contents.ts";

export interface FileKeeperOptions extends JournaledPrompt {
  readonly past: Pick<SessionPast, "folder" | "containsSecret" | "history">;
  /** Receives a warning about content that could not be stored. */
  readonly onWarning: (message: string) => void;
}

/** Journals the files that a prompt's builtin tools read and are about to replace, and stores their earlier content. */
export function fileKeeper({ journal, prompt, journaled, past, onWarning }: FileKeeperOptions): FileKeeper {
  let contents: KeptContents | undefined;
  /** The hashes of what the tools of the prompt wrote last. */
  const left = new Map<string, string>();
  let count = journaled.filter(isFileLine).length;
  const note = (record: FileRecord): void => journal.append(resultLine(prompt, STEPS.file.name(++count), record));
  /** If the content cannot be stored, as on a full disk, records the reason, which an undo reports. */
  const kept = async (path: string, existing: string, content: Uint8Array | undefined): Promise<KeptContent> => {
    // The journal would redact the path.
    if (past.containsSecret(Buffer.from(path))) return { state: "left_out", reason: "its path contains a secret" };
    try {
      contents ??= new KeptContents(past.folder);
      return await contents.keep(existing, { content, isRefused: (bytes) => past.containsSecret(bytes) });
    } catch (error) {
      onWarning(`the content of a file could not be stored, so an undo cannot restore it: ${failureText(error)}`);
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
      // An undo restores the content before the prompt's first write.
      const isOwn = current !== false && current === left.get(path);
      note({ path, ...(!isOwn && { before: await kept(path, existing, before) }), after });
      left.set(path, after);
    },
  };
}
