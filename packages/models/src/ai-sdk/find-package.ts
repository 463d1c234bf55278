import { existsSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelError } from "../errors/model-error.ts";

/** A package's name, with its scope if it has one, and perhaps the way to one of its entries. */
const specifier = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:\/[a-z0-9~][\w.~-]*)*$/i;

/**
 * Finds an installed package by its name, such as `@ai-sdk/google` or `@ai-sdk/google-vertex/anthropic`, in the
 * `node_modules` of one of the folders; the first that has it counts, and none above it does. Gives the URL of its code.
 * Nothing is ever installed: Bun does that for a name that it cannot find, so it is asked only for what is there.
 * Throws `ModelError` for a name that is none, and for a package that is not there or has no such entry.
 */
export function findPackage(name: string, folders: readonly string[]): string {
  const [, packageName] = specifier.exec(name) ?? [];
  if (packageName === undefined) throw new ModelError(`${JSON.stringify(name)} is not the name of a package`);
  const folder = folders.find((start) => isInstalled(packageName, start));
  if (folder === undefined)
    throw new ModelError(`${packageName} is not installed. ${howToInstall(packageName, folders)}`);
  return pathToFileURL(codeOf(name, folder)).href;
}

function codeOf(name: string, folder: string): string {
  const { file, cause } = resolved(name, folder);
  // A part of Bun has no file, whatever is installed under its name.
  if (file !== undefined && isAbsolute(file)) return file;
  throw new ModelError(`${name} in ${folder} has no code that can be imported`, { cause });
}

function resolved(name: string, folder: string): { readonly file?: string; readonly cause?: unknown } {
  try {
    return { file: Bun.resolveSync(name, folder) };
  } catch (cause) {
    return { cause };
  }
}

const isInstalled = (packageName: string, folder: string): boolean =>
  existsSync(join(folder, "node_modules", packageName, "package.json"));

function howToInstall(packageName: string, folders: readonly string[]): string {
  // Within an installed package nobody installs another one.
  const folder = folders.find((path) => !path.split(sep).includes("node_modules"));
  const place = folder === undefined ? "" : ` in ${folder}`;
  return `Install it${place}: bun add ${packageName}, or npm install ${packageName}.`;
}
