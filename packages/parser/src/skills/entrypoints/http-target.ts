import { type EntrypointMistake, type EntrypointScheme, mistake, unknownPlaceholder } from "./entrypoint-scheme.ts";

/** An argument in the path or the query of a URL. */
interface UrlArgument {
  /** A property of the tool's schema. */
  readonly name: string;
}

/** The target of an `http:` entrypoint: texts of the author and the arguments between them. */
export interface HttpTarget {
  readonly kind: "url";
  readonly parts: readonly (string | UrlArgument)[];
}

const ADDRESS_HINT = "write a whole address, such as `http:get https://api.example.com/weather`";

/**
 * Reads an address with `{name}` for arguments in its path and its query; `{{` and `}}` stand for braces. The host is the
 * author's alone. Never throws.
 */
export function httpTarget(target: string, names: readonly string[]): HttpTarget | EntrypointMistake {
  const problem = addressProblem(target);
  if (problem !== undefined) return problem;
  const parts: (string | UrlArgument)[] = [];
  const pathStart = target.search(/(?<=^[a-z]+:\/\/[^/?#]*)[/?#]/i);
  for (const match of target.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[^{}]+|./gs)) {
    const [text, name] = match;
    if (name === undefined) parts.push(text === "{{" || text === "}}" ? text.charAt(0) : text);
    else if (!names.includes(name)) return unknownPlaceholder(name, match.index);
    else if (pathStart === -1 || match.index < pathStart) {
      return mistake(
        `the placeholder {${name}} is in the host of the address`,
        "write the host out: only a path and a query can have arguments",
        match.index,
      );
    } else parts.push({ name });
  }
  return { kind: "url", parts };
}

function addressProblem(target: string): EntrypointMistake | undefined {
  // A placeholder is as good as any other letter here.
  const text = target.replace(/\{[^{}]*\}/g, "x");
  if (/\s/.test(target)) return mistake("the address contains a blank", "write %20 for a blank", target.search(/\s/));
  if (!URL.canParse(text))
    return mistake(
      `unexpected address ${JSON.stringify(target)}, expected one that begins with https:// or http://`,
      ADDRESS_HINT,
    );
  const { protocol, username, password } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") {
    return mistake(`the address begins with ${protocol}, which is neither http: nor https:`, ADDRESS_HINT);
  }
  if (username !== "" || password !== "") {
    return mistake(
      "the address contains a user name or a password",
      "remove it: every reader of the skill would see it",
    );
  }
  return undefined;
}

export const httpScheme: EntrypointScheme = { read: ({ target }, names) => httpTarget(target, names) };
