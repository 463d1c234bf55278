/** The shape of the keys of one kind. */
export interface KeyShape {
  /** Replaces a key. */
  readonly kind: string;
  /** A regular expression without capturing groups. It takes linear time. */
  readonly pattern: string;
}

/** The start of a word, or of the text after an escape in JSON or in a URL. */
const start = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]|\\u[\da-f]{4}|%[\dA-F]{2}))`;
const end = "(?![A-Za-z0-9])";

const ofPrivateKey = "[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----";

/** The keys of known services, by prefix, length and alphabet, so that neither a hash nor an id matches. */
export const KEY_SHAPES: readonly KeyShape[] = [
  { kind: "Anthropic key", pattern: "sk-ant-[A-Za-z0-9_-]{20,}" },
  { kind: "OpenRouter key", pattern: "sk-or-v1-[0-9a-f]{32,}" },
  { kind: "OpenAI key", pattern: `sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|${start}sk-[A-Za-z0-9]{32,}` },
  { kind: "GitHub key", pattern: `${start}(?:gh[opsur]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{36,})` },
  {
    kind: "GitLab key",
    pattern: `${start}gl(?:pat|ptt|dt|rt|cbt|ft|soat|oas|agent)-[A-Za-z0-9_-]{20,}(?:\\.[a-z0-9.]+)?`,
  },
  {
    kind: "Slack key",
    pattern: `${start}xox[abceoprs]-[A-Za-z0-9-]{20,}|${start}xapp-\\d-[A-Z0-9]+-\\d+-[a-f0-9]{32,}`,
  },
  { kind: "AWS key", pattern: `${start}A[KS]IA[A-Z2-7]{16}${end}` },
  {
    kind: "Google key",
    pattern: `${start}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|${start}GOCSPX-[A-Za-z0-9_-]{28}|${start}ya29\\.[A-Za-z0-9_-]{30,}`,
  },
  { kind: "Stripe key", pattern: `${start}(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{20,}` },
  { kind: "npm key", pattern: `${start}npm_[A-Za-z0-9]{36}${end}` },
  { kind: "PyPI key", pattern: `${start}pypi-[A-Za-z0-9_-]{50,}` },
  { kind: "Hugging Face key", pattern: `${start}hf_[A-Za-z0-9]{34}${end}` },
  { kind: "Groq key", pattern: `${start}gsk_[A-Za-z0-9]{52}${end}` },
  { kind: "xAI key", pattern: `${start}xai-[A-Za-z0-9]{80}${end}` },
  {
    kind: "JSON web token",
    pattern: `${start}eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}`,
  },
  {
    kind: "private key",
    pattern: `-----BEGIN ${ofPrivateKey}(?:(?:[^-"]|-(?!----)){1,20000}-----END ${ofPrivateKey}|[A-Za-z0-9+/=\\s\\\\]*)`,
  },
];

/** A key that is recognised only by the text before it, which is kept. */
export interface KeyPlace {
  readonly kind: string;
  /** The first group is the text before the key. */
  readonly pattern: RegExp;
}

/** The end of a line of a private key, plain or in JSON. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,2}r)?\\{1,2}n)[ \t]{0,20}`;

/** The lines of a private key whose start was cut off. Tries only the first of many, so that the time stays linear. */
const privateKeyTail =
  String.raw`(^|(?<![A-Za-z0-9+/]{40}={0,2}(?:\r|\\{1,2}r)?\\?)${lineEnd})(?:[A-Za-z0-9+/]{40,76}={0,2}${lineEnd})*` +
  `(?:[A-Za-z0-9+/=]{1,76}${lineEnd})(?:=[A-Za-z0-9+/]{4}${lineEnd})?-----END ${ofPrivateKey}`;

/**
 * Words before a key. A placeholder such as `${TOKEN}` is not a key. Compiled on first use: most programs see no key, and
 * patterns slow down every start.
 */
export const keyPaths = (): readonly KeyPlace[] => [
  { kind: "private key", pattern: new RegExp(privateKeyTail, "g") },
  {
    kind: "authorization key",
    pattern:
      /(\b(?:[Aa]uthorization|AUTHORIZATION)\W{1,12}(?:[Bb]asic|BASIC|[Bb]earer|BEARER|[Tt]oken|TOKEN)(?:\s|%20){1,4})(?=[^\s"'\\]{0,99}(?:\d|[a-z][A-Z]))[\w.~+/=-]{8,}/g,
  },
  {
    kind: "authorization key",
    pattern: /(\b(?:[Bb]earer|BEARER)(?:\s|%20){1,4})(?=[^\s"'\\]{0,99}\d)[\w.~+/=-]{20,}/g,
  },
  {
    kind: "key",
    pattern: /(\b(?:x-)?api-key["'\\]{0,3}\s?[:=]\s?["'\\]{0,3})(?=[^\s"'\\]{0,99}\d)[\w.~+/=-]{16,}/gi,
  },
  {
    kind: "AWS key",
    pattern: /(secret_?access_?key["'\\]{0,3}\s{0,4}[:=]\s{0,4}["'\\]{0,3})[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/gi,
  },
  {
    kind: "AWS key",
    pattern: /(\[redacted AWS key\][\s,;:|"'\\]{1,9})(?=[^\s"']{0,39}[a-z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g,
  },
  {
    kind: "password",
    pattern: /(:\/\/[^\s/:@"'<>\\]{0,256}:)(?![$<{%*[])[^\s/@"'<>\\]{1,2000}(?=@)/g,
  },
];

/** Matches every text, in JSON or not, that contains any of these keys, and few others. Cheap. */
export const KEY_SIGNS: RegExp =
  /sk-|gh[opsur]_|github_pat_|gl(?:pat|ptt|dt|rt|cbt|ft|soat|oas|agent)-|xox[abceoprs]-|xapp-|A[KS]IA|AIza|GOCSPX-|ya29\.|[sr]k_(?:live|test)_|whsec_|npm_|pypi-|hf_|gsk_|xai-|eyJ|PRIVATE KEY|[Bb]earer|BEARER|uthorization|UTHORIZATION|[Aa][Pp][Ii]-[Kk][Ee][Yy]|[Ss][Ee][Cc][Rr][Ee][Tt]_?[Aa][Cc][Cc][Ee][Ss][Ss]_?[Kk][Ee][Yy]|:\/\/[^\s/:@"'<>\\]{0,256}:[^\s/@"'<>\\]*@/;
