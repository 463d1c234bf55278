import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { FrontEnd } from "../front-end.ts";
import { agreedHash, type Manifest } from "../manifest/manifest.ts";
import { editFiles } from "../paths.ts";
import { keepTrustOf, trustRecord } from "./trust-state.ts";

/** The hashes of two states: the trusted one before a change, and the one after it, which the user agreed to. */
export interface AgreedEdit {
  readonly before: string;
  readonly after: string;
}

/** Remembers what the user agreed to until that state is trusted, also if the process is killed; returns what forgets it. Throws the file system's error. */
export function rememberAgreed(directory: string, { before, after }: AgreedEdit, frontEnd: FrontEnd): () => void {
  const file = editFiles(directory, frontEnd.environment)?.agreed;
  if (file === undefined) return () => {};
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFileSync({ path: file, text: `${before} ${after}`, mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Trusts a directory in its current state if its user agreed to that very change of the trusted state; resolves to whether it did. */
export async function keepAgreed(directory: AgentDirectory, manifest: Manifest, frontEnd: FrontEnd): Promise<boolean> {
  const file = editFiles(directory.realPath, frontEnd.environment)?.agreed;
  const text = file && attempt(() => readFileSync(file, "utf8"));
  if (!text || text !== `${trustRecord(directory, frontEnd)?.hash} ${agreedHash(manifest)}`) return false;
  await keepTrustOf(directory, manifest, frontEnd);
  attempt(() => rmSync(file, { force: true }));
  return true;
}
