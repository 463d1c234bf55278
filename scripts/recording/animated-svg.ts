import { type Style, styledRuns } from "./styled-runs.ts";
import type { Frame } from "./terminal-frames.ts";

const CELL = { width: 8.4, height: 18 } as const;
const PADDING = 14;
const COLORS = { background: "#15171c", text: "#d7dae0" } as const;

/** A terminal as an SVG without scripts: the frames are below each other, and CSS moves the strip. A row is drawn once. */
export function animatedSvg(
  frames: readonly Frame[],
  size: { readonly columns: number; readonly rows: number },
): string {
  const rows = [...new Set(frames.flatMap((frame) => frame.rows))].filter((row) => Bun.stripANSI(row).trim() !== "");
  const names = new Map(rows.map((row, index) => [row, `r${index}`]));
  const [width, height] = [size.columns * CELL.width, size.rows * CELL.height];
  const outer = { width: width + 2 * PADDING, height: height + 2 * PADDING };
  const duration = frames.at(-1)?.at ?? 0;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${outer.width} ${outer.height}" role="img">`,
    "<title>A terminal: an agent is read, tested, asked, killed and resumed</title>",
    `<style>${style(frames, { duration, height })}</style>`,
    `<rect width="${outer.width}" height="${outer.height}" rx="8" fill="${COLORS.background}"/>`,
    `<defs>${rows.map((row, index) => `<g id="r${index}">${drawnRow(row)}</g>`).join("")}</defs>`,
    `<clipPath id="screen"><rect width="${width}" height="${height}"/></clipPath>`,
    `<g transform="translate(${PADDING} ${PADDING})" clip-path="url(#screen)"><g class="strip">`,
    ...frames.map((frame, index) => drawnFrame(frame, { top: index * height, names })),
    "</g></g></svg>",
    "",
  ].join("\n");
}

function style(
  frames: readonly Frame[],
  { duration, height }: { readonly duration: number; readonly height: number },
): string {
  const moves = frames.map(({ at }, index) => {
    const percent = ((at / duration) * 100).toFixed(2);
    return `${percent}%{transform:translateY(${-index * height}px)}`;
  });
  const last = (frames.length - 1) * height;
  return [
    `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${COLORS.text};white-space:pre}`,
    `@keyframes play{${moves.join("")}}`,
    `.strip{animation:play ${duration + 2000}ms steps(1,end) infinite}`,
    `@media (prefers-reduced-motion:reduce){.strip{animation:none;transform:translateY(${-last}px)}}`,
  ].join("");
}

function drawnFrame(
  frame: Frame,
  { top, names }: { readonly top: number; readonly names: ReadonlyMap<string, string> },
): string {
  return frame.rows
    .flatMap((row, index) => {
      const name = names.get(row);
      return name === undefined ? [] : [`<use href="#${name}" y="${top + index * CELL.height}"/>`];
    })
    .join("");
}

function drawnRow(row: string): string {
  return styledRuns(row)
    .map(({ text, column, columns, style: look }) => {
      const [x, length] = [(column * CELL.width).toFixed(1), (columns * CELL.width).toFixed(1)];
      const background =
        look.background === undefined
          ? ""
          : `<rect x="${x}" width="${length}" height="${CELL.height}" fill="${look.background}"/>`;
      if (text.trim() === "") return background;
      return `${background}<text x="${x}" y="${CELL.height - 5}" textLength="${length}"${attributes(look)}>${Bun.escapeHTML(text)}</text>`;
    })
    .join("");
}

const attributes = ({ color, isBold, isDim }: Style): string =>
  [
    color === undefined ? "" : ` style="fill:${color}"`,
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' opacity=".6"' : "",
  ].join("");
