import fc from "fast-check";

const NAMES = [
  ...[
    "a",
    "b",
    "ab",
    "a.log",
    "b.log",
    "a b",
    "it's",
    'q"q',
    "ü",
    "日本",
    "#x",
    "!x",
    "x*",
    "[y]",
    "{z}",
    "back\\slash",
  ],
  ...[" lead", "trail ", ".hidden", "-dash", "A", "x.ts", "\t"],
];
const GLOBS = [
  "*",
  "*.log",
  "a*",
  "?",
  "??",
  "[ab]",
  "[!a]",
  "[^b]*",
  "[a-c]*",
  "[]y]*",
  "**",
  "a**b",
  "{a,b}",
  "*.{log,ts}",
];
const ODD_RULES = [
  "",
  "# a",
  "!",
  "/",
  "/*",
  "!/*",
  "/**",
  "**/",
  "**/**",
  "\\#x",
  "\\!x",
  "a//b",
  "./a",
  "a\\",
  "[a",
  "a ",
  "a\\ ",
  "*\t",
];

const name = fc.constantFrom(...NAMES);

const part = fc.oneof(
  name,
  name.map((text) => text.replace(/[*?[\]!#\\{} ]/g, "\\$&")),
  fc.constantFrom(...GLOBS),
);

const rule = fc.oneof(
  { arbitrary: fc.constantFrom(...ODD_RULES), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom("", "", "!"), fc.constantFrom("", "", "/"), fc.array(part, { minLength: 1, maxLength: 3 }))
      .chain(([kept, slash, parts]) => fc.constantFrom("", "", "/").map((end) => kept + slash + parts.join("/") + end)),
    weight: 12,
  },
);

const rules = fc
  .tuple(fc.array(rule, { minLength: 1, maxLength: 5 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => Buffer.from(lines.join(end)));

const WORDS = [
  ...[
    "foo",
    "Foo",
    "a",
    "b",
    "_",
    "1",
    " ",
    "\t",
    ".",
    "-",
    "é",
    "É",
    "s",
    "ſ",
    "k",
    "\u212A",
    "ß",
    "ẞ",
    "i",
    "İ",
    "ı",
  ],
  ...["σ", "ς", "Σ", "ǅ", "Ⅷ", "日本", "😀", "\u0301", "\u00A0", "\u2028", "\uFEFF", "\uFFFD", "\r", "\v", "\u0085"],
];
const BROKEN = [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0x80]];

const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...WORDS).map((word) => Buffer.from(word)), weight: 12 },
  { arbitrary: fc.constantFrom("\n", "\r\n").map((end) => Buffer.from(end)), weight: 5 },
  { arbitrary: fc.constantFrom(...BROKEN).map((bytes) => Buffer.from(bytes)), weight: 1 },
);

const content = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.concat(pieces));

/** Files of a folder by their paths: with rules, odd names, either line end, and bytes that are not UTF-8. */
export const randomTree: fc.Arbitrary<ReadonlyMap<string, Uint8Array>> = fc
  .array(
    fc.oneof(
      { arbitrary: fc.tuple(fc.array(name, { minLength: 1, maxLength: 4 }), content), weight: 4 },
      {
        arbitrary: fc
          .tuple(
            fc.array(name, { maxLength: 2 }),
            fc.constantFrom(".gitignore", ".gitignore", ".ignore", ".rgignore", ".git/info/exclude"),
          )
          .chain(([folder, kind]) => rules.map((text): [string[], Buffer] => [[...folder, kind], text])),
        weight: 1,
      },
    ),
    { maxLength: 14 },
  )
  .map((files) => new Map(files.map(([parts, bytes]) => [parts.join("/"), bytes])));

const ATOMS = [
  ...[
    ".",
    "\\d",
    "\\w",
    "\\s",
    "\\S",
    "\\W",
    "\\b",
    "^",
    "$",
    "[a-z]",
    "[^a]",
    "[^\\s]",
    "\\p{L}",
    "\\p{Lu}",
    "\\P{L}",
  ],
  ...[
    "\\p{N}",
    "\\p{C}",
    "[é-ü]",
    "[\\x80-\\xff]",
    "[\\u{20}-\\u{10FFFF}]",
    "[\\p{Ll}.]",
    "\\r",
    "[^\\r]",
    "\\uFFFD",
    "(?:)",
  ],
];

const atom = fc.oneof(
  fc.constantFrom(...ATOMS),
  fc.constantFrom(...WORDS.filter((word) => word !== "." && word !== "-")),
);

/** A pattern for `grep`, which is sometimes none. */
export const randomPattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(${one}|${other})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "*?"))
      .map(([inner, repeat]) => `(?:${inner})${repeat}`),
  ),
})).pattern;
