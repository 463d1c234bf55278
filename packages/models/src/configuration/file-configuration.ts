import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { positionIn } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";
import { ConfigurationError } from "../errors.ts";
import type { Configuration } from "./configuration.ts";
import { MAX_CHARACTERS, readConfiguration } from "./read-configuration.ts";

/**
 * Reads a configuration from a file of YAML or JSON, which YAML includes; a pipe will do. `file` is shown as it is given.
 * Rejects with `ConfigurationError`, which quotes nothing of a broken file.
 *
 * This file loads the YAML parser, so it is to be imported when first used.
 */
export async function readConfigurationFile(file: string, cwd: string): Promise<Configuration> {
  const text = decoded(await readBytes(file, cwd), file);
  const yaml = readYamlMap(text);
  const positionAt = (offset: number): string => `${file}:${positionIn(text, offset)}`;
  const [problem] = [...yaml.problems, ...yaml.warnings];
  // The message itself may quote a key.
  if (problem !== undefined) {
    const message = `unexpected YAML (${problem.code}), expected fields such as vendor: anthropic`;
    throw new ConfigurationError(positionAt(problem.offset), message);
  }
  return readConfiguration(yaml, ({ start }) => positionAt(start));
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    // One byte more than may be, so that what is too long shows; a device would never end.
    for await (const chunk of createReadStream(resolve(cwd, file), { end: MAX_CHARACTERS })) chunks.push(chunk);
  } catch (cause) {
    throw new ConfigurationError(file, `cannot read the file (${reasonOf(cause)})`, { cause });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > MAX_CHARACTERS) throw new ConfigurationError(file, `is longer than ${MAX_CHARACTERS} bytes`);
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
