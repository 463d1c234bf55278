import { describe, expect, test } from "bun:test";
import { createRedactor, noRedactor } from "@mdx-ai/base";
import fc from "fast-check";
import { randomCases } from "../../support/random-cases.ts";

/** Begins what a program puts in. */
const DOLLAR = "$";
const shapes = createRedactor({ environment: {} });
const letters = (count: number, alphabet = "aB3dE5gH7jK9"): string => alphabet.repeat(count).slice(0, count);
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${letters(64)}\n${letters(20)}==\n-----END RSA PRIVATE KEY-----`;

describe("a key of a known kind is taken out of a text", () => {
  test.each<[kind: string, key: string]>([
    ["Anthropic key", `sk-ant-api03-${letters(40)}-_AA`],
    ["OpenRouter key", `sk-or-v1-${letters(64, "0123456789abcdef")}`],
    ["OpenAI key", `sk-${letters(48)}`],
    ["OpenAI key", `sk-proj-${letters(60)}_-${letters(60)}`],
    ["OpenAI key", `sk-svcacct-${letters(60)}`],
    ["GitHub key", `ghp_${letters(36)}`],
    ["GitHub key", `gho_${letters(36)}`],
    ["GitHub key", `ghs_${letters(36)}`],
    ["GitHub key", `ghu_${letters(36)}`],
    ["GitHub key", `github_pat_${letters(22)}_${letters(59)}`],
    ["GitLab key", `glpat-${letters(20)}`],
    ["Slack key", `xoxb-123456789012-1234567890123-${letters(24)}`],
    ["AWS key", "AKIAIOSFODNN7EXAMPLE"],
    ["AWS key", "ASIAIOSFODNN7EXAMPLE"],
    ["Google key", `AIza${letters(35)}`],
    ["Stripe key", `sk_live_${letters(24)}`],
    ["Stripe key", `rk_live_${letters(24)}`],
    ["npm key", `npm_${letters(36)}`],
    ["PyPI key", `pypi-AgEIcHlwaS5vcmc${letters(60)}`],
    ["Hugging Face key", `hf_${letters(34)}`],
    ["Groq key", `gsk_${letters(52)}`],
    ["JSON web token", JWT],
    ["private key", PEM],
    ["private key", PEM.replaceAll("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")],
  ])("%s", (kind, key) => {
    const mark = `[redacted ${kind}]`;
    expect(shapes.text(key)).toBe(mark);
    expect(shapes.text(`a=${key} b`)).toBe(`a=${mark} b`);
    expect(shapes.text(JSON.stringify({ a: `\n${key}`, b: 1 }))).toBe(JSON.stringify({ a: `\n${mark}`, b: 1 }));
    expect(JSON.parse(shapes.json({ a: `\n${key}`, b: 1 }))).toEqual({ a: `\n${mark}`, b: 1 });
    expect(shapes.text(`https://a.example/?k=1%20${key}`)).toBe(`https://a.example/?k=1%20${mark}`);
  });

  test.each([
    [`-H "Authorization: Bearer ${letters(24)}"`, '-H "Authorization: Bearer [redacted authorization key]"'],
    ['{"Authorization":"Basic dXNlcjpwYXNzMTI="}', '{"Authorization":"Basic [redacted authorization key]"}'],
    [`'authorization', 'token ${letters(40)}'`, "'authorization', 'token [redacted authorization key]'"],
    [`x-api-key: ${letters(32)}`, "x-api-key: [redacted key]"],
    [`X-API-Key: ${letters(32)}`, "X-API-Key: [redacted key]"],
    [`X-Api-key: ${letters(32)}`, "X-Api-key: [redacted key]"],
    [`AUTHORIZATION: TOKEN ${letters(40)}`, "AUTHORIZATION: TOKEN [redacted authorization key]"],
    [`AUTHORIZATION: BASIC ${letters(40)}`, "AUTHORIZATION: BASIC [redacted authorization key]"],
    [`AWSSECRETACCESSKEY=${letters(40)}`, "AWSSECRETACCESSKEY=[redacted AWS key]"],
    ["postgres://me:s3cr3t@db.example:5432/x", "postgres://me:[redacted password]@db.example:5432/x"],
    ["redis://:s3cr3t@db", "redis://:[redacted password]@db"],
    [
      'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
      'aws_secret_access_key = "[redacted AWS key]"',
    ],
    ["AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "[redacted AWS key],[redacted AWS key]"],
  ])("by its place: %s", (text, redacted) => {
    expect(shapes.text(text)).toBe(redacted);
    expect(JSON.parse(shapes.json({ text }))).toEqual({ text: redacted });
  });

  test("a private key that was cut off before its end", () => {
    expect(shapes.text(`-----BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(30)}`)).toBe("[redacted private key]");
  });
});

