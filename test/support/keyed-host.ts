import { join } from "node:path";
import { CertificateAuthority } from "../../packages/sandbox/src/credentials/certificate-authority.ts";
import type { SandboxCredential } from "../../packages/sandbox/src/credentials/sandbox-credential.ts";
import { writeText } from "./agent-files.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A key with characters that texts quote in several ways. */
export const KEY: string = `k3y/+very=secret&"${crypto.randomUUID().slice(0, 8)}`;

/** A host on this machine with a certificate of an authority that only the user's variables name. */
export interface KeyedHost extends Disposable {
  readonly port: number;
  /** The requests so far, with the headers in small letters. */
  readonly requests: readonly KeyedHostRequest[];
  /** The user's variables, by which programs trust its certificate. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the authority. */
  readonly authority: CertificateAuthority;
}

export interface KeyedHostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface KeyedHostOptions {
  /** In its certificate. */
  readonly name?: string;
  readonly hostname?: string;
  /** Whether it speaks plain HTTP. */
  readonly isPlain?: boolean;
}

/** Answers each request with its headers and its body as JSON, or as `answer` says. */
export function openKeyedHost(
  answer: (request: KeyedHostRequest) => Response | undefined = () => undefined,
  { name = "localhost", hostname = "127.0.0.1", isPlain = false }: KeyedHostOptions = {},
): KeyedHost {
  const folder = temporaryDirectory();
  const authority = new CertificateAuthority();
  const file = join(folder.path, "authority.pem");
  writeText(file, authority.certificate);
  const requests: KeyedHostRequest[] = [];
  const server = Bun.serve({
    ...{ hostname, port: 0, idleTimeout: 60 },
    ...(!isPlain && { tls: authority.issue(name) }),
    fetch: async (request) => {
      const taken = { url: request.url, headers: request.headers.toJSON(), body: await request.text() };
      requests.push(taken);
      return answer(taken) ?? Response.json(taken);
    },
  });
  return {
    ...{ port: server.port ?? 0, requests, authority, environment: { SSL_CERT_FILE: file } },
    [Symbol.dispose]: () => {
      void server.stop(true);
      folder[Symbol.dispose]();
    },
  };
}

/** A credential for a host, whose variable is `EXAMPLE_KEY`. */
export const credentialFor = (host: string, more: Partial<SandboxCredential> = {}): SandboxCredential => ({
  ...{ host, variable: "EXAMPLE_KEY", header: "Authorization" },
  read: async () => ({ key: KEY, value: `Bearer ${KEY}` }),
  ...more,
});
