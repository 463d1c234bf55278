/** Why a text is no valid host. */
export interface HostProblem {
  /** Follows "unexpected `…`"; may be empty. */
  readonly seen: string;
  readonly hint: string;
}

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const named = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);
const withPort = /^(.*?)(?::(\d{1,5}))?$/s;
const MAX_PORT = 65_535;

/**
 * Returns why a text is no host such as `api.example.com`, `*.example.com`, `localhost:8080`, `127.0.0.1` or `[::1]:80`;
 * undefined if it is one. Case does not matter.
 */
export function hostProblem(text: string): HostProblem | undefined {
  const [, host = "", port] = withPort.exec(text.toLowerCase()) ?? [];
  if (isHost(host)) return port === undefined || isPort(Number(port)) ? undefined : noPort;
  if (text === "*") return { seen: " for all hosts", hint: "without hosts every public host may be reached" };
  return misread(text);
}

const noPort: HostProblem = { seen: " with an invalid port", hint: `ports go from 1 to ${MAX_PORT}` };

function isPort(port: number): boolean {
  return port >= 1 && port <= MAX_PORT;
}

/** Whether a host is in its normal form: `2130706433` is another form of an address and would match nothing. */
function isHost(host: string): boolean {
  const plain = host.startsWith("*.") ? host.slice(2) : host;
  const isWritten = named.test(host) || /^\[[0-9a-f:.]+\]$/.test(host);
  return isWritten && hostOf(`http://${plain}`) === plain;
}

function misread(text: string): HostProblem {
  const hint = "write hosts such as `api.example.com`, `*.example.com` or `localhost:8080`";
  const meant = hostWithin(text);
  if (meant === undefined || hostProblem(meant) !== undefined) return { seen: "", hint };
  return { seen: "", hint: `did you mean \`${meant}\`?` };
}

/** The host of an address, or of a name with letters beyond ASCII. */
function hostWithin(text: string): string | undefined {
  if (/[*\s\\@]/.test(text)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return hostOf(text, "host");
  return /[/?#]|[^\p{ASCII}]/u.test(text) ? hostOf(`http://${text}`, "host") : undefined;
}

function hostOf(url: string, part: "hostname" | "host" = "hostname"): string | undefined {
  return URL.canParse(url) ? new URL(url)[part] : undefined;
}