describe("a private key whose beginning was cut off", () => {
  const body = [64, 64, 64, 64, 12].map((length) => letters(length));
  const lines = [...body, "-----END PRIVATE KEY-----"];
  const tails = body.map((_line, index) => lines.slice(index));

  test.each(tails.map((tail) => [tail.length - 1, tail] as const))("with %d lines left", (_count, tail) => {
    for (const lineEnd of ["\n", "\r\n", "\n    ", "\\n", "\\r\\n"]) {
      const text = `[900 characters dropped]${lineEnd}${tail.join(lineEnd)}${lineEnd}next line`;
      expect(shapes.text(text)).toBe(`[900 characters dropped]${lineEnd}[redacted private key]${lineEnd}next line`);
    }
  });

  test("of PGP", () => {
    const text = `a\n\n${letters(64)}\n${letters(9)}==\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----`;
    expect(shapes.text(text)).toBe("a\n\n[redacted private key]");
  });

  test("lines of text before its end stay, and so does all of a public key", () => {
    expect(shapes.text(`a few words\n${letters(20)}\n-----END PRIVATE KEY-----`)).toBe(
      "a few words\n[redacted private key]",
    );
    const certificate = `${letters(64)}\n${letters(64)}\n-----END CERTIFICATE-----\nNo PRIVATE KEY`;
    expect(shapes.text(certificate)).toBe(certificate);
  });
});

describe("what is no key stays byte for byte", () => {
  test.each([
    `fetch(url, { headers: { Authorization: "Bearer ${DOLLAR}{token}" } })`,
    'curl -H "Authorization: Bearer $TOKEN" https://api.example/v1',
    "Authorization: Bearer <your token>",
    `https://${DOLLAR}{user}:${DOLLAR}{password}@host/`,
    "http://localhost:8080/path?a=b@c",
    "git@github.com:me/repository.git",
    "task-runner risk-free disk-space desk-lamp sk-1234 sk-learn",
    "the bearer of bad news; a bearer authentication scheme",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "toolu_01A09q90qw90lq917835lq9 call_9pw1qnYScqvGrCH58HWCvFH6 msg_013Zva2CMHLNnjNjJKqJ2EF",
    "npm_config_registry hf_hub_download ghp_ pypi-simple AKIA eyJhbGciOiJub25lIn0",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "[redacted OPENAI_API_KEY] and [redacted AWS key], then",
  ])("%s", (text) => {
    expect(shapes.text(text)).toBe(text);
    expect(shapes.json({ text })).toBe(JSON.stringify({ text }));
  });

  test("random hexadecimal, base64 and base64url texts, such as hashes and signatures", () => {
    const bytes = fc.uint8Array({ minLength: 100, maxLength: 4000 });
    fc.assert(
      fc.property(bytes, (random) => {
        for (const encoding of ["hex", "base64", "base64url"] as const) {
          const text = Buffer.from(random).toString(encoding);
          expect(shapes.text(text)).toBe(text);
          expect(shapes.text(` ${text}\n`)).toBe(` ${text}\n`);
        }
      }),
      randomCases(),
    );
  });

  test("any value without secrets, as JSON writes it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(shapes.json(value)).toBe(noRedactor.json(value))),
      randomCases(),
    );
  });
});

const ENVIRONMENT = {
  SERVICE_TOKEN: "plainSecret-0815",
  ODD_PASSWORD: 'we"ird\\pa ss/9+ä',
  DATABASE_URL: "postgres://me:s3cr3tpass@db.example/x",
  LLM_PROVIDER_CONFIG: '{"vendor":"openai","api_key":"another-secret-1"}',
  WORD_PASSWORD: "swordfish",
  PHRASE_PASSWORD: "correct horse (battery)!",
};
const known = createRedactor({ environment: ENVIRONMENT, secrets: ["from-a-configuration"] });

