import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";

const DEADLINE_MILLISECONDS = 100_000;

/**
 * Waits until a condition holds: until it is true, or until what it expects no longer throws. Fails after a time that only a broken program
 * needs, with what was last expected, with what `seen` says, or with the condition as it is written.
 */
export async function eventually(holds: () => unknown, seen?: () => string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MILLISECONDS;
  for (;;) {
    const failure = await failureOf(holds);
    if (failure === undefined) return;
    if (performance.now() > deadline) {
      throw seen === undefined
        ? failure
        : new Error(`It never held: ${holds}\nLast seen: ${seen()}`, { cause: failure });
    }
    await Bun.sleep(10);
  }
}

async function failureOf(holds: () => unknown): Promise<unknown> {
  try {
    return (await holds()) === false ? new Error(`It never held: ${holds}`) : undefined;
  } catch (error) {
    return error;
  }
}

/** Waits until there is a file or a folder. */
export const untilExists = (path: string): Promise<void> =>
  eventually(
    () => existsSync(path),
    () => `${path} is missing; its folder has ${listed(dirname(path))}`,
  );

const listed = (folder: string): string => (existsSync(folder) ? readdirSync(folder).join(", ") : "not come either");
