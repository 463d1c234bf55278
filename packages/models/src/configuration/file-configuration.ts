import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { positionIn } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";
import { ConfigurationError } from "../errors.ts";
import type { Configuration } from "./configuration.ts";
import { MAX_CHARACTERS, readConfiguration } from "./read-configuration.ts";

/**
 * Reads a configuration from a YAML or JSON file or pipe. `file` appears in messages as given. Rejects with `ConfigurationError`, which
 * never quotes the content of an invalid file.
 *
 * Import this file lazily: it loads the YAML parser.
 */
export async function readConfigurationFile(file: string, cwd: string): Promise<Configuration> {
  const text = decoded(await readBytes(file, cwd), file);
  const yaml = readYamlMap(text);
  const positionAt = (offset: number): string => `${file}:${positionIn(text, offset)}`;
  const [problem] = [...yaml.problems, ...yaml.warnings];
  // The original message may quote a key.
  if (problem !== undefined) {
    const message = `unexpected YAML (${problem.code}), expected fields such as vendor: anthropic`;
    throw new ConfigurationError(positionAt(problem.offset), message);
  }
  return readConfiguration(yaml, ({ start }) => positionAt(start));
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    // Reads one byte beyond the limit to detect longer files; a device would never end.
    for await (const chunk of createReadStream(resolve(cwd, file), { end: MAX_CHARACTERS })) chunks.push(chunk);
  } catch (cause) {
    throw new ConfigurationError(file, `cannot read the file (${reasonOf(cause)})`, { cause });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > MAX_CHARACTERS) throw new ConfigurationError(file, `is longer than ${MAX_CHARACTERS} bytes`);
  return bytes;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a folder of its path is a file",
  ELOOP: "its link leads to itself",
  EACCES: "permission is denied",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : error;
  return REASONS[String(code)] ?? String(code);
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigurationError(file, "is not UTF-8", { cause });
  }
}