describe("the values of variables that look secret are taken out", () => {
  test.each([
    ["plainSecret-0815", "SERVICE_TOKEN"],
    ["s3cr3tpass", "DATABASE_URL"],
    ["another-secret-1", "LLM_PROVIDER_CONFIG"],
    ['we"ird\\pa ss/9+ä', "ODD_PASSWORD"],
    ["from-a-configuration", "api_key"],
    ["correct horse (battery)!", "PHRASE_PASSWORD"],
  ])("%s, as it is, in JSON, in URLs and in base64", (secret, name) => {
    const mark = `[redacted ${name}]`;
    expect(known.text(`a ${secret}b`)).toBe(`a ${mark}b`);
    expect(JSON.parse(known.json({ text: secret, more: { inner: [secret] } }))).toEqual({
      text: mark,
      more: { inner: [mark] },
    });
    expect(known.text(JSON.stringify({ secret }))).toBe(JSON.stringify({ secret: mark }));
    expect(known.json({ text: JSON.stringify({ secret }) })).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(known.text(`?k=${encodeURIComponent(secret)}&`)).toBe(`?k=${mark}&`);
    expect(known.text(`?${new URLSearchParams({ k: secret })}&`)).toBe(`?k=${mark}&`);
    for (const before of ["", "u", "us:", "user:"]) {
      const encoded = Buffer.from(before + secret).toString("base64");
      const shown = known.text(encoded);
      expect(shown).toContain(mark);
      expect(shown.length - mark.length).toBeLessThanOrEqual(before.length * 2 + 6);
    }
  });

  test.each([
    ["KEYS", "STORAGE_CONNECTION_STRING", "Endpoint=https;AccountName=me;AccountKey=q7Z+x/9wK2==", "q7Z+x/9wK2=="],
    ["KEYS", "Db__ConnectionString", "Server=db; User Id=me; Pwd=s3cr3t-pass", "s3cr3t-pass"],
    ["KEYS", "DOCKER_AUTH_CONFIG", '{"auths":{"a.example":{"auth":"bWU6c2VjcmV0"}}}', "bWU6c2VjcmV0"],
    ["KEYS", "OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=a1b2c3d4e5,team=web", "a1b2c3d4e5"],
    ["WHOLE", "SENTRY_DSN", "https://abcdef@sentry.example/1", "https://abcdef@sentry.example/1"],
    ["WHOLE", "SLACK_WEBHOOK_URL", "https://hooks.example/services/abc", "https://hooks.example/services/abc"],
  ])("%s of %s=%s", (_part, name, value, secret) => {
    const redactor = createRedactor({ environment: { [name]: value } });
    expect(redactor.text(`a ${secret} b`)).toBe(`a [redacted ${name}] b`);
    expect(redactor.text(`a ${value} b`)).toBe(`a [redacted ${name}] b`);
  });

  test("a word is no part of a longer word", () => {
    expect(known.text("swordfish swordfishes")).toBe("[redacted WORD_PASSWORD] swordfishes");
  });

  test("nothing of a secret remains, in any text", () => {
    const secret = fc
      .string({ unit: "grapheme-ascii", minLength: 10, maxLength: 40 })
      .filter(
        (text) =>
          /[\d!-/]/.test(text) && /^\S.*[a-z]\S*$/i.test(text) && !/[\\/]/.test(text) && !text.includes("redacted"),
      );
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = createRedactor({ environment: { A_SECRET: value } });
        const json = redactor.json({ text: before + value + after });
        expect(JSON.parse(json).text).not.toContain(value);
      }),
      randomCases(),
    );
  });

  test.each([
    ["KEY_FILE", "/run/secrets/key.pem"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/home/me/account.json"],
    ["KUBECONFIG", "/home/me/.kube/config:~/.kube/other:./third"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-1/agent.1"],
    ["DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"],
    ["TOKEN_PATH", "./secrets/token"],
    ["USE_TOKEN", "true"],
    ["AUTH_TOKEN_MODE", "required"],
    ["MAX_TOKENS", "10000000"],
    ["SHORT_KEY", "1234567"],
    ["TOKEN_ENDPOINT", "https://login.example/oauth/token"],
    ["PWD", "/home/me/project-1"],
    ["EDITOR", "some-editor-1"],
  ])("but not %s=%s", (name, value) => {
    const text = `a ${value} b`;
    expect(createRedactor({ environment: { [name]: value } }).text(text)).toBe(text);
  });

  test("a secret that reads as its own mark, or as the name of a variable, is replaced once", () => {
    const redactor = createRedactor({ environment: { A_TOKEN: "redacted A_TOKEN", B_TOKEN: "B_TOKEN_" } });
    const once = redactor.text("x redacted A_TOKEN y B_TOKEN_ z");
    expect(once).toBe("x [redacted A_TOKEN] y [redacted B_TOKEN] z");
    expect(redactor.text(once)).toBe(once);
  });
});

