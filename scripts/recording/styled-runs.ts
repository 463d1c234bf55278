export interface Style {
  readonly color?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

/** Characters of a row in one style. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly columns: number;
  readonly style: Style;
}

const ESCAPE = String.fromCharCode(27);
const PARTS = new RegExp(`${ESCAPE}\\[([\\d;]*)m|([^${ESCAPE}]+)`, "g");
const BASIC = ["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"] as const;
const BRIGHT = ["#7f848e", "#ef8891", "#b3d99a", "#f0d399", "#84c2f5", "#d79ae8", "#7fcbd4", "#ffffff"] as const;

/** The runs of a row of a terminal, which has no sequences but SGR. */
export function styledRuns(row: string): readonly Run[] {
  const runs: Run[] = [];
  let [style, column]: [Style, number] = [{}, 0];
  for (const [, codes, text = ""] of row.matchAll(PARTS)) {
    if (codes !== undefined) style = styledBy(codes, style);
    if (text === "") continue;
    const columns = Bun.stringWidth(text);
    runs.push({ text, column, columns, style });
    column += columns;
  }
  return runs;
}

function styledBy(codes: string, before: Style): Style {
  const numbers = codes.split(";").map(Number);
  let style = before;
  while (numbers.length > 0) style = applied(numbers, style);
  return style;
}

/** Takes one code, with what belongs to it, from the numbers. */
function applied(numbers: number[], style: Style): Style {
  const code = numbers.shift() ?? 0;
  const { color: _color, ...withoutColor } = style;
  const { background: _background, ...withoutBackground } = style;
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 7) return { ...style, background: "#d7dae0", color: "#15171c" };
  if (code === 27) return {};
  if (code === 39) return withoutColor;
  if (code === 49) return withoutBackground;
  if (code === 38) return { ...style, color: extended(numbers) };
  if (code === 48) return { ...style, background: extended(numbers) };
  const color = BASIC[code - 30] ?? BRIGHT[code - 90];
  return color === undefined ? style : { ...style, color };
}

function extended(numbers: number[]): string {
  if (numbers.shift() === 2) return `rgb(${numbers.splice(0, 3).join(",")})`;
  const index = numbers.shift() ?? 0;
  if (index < 16) return [...BASIC, ...BRIGHT][index] ?? BASIC[7];
  if (index > 231)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(",")})`;
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => levels[part]).join(",")})`;
}
