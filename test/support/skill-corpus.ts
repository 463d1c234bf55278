import { randomNumbers } from "./crash-moments.ts";

/** A SKILL.md of the corpus. */
export interface CorpusSkill {
  /** Such as `skills/skill-17/SKILL.md`. */
  readonly path: string;
  readonly text: string;
}

/** Characters of the largest bodies. */
const HUGE = 300_000;
/** One body in so many is huge. */
const HUGE_EVERY = 1_000;

const WORDS =
  "use this skill when the user asks for tea coffee reports invoices: read `references/guide.md` first then run scripts/build.py carefully and never guess naïve 日本語 – done".split(
    " ",
  );

type Random = () => number;

const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
};

const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(random, WORDS)).join(" ");

type Frontmatter = (name: string, random: Random) => string;

const text = (random: Random, count: number): string => words(random, count).replaceAll(":", "");

/** What a strict parser of YAML reads. */
const SOUND: readonly Frontmatter[] = [
  (name, random) => `name: ${name}\ndescription: ${text(random, 12)}`,
  (name, random) => `name: ${name}\ndescription: ${text(random, 25)}\nlicense: MIT\nversion: 1.2.3`,
  (name, random) => `name: ${name}\ndescription: "${words(random, 12)}"\nlicense: Complete terms in LICENSE.txt`,
  (name, random) => `name: ${name}\ndescription: '${words(random, 14)}'\nallowed-tools: Bash(git:*), Read`,
  (name, random) => `name: ${name}\ndescription: |\n  ${words(random, 9)}\n  ${words(random, 9)}`,
  (name, random) => `name: ${name}\ndescription: ${text(random, 6)}\nallowed-tools: [Bash, "Read"]`,
];

/** What goes wrong: a strict parser refuses it, or its types are others than those of the standard. */
const BROKEN: readonly Frontmatter[] = [
  (name, random) => `name: ${name}\ndescription: Use when: ${words(random, 8)}: always`,
  (name, random) => `name: ${name}\ndescription: "Unclosed ${words(random, 8)}`,
  (name, random) => `name: ${name}\ndescription: >-\n  ${words(random, 9)}\nmetadata:\n  version: 1.0`,
  (name, random) => `name: ${name}\ndescription: d\nlicense: it: is\ntriggers: ${words(random, 3)}`,
  (name) => `name: ${name}\ndescription: d\ntriggers:\n  - tea\n  - green: tea\ntags: {a: b}\nversion: [1]`,
  (name) => `name: ${name}\ndescription: d\nenabled_by_default: maybe\nalways_inject: "yes"\nmcp_server: nothing`,
  (name) => `name: [${name}]\ndescription: {a: b}\ncompatibility: 5`,
  (name) => `name: ${name}\ndescription: d\nname: again\njunk line\n\tindented: with a tab`,
  (name) => `description: only\n# name: ${name}`,
  (name) => `name\uFF1A ${name}\ndescription\uFF1A full-width`,
  () => "",
  (name) => `name: ${name}\ndescription: *unknown\nother: &a [*a]`,
];

/** The shares of skills with frontmatter that goes wrong and with tools, and of paragraphs that only look like tools. */
const SHARE = { broken: 0.12, tools: 0.02, prose: 0.01 };

const TOOLS = `
## Tools

### brew
description: Brews: tea.
entrypoint: bash:brew {kind}
schema:
  type: object
  properties:
    kind: {type: string}
  required: [kind]

### pour
entrypoint: ftp:cup
schema: {type: object

### \`wash\`
description: Washes.
entrypoint: http:get https://example.org
schema: {type: strange}
`;

function body(index: number, random: Random): string {
  const isHuge = index % HUGE_EVERY === 0;
  const length = isHuge ? HUGE : 500 + random() * 6_000;
  const paragraphs: string[] = [`# ${words(random, 3)}`];
  for (let size = 0; size < length; ) {
    const paragraph = random() < SHARE.prose ? toolsProse(random) : pick(random, PARAGRAPHS)(random);
    paragraphs.push(paragraph);
    size += paragraph.length + 2;
  }
  return paragraphs.join("\n\n") + (random() < SHARE.tools ? TOOLS : "");
}

const PARAGRAPHS: readonly ((random: Random) => string)[] = [
  (random) => words(random, 40),
  (random) => `## ${words(random, 4)}\n\n${words(random, 20)}`,
  (random) => `- ${words(random, 9)}\n- ${words(random, 9)}\n---\n${words(random, 5)}`,
  (random) => `\`\`\`sh\n# ${words(random, 5)}\nmake {target} < 5\n\`\`\``,
  (random) => `| a | b |\n|---|---|\n| ${words(random, 3)} | <br> |`,
];

/** A section of this name that holds no tools. */
const toolsProse = (random: Random): string => `## Tools\n\n### ${words(random, 2)}\n\n${words(random, 12)}`;

function skillText(index: number, random: Random): string {
  const name = random() < 0.8 ? `skill-${index}` : words(random, 2);
  const frontmatter = pick(random, random() < SHARE.broken ? BROKEN : SOUND)(name, random);
  const closing = random() < 0.95 ? "---\n" : "";
  const before = random() < 0.05 ? "<!-- licence -->\n\n" : "";
  const head = random() < 0.03 ? "" : `${before}---\n${frontmatter}\n${closing}`;
  const text = `${random() < 0.05 ? "\uFEFF" : ""}${head}\n${random() < 0.02 ? "" : body(index, random)}\n`;
  return random() < 0.15 ? text.replaceAll("\n", "\r\n") : text;
}

/** Skills as people write them, broken ones among them; the same for the same seed. */
export function* skillCorpus(count: number, seed: number): Generator<CorpusSkill> {
  const random = randomNumbers(seed);
  for (let index = 0; index < count; index++) {
    yield { path: `skills/skill-${index}/SKILL.md`, text: skillText(index, random) };
  }
}
