import { readFileSync } from "node:fs";

const TICK_MS = 10;
const WINDOW_MS = 200;
const PATIENCE_MS = 5000;
/** Cores that other programs may use. */
const QUIET_LOAD = 0.25;

/** Waits until other programs leave the machine idle, at most five seconds. Returns at once on systems other than Linux. */
export async function quietMoment(): Promise<void> {
  if (process.platform !== "linux") return;
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const before = busyTime();
    await Bun.sleep(WINDOW_MS);
    if ((busyTime() - before) / WINDOW_MS <= QUIET_LOAD) return;
  }
}

/** Milliseconds that the machine's cores were busy since it started. */
function busyTime(): number {
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0, stolen = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .slice(0, 200)
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupt + softInterrupt + stolen) * TICK_MS;
}
