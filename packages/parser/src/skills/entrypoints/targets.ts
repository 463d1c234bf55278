/** Why an entrypoint can never work. */
export interface EntrypointMistake {
  readonly kind: "mistake";
  /** A line without a full stop. */
  readonly message: string;
  readonly hint: string;
  /** In the target of the entrypoint, in UTF-16 code units. */
  readonly index: number;
}

export const mistake = (message: string, hint: string, index = 0): EntrypointMistake => ({
  kind: "mistake",
  message,
  hint,
  index,
});

/** A placeholder that names no property of the schema. */
export const unknownPlaceholder = (name: string, index: number): EntrypointMistake =>
  mistake(
    `the placeholder {${name}} names no property of the tool's schema`,
    `add the property \`${name}\` to the schema, or write \`{{${name}}}\` for text in braces`,
    index,
  );

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

/** The target of a `python:` entrypoint. */
export interface PythonTarget {
  readonly kind: "function";
  /** With dots, such as `weather.api`. */
  readonly module: string;
  readonly name: string;
}

const FUNCTION = /^((?:[\p{L}_][\p{L}\p{N}_]*\.)*[\p{L}_][\p{L}\p{N}_]*)\.([\p{L}_][\p{L}\p{N}_]*)$/u;

/** Reads `module.path.function`. Never throws. */
export function pythonTarget(target: string): PythonTarget | EntrypointMistake {
  const [, module, name] = FUNCTION.exec(target) ?? [];
  if (module !== undefined && name !== undefined) return { kind: "function", module, name };
  const hint = "write the module and the function, such as `python:weather.forecast` for the function in weather.py";
  return mistake(`${JSON.stringify(target)} names no function of a module`, hint);
}

/** The target of a `container:` entrypoint. */
export interface ContainerTarget {
  readonly kind: "image";
  readonly image: string;
}

/** The name of an image, with a registry, a tag and a digest if it has them. None begins as an option does. */
const IMAGE =
  /^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/i;

/** Reads the name of an image. Never throws. */
export function containerTarget(target: string): ContainerTarget | EntrypointMistake {
  if (IMAGE.test(target)) return { kind: "image", image: target };
  return mistake(
    `unexpected image ${JSON.stringify(target)}, expected a name`,
    "write the name of an image, such as `container:my-tool:1.0`",
  );
}

/** The server of a `grpc:` entrypoint. */
export interface GrpcServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted: not by default for this machine, by default for all others. */
  readonly isSecure: boolean;
}

/** The target of a `grpc:` entrypoint. */
export interface GrpcTarget {
  readonly kind: "method";
  readonly server: GrpcServer;
  /** With its package, such as `weather.v1.Weather`. */
  readonly service: string;
  readonly method: string;
}

const METHOD = /^(?:(.*)\/)?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\/([A-Za-z_]\w*)$/s;
const SERVER_HINT =
  "write HOST:PORT before it, such as `grpc:localhost:50051/weather.Weather/Forecast`, or `grpc: HOST:PORT` in the frontmatter";

/** Reads `package.Service/Method`, with `HOST:PORT/` before it unless the frontmatter names the server. Never throws. */
export function grpcTarget(target: string, usualServer: string | undefined): GrpcTarget | EntrypointMistake {
  const [, address = usualServer, service, method] = METHOD.exec(target) ?? [];
  if (service === undefined || method === undefined) {
    return mistake(`${JSON.stringify(target)} names no method of a service`, "write `grpc:package.Service/Method`");
  }
  if (address === undefined) return mistake("the entrypoint names no server", SERVER_HINT);
  const server = grpcServer(address);
  if (server === undefined)
    return mistake(`unexpected server ${JSON.stringify(address)}, expected HOST:PORT`, SERVER_HINT);
  return { kind: "method", server, service, method };
}

/** The server at `HOST:PORT`, `http://HOST:PORT` or `https://HOST[:PORT]`; undefined for anything else. */
function grpcServer(address: string): GrpcServer | undefined {
  const [, scheme, authority = ""] = /^(?:(https?):\/\/)?([^/?#@\s]+)\/?$/i.exec(address) ?? [];
  const url = `https://${authority}`;
  if (authority === "" || !URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  const [, written] = /:(\d+)$/.exec(authority) ?? [];
  const port = written === undefined ? 443 : Number(written);
  if (host === "" || port < 1 || port > 65_535 || (written === undefined && scheme?.toLowerCase() !== "https"))
    return undefined;
  return { host, port, isSecure: scheme === undefined ? !isOwnMachine(host) : scheme.toLowerCase() === "https" };
}

const isOwnMachine = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|::1)$/.test(host);
