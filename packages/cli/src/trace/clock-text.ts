/** In the local time zone: "2026-03-01 14:05:09"; undefined for what no date can stand for. */
export function momentText(time: number | undefined): string | undefined {
  const date = dateOf(time);
  return date && `${dayOf(date)} ${timeOf(date)}`;
}

/** The same without the day: "14:05:09". */
export function timeText(time: number | undefined): string | undefined {
  const date = dateOf(time);
  return date && timeOf(date);
}

function dateOf(time: number | undefined): Date | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const timeOf = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

const two = (value: number): string => String(value).padStart(2, "0");
