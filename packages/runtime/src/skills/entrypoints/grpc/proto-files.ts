import { isAbsolute, join, relative } from "node:path";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { Root } from "protobufjs";
import { textUpTo } from "../../../files/read-file.ts";
import { realPlaceOrSame } from "../../../files/real-place.ts";
import { EntrypointError } from "../entrypoint.ts";

/** Proto files that one may import, and bytes of one. */
const MOST_FILES = 500;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a proto file of a folder and all that it imports, which may be in that folder alone: regular files, none of them large. Rejects
 * with `EntrypointError`, or as the parser does.
 */
export async function readProtoFiles(folder: string, proto: string): Promise<Root> {
  // Proto files of Google come with the loader.
  await import("@grpc/proto-loader");
  const { Root: ProtoRoot } = await import("protobufjs");
  const root = new ProtoRoot();
  let count = 0;
  root.resolvePath = (_origin, target) => (isAbsolute(target) ? target : join(folder, target));
  root.fetch = (path, callback) => {
    if (typeof callback !== "function") return;
    try {
      count += 1;
      if (count > MOST_FILES)
        throw new EntrypointError(`the proto file ${proto} imports more than ${MOST_FILES} files`);
      // Its types know no call without an error.
      Reflect.apply(callback, undefined, [null, textOf(folder, path)]);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return root.load(proto, { keepCase: true });
}

function textOf(folder: string, path: string): string {
  if (!isWithin(realPlaceOrSame(folder), realPlaceOrSame(path))) {
    throw new EntrypointError(`the proto file ${shown(folder, path)} is not in the folder of the skill`);
  }
  const text = textUpTo(path, MOST_BYTES);
  if (text === undefined)
    throw new EntrypointError(`the proto file ${shown(folder, path)} is missing, no file, or larger than 1 MiB`);
  return text;
}

/** A path as an author wrote it. */
const shown = (folder: string, path: string): string =>
  isWithin(join(folder, ".."), path) ? relative(folder, path) : path;
