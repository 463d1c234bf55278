/** Resolves when `grep` believes what ripgrep finds in folders that were just made: it doubts what has changed since it began, or shortly before. */
export const untilOld = (): Promise<void> => Bun.sleep(100);
