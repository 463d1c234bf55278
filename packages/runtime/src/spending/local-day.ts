/** A day of the local time zone; milliseconds since 1970. */
export interface LocalDay {
  readonly start: number;
  /** The first moment of the next day. */
  readonly end: number;
}

/** The day of a moment; it has 23 to 25 hours when the clocks change. */
export function localDay(time: number): LocalDay {
  const midnight = new Date(time).setHours(0, 0, 0, 0);
  const date = new Date(midnight);
  return { start: midnight, end: new Date(date.setDate(date.getDate() + 1)).setHours(0, 0, 0, 0) };
}

/** Whether a moment is in a day. */
export const isWithinDay = ({ start, end }: LocalDay, time: number): boolean => start <= time && time < end;
