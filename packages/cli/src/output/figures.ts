const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A whole number with its thousands set apart: "1,234,567". */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 token", "1,234 tokens". */
export const countedTokens = (count: number): string => `${grouped(count)} token${count === 1 ? "" : "s"}`;

/** US dollars as exactly as they matter: "$1,234.50", "$0.0123", "$0.000042", "$0". */
export function dollars(amount: number): string {
  if (amount <= 0) return "$0";
  // Two digits that count, at least cents and never more than a billionth.
  const digits = amount >= 1 ? 2 : Math.min(9, Math.max(4, 1 - Math.floor(Math.log10(amount))));
  const [whole = "", part = ""] = amount.toFixed(digits).split(".");
  return `$${grouped(Number(whole))}.${part.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** Milliseconds for people: "0.4 s", "2 s", "3 min 5 s". */
export function duration(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(milliseconds / SECOND);
  return `${Math.floor((seconds * SECOND) / MINUTE)} min ${seconds % 60} s`;
}
