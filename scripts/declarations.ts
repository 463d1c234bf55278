import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { importSources } from "./imports/import-sources.ts";

const ROOT = join(import.meta.dir, "..");

/** The type declarations could not be written; the message is the compiler's. */
class DeclarationError extends Error {
  override readonly name = "DeclarationError";
}

/**
 * Writes the declarations that `entry`, a source file of one package, needs into a folder, those of the other packages
 * of the house included, so that they stand on their own. Returns the entry's declaration, relative to the folder.
 */
export async function writeDeclarations(entry: string, folder: string): Promise<string> {
  const emitted = await mkdtemp(join(tmpdir(), "mdx-ai-declarations-"));
  try {
    await emitDeclarations(emitted);
    const waiting = [declarationOf(relative(join(ROOT, "packages"), entry))];
    const written = new Set<string>();
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (written.has(file)) continue;
      written.add(file);
      waiting.push(...(await writeDeclaration({ emitted, file, folder })));
    }
    return declarationOf(relative(join(ROOT, "packages"), entry));
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

async function emitDeclarations(folder: string): Promise<void> {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const output = ["--noEmit", "false", "--emitDeclarationOnly", "--rootDir", ROOT, "--outDir", folder];
  const flags = ["-p", ROOT, ...output, "--noCheck"];
  const child = Bun.spawn([process.execPath, compiler, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const complaints = await child.stdout.text();
  if ((await child.exited) !== 0) throw new DeclarationError(complaints.trim());
}

interface Declaration {
  readonly emitted: string;
  /** Relative to the folder of packages, as in `runtime/src/types/tool.d.ts`. */
  readonly file: string;
  readonly folder: string;
}

/** Returns the declarations that this one imports. */
async function writeDeclaration({ emitted, file, folder }: Declaration): Promise<readonly string[]> {
  const text = await throughEntries(await Bun.file(join(emitted, "packages", file)).text(), file);
  const needed: string[] = [];
  let standing = text;
  for (const { value, start, end } of importSources(file, text).toReversed()) {
    const target = value.startsWith(".") ? join(dirname(file), value) : await packageEntry(value);
    needed.push(declarationOf(target));
    const path = relative(dirname(file), target).replace(/\.ts$/, ".js");
    standing = `${standing.slice(0, start)}"${path.startsWith(".") ? path : `./${path}`}"${standing.slice(end)}`;
  }
  await Bun.write(join(folder, file), standing);
  return needed;
}

const NAMED_IMPORT = /^(import|export)( type)? \{([^}]*)\} from "(@mdx-ai\/[^"]+)";$/gm;

/** Imports each name from the file that defines it, since an entry exports more than authors see. */
async function throughEntries(text: string, file: string): Promise<string> {
  let standing = text;
  for (const [whole, keyword = "", type = "", names = "", entry = ""] of text.matchAll(NAMED_IMPORT)) {
    const target = await packageEntry(entry);
    const origins = await originsOf(target);
    const lines = names.split(",").flatMap((name) => {
      const written = name.trim();
      if (written === "") return [];
      const origin = origins.get(written.replace(/^type /, "").replace(/ as .*$/, ""));
      const from = relative(dirname(file), origin ?? target);
      return [`${keyword}${type} { ${written} } from "${from.startsWith(".") ? from : `./${from}`}";`];
    });
    standing = standing.replace(whole, () => lines.join("\n"));
  }
  return standing;
}

const REEXPORT = /^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";$/gms;

/** The files from which an entry exports its names, relative to the folder of packages. */
async function originsOf(entry: string): Promise<ReadonlyMap<string, string>> {
  const text = await Bun.file(join(ROOT, "packages", entry)).text();
  const origins = new Map<string, string>();
  for (const [, names = "", path = ""] of text.matchAll(REEXPORT)) {
    for (const name of names.split(",")) {
      const written = name.trim().replace(/^type /, "");
      // A renamed export keeps its way through the entry.
      if (!written.includes(" as ")) origins.set(written, join(dirname(entry), path));
    }
  }
  return origins;
}

/** Only entries of this project's packages may appear in the types for authors. */
async function packageEntry(specifier: string): Promise<string> {
  const [, name = "", entry = ""] = /^@mdx-ai\/([a-z]+)(\/.+)?$/.exec(specifier) ?? [];
  const manifest = Bun.file(join(ROOT, "packages", name, "package.json"));
  const target: unknown = name === "" ? undefined : (await manifest.json()).exports[`.${entry}`];
  if (typeof target !== "string")
    throw new DeclarationError(`The public types need "${specifier}", which is not shipped.`);
  return join(name, target);
}

const declarationOf = (source: string): string => source.replace(/\.ts$/, ".d.ts");
