/** Whether a value is the name of a time zone that this machine knows, such as `Europe/Vienna`; an offset is none. */
export function isTimeZone(name: unknown): boolean {
  if (typeof name !== "string" || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