describe("in a value", () => {
  const key = `sk-ant-api03-${letters(40)}`;
  const mark = "[redacted Anthropic key]";

  test("what programs go by stays: ids, roles, steps and names", () => {
    const redactor = createRedactor({ environment: { A_TOKEN: "toolResult", B_TOKEN: "tool:1:a" } });
    const line = { v: 1, prompt: 1, step: "tool:1:a", result: { role: "toolResult", toolCallId: "tool:1:a" } };
    expect(redactor.json({ ...line, more: "toolResult" })).toBe(
      JSON.stringify({ ...line, more: "[redacted A_TOKEN]" }),
    );
  });

  test("all of what a tool takes and gives is looked at, under any name, and the names themselves", () => {
    const value: unknown = { arguments: { name: key, [key]: { id: key } }, details: [{ type: key }] };
    expect(shapes.value(value)).toEqual({
      arguments: { name: mark, [mark]: { id: mark } },
      details: [{ type: mark }],
    });
  });

  test("a signed text that changes loses its signature, another one keeps it", () => {
    const signed = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const blocks: unknown = [
      signed,
      { ...signed, thinking: `The key is ${key}.` },
      { ...signed, signature: `{"text":"${key}"}` },
    ];
    expect(shapes.value(blocks)).toStrictEqual([
      signed,
      { type: "thinking", thinking: `The key is ${mark}.` },
      { type: "thinking", thinking: "Hm." },
    ]);
  });

  test.each(["arguments", "content"])("what is nested without end under %s ends, and hides no key", (name) => {
    let value: unknown = key;
    for (let depth = 0; depth < 20_000; depth++) value = depth % 2 === 0 ? [value] : { a: value };
    const json = shapes.json({ step: "s", [name]: value });
    expect(json).toContain("[redacted as it is nested too deeply]");
    expect(json).not.toContain(key);
  });

  test("names such as __proto__ are names", () => {
    const value: unknown = JSON.parse(`{"arguments":{"__proto__":{"a":"${key}"},"constructor":1}}`);
    expect(shapes.json(value)).toBe(`{"arguments":{"__proto__":{"a":"${mark}"},"constructor":1}}`);
  });
});

test("hostile texts of a megabyte take no time that grows faster than they do", () => {
  const pieces = [
    "eyJ",
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    `PRIVATE KEY ${"a".repeat(64)}\n`,
    `${"a".repeat(64)}\n`.repeat(1000).concat("PRIVATE KEY-----"),
    `${"a".repeat(76)}=\\n    `.repeat(300).concat("-----END PRIVATE KEY----"),
    "a\n-----END PRIVATE KEY",
    "://a:",
    "sk-ant-",
    "sk-proj-a",
    "Authorization: ",
    "-eyJ",
    "\\neyJ",
    "AKIA",
    "secret_access_key=",
    "x-api-key: ",
    "://",
  ];
  for (const piece of pieces) {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(shapes.text(text).length).toBeGreaterThan(0);
  }
});

test.each([
  ["key=kept-by-the-user-0123456789", true],
  ["é a2VwdC1ieS10aGUtdXNlci0wMTIzNDU2Nzg5", true],
  ["pass phrasebook", true],
  ["pass rephrasebooks", false],
  [`sk-ant-api03-${letters(40)}`, false],
  ["", false],
])("whether %j holds a secret of the user is found without its text", (text, holds) => {
  const redactor = createRedactor({ environment: { A_TOKEN: "phrasebook" }, secrets: ["kept-by-the-user-0123456789"] });
  expect(redactor.containsSecret(Buffer.from(text))).toBe(holds);
  expect(noRedactor.containsSecret(Buffer.from(text))).toBe(false);
});
