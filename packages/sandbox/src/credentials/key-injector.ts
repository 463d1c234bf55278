import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { type Environment, within } from "@mdx-ai/base";
import { CertificateAuthority } from "./certificate-authority.ts";
import { type KeyedConnection, serveKeyed } from "./keyed-connection.ts";
import { placeholderOf, type SandboxCredential } from "./sandbox-credential.ts";
import { certificateVariables, trustedCertificates } from "./trusted-certificates.ts";

/** The path of the trusted certificates in a sandbox. */
const INSIDE = "/run/mdx-ai-certificates.pem";

/** How long to wait for handshakes of programs that have ended, in milliseconds. */
const SETTLE_MILLISECONDS = 500;

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"] as const;

/**
 * Puts the keys of the user into requests of sandboxed programs. For each host with a credential it shows a certificate that only
 * these programs trust, and connects to the host itself, whose certificate it verifies.
 */
export class KeyInjector {
  readonly #credentials: readonly SandboxCredential[];
  readonly #authority = new CertificateAuthority();
  /** The certificates that programs see, by host. */
  readonly #certificates = new Map<string, SecureContext>();
  readonly #handshakes = new Set<Promise<unknown>>();
  /** The certificates that the user trusts. */
  readonly #trusted: SecureContext;
  /** A file with the certificates that sandboxed programs trust. Absolute. */
  readonly #file: string;
  /** Files of the host by the paths at which sandboxes show them. Absolute. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Whether the user's network requires another proxy, which programs that reach all hosts then use. */
  readonly isBehindProxy: boolean;
  /** The variables of sandboxed programs. */
  readonly environment: Readonly<Record<string, string>>;

  /** Writes a file into this folder. Throws the file system's error. */
  constructor(credentials: readonly SandboxCredential[], environment: Environment, folder: string) {
    this.#credentials = credentials;
    this.isBehindProxy = PROXIES.some((name) => [name, name.toLowerCase()].some((one) => environment[one]));
    const { text, files } = trustedCertificates(environment);
    this.#trusted = createSecureContext({ ca: text });
    this.#file = join(folder, `${process.pid}-${crypto.randomUUID()}.pem`);
    writeFileSync(this.#file, text + this.#authority.certificate, { mode: 0o444, flag: "wx" });
    this.mounts = new Map([INSIDE, ...files].map((path) => [path, this.#file]));
    const placeholders = credentials.map((one) => [one.variable, placeholderOf(one)] as const);
    // Without it, Node uses no proxy.
    const ofNode = { NODE_USE_ENV_PROXY: "1" };
    this.environment = { ...ofNode, ...certificateVariables(INSIDE), ...Object.fromEntries(placeholders) };
  }

  /** The credential for which `isFor` is true of its host, if there is one. */
  find(isFor: (host: string) => boolean): SandboxCredential | undefined {
    return this.#credentials.find(({ host }) => isFor(host));
  }

  /** The hosts with a credential. */
  get hosts(): readonly string[] {
    return this.#credentials.map(({ host }) => host);
  }

  /** Serves one request. Never rejects. */
  serve(connection: KeyedConnection): Promise<void> {
    return serveKeyed(connection, {
      ...{ certificate: this.#certificateOf(connection.host), trusted: this.#trusted },
      onHandshake: (handshake) => this.#keep(handshake),
    });
  }

  /**
   * Waits until no handshake with a program is open: a program that has ended may have refused a certificate a moment ago. Never
   * rejects.
   */
  async settled(): Promise<void> {
    if (this.#handshakes.size > 0) await within(Promise.allSettled(this.#handshakes), SETTLE_MILLISECONDS);
  }

  /** Never throws. */
  close(): void {
    rmSync(this.#file, { force: true });
  }

  #keep(handshake: Promise<unknown>): void {
    const forget = (): void => void this.#handshakes.delete(handshake);
    this.#handshakes.add(handshake);
    handshake.then(forget, forget);
  }

  #certificateOf(host: string): SecureContext {
    const certificate = this.#certificates.get(host) ?? createSecureContext(this.#authority.issue(host));
    this.#certificates.set(host, certificate);
    return certificate;
  }
}
