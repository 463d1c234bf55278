/** Computes a value on first use. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Warn = (message: string) => void;

/** Passes on only the first message. */
export function warnOnce(warn: Warn = () => {}): Warn {
  let hasWarned = false;
  return (message) => {
    if (!hasWarned) warn(message);
    hasWarned = true;
  };
}

/** Passes on each message only once. */
export function warnOfEachOnce(warn: Warn = () => {}): Warn {
  const warned = new Set<string>();
  return (message) => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
}
