import { isRecord } from "@mdx-ai/base";
import { type Finding, mapOf, type Schema, textOf, wordOf } from "@mdx-ai/base/schema";
import { hostProblem } from "../host-pattern.ts";
import { quoted } from "../report.ts";

const wish: Readonly<Record<string, Schema>> = {
  env: {
    title: "the name of a variable such as `EXAMPLE_KEY`",
    description: "The variable that holds a placeholder for the key where commands and tools run.",
    type: "string",
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
  },
  header: {
    title: "the name of a header such as `X-Api-Key`",
    description: "The header that holds the key; default `Authorization`.",
    type: "string",
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  },
  format: {
    title: "a text with `{}` in place of the key, such as `Bearer {}`",
    description: "The value of the header; default: `Bearer {}` in `Authorization`, and `{}` in other headers.",
    type: "string",
    pattern: "^[\\x20-\\x7e]*\\{\\}[\\x20-\\x7e]*$",
  },
  user: {
    title: "a name without `:`, such as `x-access-token`",
    description: "The name of the user for Basic authentication, whose password is the key, instead of a `format`.",
    type: "string",
    pattern: "^[\\x20-\\x39\\x3b-\\x7e]+$",
  },
};

const credential = (properties: Readonly<Record<string, Schema>>, title: string): Schema => ({
  ...mapOf(title, "A key for requests to this host.", { ...wish, ...properties }),
  required: ["env"],
  isWhole: true,
  check: checkCredential,
});

const ofUser: Schema = { description: "Counts in the user's own settings alone.", "x-supported": false };

const credentials = (description: string, one: Schema): Schema => ({
  title: "a map of hosts such as `api.example.com` to credentials",
  description,
  type: "object",
  additionalProperties: one,
  checkKey: checkHostKey,
});

/** The JSON Schema of `credentials` in the frontmatter: what an agent wishes for. */
export const credentialsSchema: Schema = credentials(
  "Keys that the agent's commands and tools use without seeing them, by host. The user's settings say whether it gets them.",
  credential({ keyring: ofUser, command: ofUser, agents: ofUser }, "a map of `env`, `header` and `format` or `user`"),
);

/** The JSON Schema of `credentials` in the user's own settings. */
export const userCredentialsSchema: Schema = credentials(
  "Keys that commands and tools in the sandbox use without seeing them, by host: the sandbox's proxy puts them into requests to that host.",
  credential(
    {
      keyring: {
        ...mapOf("a map of `service` and `account`", "The entry of the system's keyring that holds the key.", {
          service: textOf("a text", "The service of the entry."),
          account: textOf("a text", "The account of the entry."),
        }),
        required: ["service"],
      },
      command: textOf(
        "a command such as `op read op://work/example/key`",
        "A command of a shell that prints the key; it runs when the key is first needed.",
      ),
      agents: wordOf(
        "Which agents get the key: those whose frontmatter names the host (`wishing`, the default), or `all`.",
        ["wishing", "all"],
      ),
    },
    "a map of `env`, `header`, `format` or `user`, `keyring` or `command`, and `agents`",
  ),
);

/** A wildcard could match a host of someone else. */
function checkHostKey(host: string): Finding | undefined {
  const found = host.includes("*") ? { seen: " with a wildcard", hint: "name each host" } : hostProblem(host);
  if (found === undefined) return undefined;
  return {
    message: `unexpected ${quoted(host)}${found.seen} in \`credentials\`, expected a host such as \`api.example.com\` or \`localhost:8443\``,
    hint: found.hint,
  };
}

const ALTERNATIVES = [
  ["format", "user"],
  ["keyring", "command"],
] as const;

function checkCredential(value: unknown, name: string): readonly Finding[] {
  if (!isRecord(value)) return [];
  return ALTERNATIVES.filter((pair) => pair.every((key) => value[key] !== undefined)).map(([one, other]) => ({
    of: "key" as const,
    message: `${quoted(name)} has both a \`${one}\` and a \`${other}\``,
    hint: "remove one of them",
  }));
}
