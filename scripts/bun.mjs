// Runs the project's Bun: `node scripts/bun.mjs ARGUMENTS`, after setting the clone up if that is still to do.
// Standard streams, signals and the exit code are handed through.
import { spawn } from "node:child_process";
import { SetupError, setUp } from "./setup.mjs";

/** A `.env` must not change what runs, and a missing package must not come from the network. */
const SAFE_FLAGS = ["--no-env-file", "--no-install"];

run(readyBun());

/** @returns {string} */
function readyBun() {
  try {
    return setUp();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`setup: ${error.message}`);
    process.exit(1);
  }
}

/**
 * @param {string} bun
 */
function run(bun) {
  const child = spawn(bun, [...SAFE_FLAGS, ...process.argv.slice(2)], { stdio: "inherit" });

  // A terminal sends its Ctrl+C to the child as well; sending it once more would count as the second one.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !onTerminal) child.kill(signal);
    });
  }

  child.on("error", (error) => {
    console.error(`Cannot start ${bun}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
