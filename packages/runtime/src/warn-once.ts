/** Passes on only the first message. */
export function warnOnce(warn: (message: string) => void = () => {}): (message: string) => void {
  let hasWarned = false;
  return (message) => {
    if (!hasWarned) warn(message);
    hasWarned = true;
  };
}
