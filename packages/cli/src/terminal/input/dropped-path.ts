import { fileURLToPath } from "node:url";

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/**
 * The path of an image that was dropped on the terminal or pasted: absolute, or below `~`; quoted, with escaped spaces, or as a
 * `file:` address. Undefined for any other text.
 */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text === "" || text.includes("\n")) return undefined;
  const path = plainPath(text);
  return path !== undefined && /^(?:\/|~\/)/.test(path) && IMAGE.test(path) ? path : undefined;
}

function plainPath(text: string): string | undefined {
  const quoted = /^'([^']+)'$|^"([^"]+)"$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (text.startsWith("file://")) return pathOfAddress(text);
  // A space that is not escaped may separate two paths, or stand in a sentence.
  return text.replace(/\\(.)/g, "$1");
}

function pathOfAddress(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    // Of another machine, or no address.
    return undefined;
  }
}
