const PRINTING = ["log", "info", "debug", "warn", "error", "trace"] as const;

/**
 * From now on each call of `console` becomes one message. Modules run in this process: what they print
 * must neither mix with an answer or with JSON on standard output, nor reach a terminal as it is.
 */
export function divertConsole(tell: (message: string) => void): void {
  const say = (...values: readonly unknown[]): void => tell(`a module prints: ${format(values)}`);
  for (const method of PRINTING) console[method] = say;
  console.dir = (value: unknown) => say(value);
  console.table = (value: unknown) => say(value);
}

/** Loaded when it is first needed: most modules print nothing. */
const format = (values: readonly unknown[]): string => process.getBuiltinModule("node:util").format(...values);
