import { isRecord } from "@mdx-ai/base";

/** A file or a symbolic link of an agent, by its path in the directory, separated by "/". */
export type ArchivedFile =
  | { readonly path: string; readonly content: Uint8Array; readonly isExecutable: boolean }
  | { readonly path: string; readonly link: string };

/** The files of an agent in an executable. */
export interface AgentArchive {
  /** The agent's name in lower-case words with hyphens: its folder in the user's state. */
  readonly name: string;
  readonly version?: string;
  readonly files: readonly ArchivedFile[];
}

/** The archive cannot be read. */
class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** The head of an archive: JSON before the contents of the files. */
interface Head {
  readonly name: string;
  readonly version?: string;
  readonly files: readonly ({ readonly path: string; readonly size: number; readonly run?: true } | LinkHead)[];
}

interface LinkHead {
  readonly path: string;
  readonly link: string;
}

const HEAD_SIZE = 4;

/** The bytes of an archive: the same for the same files. */
export function archiveBytes({ files, ...parts }: AgentArchive): Uint8Array {
  const heads = files.map((file) =>
    "link" in file
      ? file
      : { path: file.path, size: file.content.length, ...(file.isExecutable && { run: true as const }) },
  );
  const head = new TextEncoder().encode(JSON.stringify({ ...parts, files: heads } satisfies Head));
  const size = new Uint8Array(HEAD_SIZE);
  new DataView(size.buffer).setUint32(0, head.length, true);
  return Buffer.concat([size, head, ...files.flatMap((file) => ("link" in file ? [] : [file.content]))]);
}

/** The archive in these bytes. Throws `ArchiveError`. */
export function parseArchive(bytes: Uint8Array): AgentArchive {
  const start = HEAD_SIZE + new DataView(bytes.buffer, bytes.byteOffset, HEAD_SIZE).getUint32(0, true);
  const head: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD_SIZE, start)));
  if (!isHead(head)) throw new ArchiveError("the agent in the executable is damaged; build it again");
  let at = start;
  const files = head.files.map((file): ArchivedFile => {
    if ("link" in file) return file;
    const content = bytes.subarray(at, at + file.size);
    at += file.size;
    return { path: file.path, content, isExecutable: file.run === true };
  });
  return { ...head, files };
}

const isHead = (value: unknown): value is Head =>
  isRecord(value) && typeof value["name"] === "string" && Array.isArray(value["files"]);
