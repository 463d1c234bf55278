// `npm run recording`: writes docs/recording.svg, a terminal in which a short story really runs, with a model that replays
// `scripts/recording/*.jsonl`. Needs tmux, and dist/mdx-ai or MDX_AI_EXECUTABLE.
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { animatedSvg } from "./recording/animated-svg.ts";
import { STORY } from "./recording/story.ts";
import { recordTerminal } from "./recording/terminal-frames.ts";

const ROOT = join(import.meta.dir, "..");
const SIZE = { columns: 86, rows: 24 } as const;
const MAX_BYTES = 200_000;

const program = resolve(process.env["MDX_AI_EXECUTABLE"] ?? join(ROOT, "dist/mdx-ai"));
if (!(await Bun.file(program).exists())) throw new Error(`${program} does not exist: npm run build makes it.`);

/** The command of the story: the program, with the replies for what it is to do. */
const WRAPPER = `#!/bin/sh
case "$*" in *resume*) replies=resumed ;; *-p*) replies=ordered ;; *) replies=asked ;; esac
export LLM_MODEL="script:$replies.jsonl"
exec '${program}' "$@"
`;

const home = await mkdtemp(join(tmpdir(), "mdx-ai-recording-"));
try {
  const bin = join(home, ".bin");
  await mkdir(bin);
  await Bun.write(join(bin, "mdx-ai"), WRAPPER);
  await chmod(join(bin, "mdx-ai"), 0o755);
  const materials = join(import.meta.dir, "recording");
  await Bun.write(join(home, "books/agent.mdx"), Bun.file(join(materials, "agent.mdx")));
  for (const name of ["asked", "ordered", "resumed"])
    await Bun.write(join(home, `${name}.jsonl`), Bun.file(join(materials, `${name}.jsonl`)));
  const environment = {
    ...{ HOME: home, PATH: `${bin}:${process.env["PATH"]}`, LANG: "C.UTF-8", PS1: "$ ", TERM: "xterm-256color" },
  };
  Bun.spawnSync([join(bin, "mdx-ai"), "trust", "books", "--edits"], { cwd: home, env: environment });
  const frames = await recordTerminal({ ...SIZE, cwd: home, environment, story: STORY });
  const svg = animatedSvg(frames, SIZE);
  if (svg.length > MAX_BYTES) throw new Error(`The recording has ${svg.length} bytes, more than ${MAX_BYTES}.`);
  await Bun.write(join(ROOT, "docs/recording.svg"), svg);
  const seconds = ((frames.at(-1)?.at ?? 0) / 1000).toFixed(1);
  console.log(`docs/recording.svg: ${frames.length} frames, ${seconds} s, ${Buffer.byteLength(svg)} bytes`);
} finally {
  await rm(home, { recursive: true, force: true });
}
