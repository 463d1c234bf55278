const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds as exactly as they matter: "12 ms", "1.24 s", "3 min 5 s", "8 h 12 min", "2 d 4 h". */
export function lengthText(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return `${whole} ms`;
  if (whole < 59_995) return `${Math.round(whole / 10) / 100} s`;
  const seconds = Math.round(whole / SECOND) * SECOND;
  if (seconds < HOUR) return pair(seconds, [MINUTE, "min"], [SECOND, "s"]);
  const minutes = Math.round(whole / MINUTE) * MINUTE;
  if (minutes < DAY) return pair(minutes, [HOUR, "h"], [MINUTE, "min"]);
  return pair(Math.round(whole / HOUR) * HOUR, [DAY, "d"], [HOUR, "h"]);
}

type Unit = readonly [length: number, name: string];

function pair(length: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.round((length % large) / small);
  return `${Math.floor(length / large)} ${largeName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}
