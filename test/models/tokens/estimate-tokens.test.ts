import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@mdx-ai/models/tokens";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const ROOT = join(import.meta.dir, "../../..");

const tokensOf = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/** Files of a folder. */
type Source = readonly [folder: string, pattern: string];

/** Files large enough to tell something, and some of them where there are many. */
function corpus(sources: readonly Source[], most = 25): readonly string[] {
  const paths = sources.flatMap(([folder, pattern]) =>
    [...new Bun.Glob(pattern).scanSync({ cwd: join(ROOT, folder), absolute: true })].toSorted(),
  );
  const texts = paths.map((path) => readFileSync(path, "utf8").slice(0, 50_000));
  const large = texts.filter((text) => text.length >= 1_800);
  const step = Math.max(1, Math.floor(large.length / most));
  return large.filter((_text, place) => place % step === 0);
}

const installed = (pattern: string, ...packages: readonly string[]): readonly Source[] =>
  packages.map((name) => [`node_modules/${name}`, pattern]);

test.each<[string, readonly Source[]]>([
  [
    "Markdown",
    [[".", "{,docs/}*.md"], ...installed("*.md", "fast-check", "knip", "@copilotkit/aimock", "gpt-tokenizer")],
  ],
  ["English prose", installed("{LICENSE,ThirdParty}*", "typescript", "@ai-sdk/anthropic", "@biomejs/biome", "knip")],
  [
    "TypeScript",
    [["packages", "*/src/**/*.ts"], ["test", "**/*.test.ts"], ...installed("src/**/*.ts", "@ai-sdk/anthropic")],
  ],
  ["type declarations", installed("{dist,esm}/**/*.d.ts", "@earendil-works/pi-ai", "@earendil-works/pi-agent-core")],
  ["JavaScript", installed("dist/**/*.js", "@earendil-works/pi-ai", "@earendil-works/pi-agent-core", "knip")],
  ["Python", [["test/models/tokens/fixtures", "*.py"]]],
  [
    "JSON",
    [[".", "{,packages/*/,docs/}*.json"], ...installed("package.json", "knip", "typescript", "@ai-sdk/provider")],
  ],
])(
  "the estimate of %s is within 15 %% of what a tokenizer counts, in all and for nine files of ten",
  (_name, sources) => {
    const counts = corpus(sources).map((text) => ({ estimate: estimateTokens(text), tokens: tokensOf(text) }));
    expect(counts.length).toBeGreaterThan(0);
    const sum = (name: "estimate" | "tokens"): number => counts.reduce((total, count) => total + count[name], 0);
    expect(sum("estimate") / sum("tokens")).toBeWithin(0.85, 1.15);
    const far = counts.filter(({ estimate, tokens }) => Math.abs(estimate / tokens - 1) > 0.15);
    expect(far.length).toBeLessThanOrEqual(counts.length / 10);
  },
);

const random = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, place) => (place * 2654435761) >>> 13));

test.each([
  ["Base64", random(20_000).toString("base64")],
  ["hexadecimal digits", random(20_000).toString("hex")],
  ["Chinese", "今天天气很好，我们去公园散步吧。".repeat(200)],
  ["Arabic", "الطقس جميل جدا اليوم، فلنذهب للتنزه في الحديقة. ".repeat(200)],
  ["Thai", "วันนี้อากาศดีมากเราไปเดินเล่นในสวนสาธารณะกันเถอะ ".repeat(200)],
  ["Russian", "Доброе утро, мир. Как у тебя дела сегодня? ".repeat(200)],
  ["emoji", "🎉🚀👨‍👩‍👧 ".repeat(500)],
  [
    "a log",
    Array.from({ length: 300 }, (_, n) => `2026-11-22T01:28:${n % 60}Z INFO [worker-${n}] GET /users/${n} 200`).join(
      "\n",
    ),
  ],
])("the estimate of %s is no more than half off", (_name, text) => {
  const ratio = estimateTokens(text) / tokensOf(text);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(1.5);
});

test("nothing has no tokens, and halves of characters are no trouble", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("\ud83d \udc00 \u0000")).toBeGreaterThan(0);
});

test("a text too long to be read whole is estimated from pieces of it", () => {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const times = Math.ceil(5_000_000 / text.length);
  const ratio = estimateTokens(text.repeat(times)) / (estimateTokens(text) * times);
  expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
});
