import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { isMap, isNode, isScalar, type Pair } from "yaml";
import { ConfigurationError } from "../errors.ts";
import { type LocatedDocument, parseLocated } from "../located-yaml.ts";
import type { Configuration } from "./configuration.ts";
import { mostCharacters, readFields, type WrittenField } from "./read-fields.ts";

/**
 * Reads a configuration from a file of YAML or JSON, which YAML includes; a pipe will do. `file` is shown as it is given.
 * Rejects with `ConfigurationError`, which quotes nothing of a broken file.
 *
 * This file loads the YAML parser, so it is to be imported when first used.
 */
export async function readConfigurationFile(file: string, cwd: string): Promise<Configuration> {
  const text = decoded(await readBytes(file, cwd), file);
  const { document, at } = parseLocated(text, { logLevel: "error" });
  const positionAt = (offset: number): string => `${file}:${at(offset)}`;
  const problem = document.errors[0] ?? document.warnings[0];
  // The message itself may quote a key.
  if (problem !== undefined)
    throw unexpected(positionAt(problem.pos[0]), problem.code.toLowerCase().replaceAll("_", " "));
  return readFields(writtenFields(document, positionAt));
}

function unexpected(position: string, what: string): ConfigurationError {
  return new ConfigurationError(position, `unexpected YAML (${what}), expected fields such as vendor: anthropic`);
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    // One byte more than may be, so that what is too long shows; a device would never end.
    for await (const chunk of createReadStream(resolve(cwd, file), { end: mostCharacters })) chunks.push(chunk);
  } catch (cause) {
    throw new ConfigurationError(file, `cannot read the file (${reasonOf(cause)})`, { cause });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > mostCharacters) throw new ConfigurationError(file, `is longer than ${mostCharacters} bytes`);
  return bytes;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : error;
  if (code === "ENOENT") return "no such file";
  return code === "EISDIR" ? "it is a folder" : String(code);
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigurationError(file, "is not UTF-8", { cause });
  }
}

/** One by one, so that the first mistake spares the rest: many aliases take long. */
function* writtenFields(
  document: LocatedDocument["document"],
  positionAt: (offset: number) => string,
): Iterable<WrittenField> {
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return;
  if (!isMap(contents)) throw unexpected(positionAt(contents.range?.[0] ?? 0), "no map of fields");
  for (const pair of contents.items) yield writtenField(pair, document, positionAt);
}

function writtenField(
  pair: Pair,
  document: LocatedDocument["document"],
  positionAt: (offset: number) => string,
): WrittenField {
  const { key, value } = pair;
  const position = positionAt(startOf(key) ?? 0);
  const valuePosition = positionAt(startOf(value) ?? startOf(key) ?? 0);
  if (!isScalar(key)) throw unexpected(position, "no name of a field");
  try {
    const plain: unknown = isNode(value) ? value.toJS(document, { maxAliasCount: 10 }) : value;
    return { name: String(key.value), value: plain, position, valuePosition };
  } catch {
    throw unexpected(valuePosition, "aliases that go in circles or are too many");
  }
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
