#!/usr/bin/env node
// Starts the executable for this machine, which comes as an optional package; in a clone, the source with the clone's
// Bun. Standard streams, signals and the exit code are handed through.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";

const scripts = new URL("../../../scripts/find-bun.mjs", import.meta.url);
const source = new URL("../src/main.ts", import.meta.url);
const isClone = existsSync(scripts) && existsSync(source);
const platformPackage = `@mdx-ai/${process.platform}-${process.arch}`;

const [file, ...args] = isClone ? await sourceCommand() : installedCommand();
if (file === undefined) {
  console.error(
    isClone
      ? "mdx-ai: there is no Bun; run npm start once, which fetches it."
      : `mdx-ai: the package ${platformPackage} is missing; install mdx-ai again with its optional packages.`,
  );
  process.exit(1);
}
run(file, [...args, ...process.argv.slice(2)]);

/**
 * A `.env`, a bunfig.toml or a tsconfig.json of the current folder must not change what runs, nor a missing package come
 * from the network.
 * @returns {Promise<readonly string[]>} empty where there is no Bun
 */
async function sourceCommand() {
  const { findBun } = await import(scripts.href);
  const bun = findBun();
  const settings = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));
  const flags = ["--no-env-file", `--config=${devNull}`, `--tsconfig-override=${settings}`, "--no-install"];
  return bun === undefined ? [] : [bun, ...flags, fileURLToPath(source)];
}

/**
 * @returns {readonly string[]} empty where the package of this machine is missing
 */
function installedCommand() {
  const executable = process.platform === "win32" ? "mdx-ai.exe" : "mdx-ai";
  try {
    return [createRequire(import.meta.url).resolve(`${platformPackage}/bin/${executable}`)];
  } catch {
    return [];
  }
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 */
function run(file, args) {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  // A terminal sends its Ctrl+C to the child as well; sent once more it would count as the second one.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !onTerminal) child?.kill(signal);
    });
  }
  // Only now: a signal that comes between would end the launcher and leave the child behind.
  child = spawn(file, args, { stdio: "inherit" });
  child.on("error", (error) => {
    console.error(`mdx-ai: ${file} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
