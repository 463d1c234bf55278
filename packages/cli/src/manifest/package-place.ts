import { sep } from "node:path";

/** Where a file of an installed package stands. */
export interface PackagePlace {
  /** Such as `@scope/name`. */
  readonly name: string;
  /** The package's folder. */
  readonly folder: string;
  /** The file within it. */
  readonly path: string;
}

const FOLDER = `${sep}node_modules${sep}`;

/** The package that a file belongs to; undefined for a file of nobody's. */
export function packageOf(file: string): PackagePlace | undefined {
  const start = file.lastIndexOf(FOLDER);
  if (start < 0) return undefined;
  const [first = "", second = "", ...rest] = file.slice(start + FOLDER.length).split(sep);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const folder = file.slice(0, start + FOLDER.length) + name.split("/").join(sep);
  const path = first.startsWith("@") ? rest : [second, ...rest];
  return { name, folder, path: path.join("/") };
}
