import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { hasProcess } from "@mdx-ai/base/disk";
import { removeStalePlaceholders } from "./placeholders.ts";

/** The id of the process that made an unnamed file before it lost its name, the socket of a proxy, or a file of certificates. */
const MAKER = /^(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.(?:tmp|sock|pem)$/;

/** Removes files and placeholders that killed processes left in the folder that all sandboxes of the user share. Never throws. */
export function removeStale(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const [, maker] = MAKER.exec(name) ?? [];
    if (maker !== undefined && !hasProcess(Number(maker))) attempt(() => rmSync(join(folder, name), { force: true }));
  }
  removeStalePlaceholders(folder);
}
