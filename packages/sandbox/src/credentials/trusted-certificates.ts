import { readFileSync, realpathSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { attempt, type Environment } from "@mdx-ai/base";

/** Where systems keep the certificates that programs trust. */
const SYSTEM_FILES: readonly string[] = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** Variables that name the file of trusted certificates: the first for OpenSSL, Go and Rust, the others for single programs. */
const VARIABLES: readonly string[] = [
  ...[
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "AWS_CA_BUNDLE",
  ],
  ...["PIP_CERT", "CARGO_HTTP_CAINFO", "DENO_CERT", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"],
];

/** The certificates that the user's programs trust. */
export interface TrustedCertificates {
  /** In PEM, one after the other. */
  readonly text: string;
  /** The system's files that hold them. Absolute and real. */
  readonly files: readonly string[];
}

/** Reads the certificates of the system and those that the user's variables name; without any, those of this program. */
export function trustedCertificates(environment: Environment): TrustedCertificates {
  const files = [...new Set(SYSTEM_FILES.flatMap((path) => attempt(() => realpathSync.native(path)) ?? []))];
  const named = new Set(VARIABLES.flatMap((name) => environment[name] ?? []));
  const texts = [...files, ...named].flatMap((path) => attempt(() => readFileSync(path, "utf8")) ?? []);
  const certificates = new Set(texts.flatMap((text) => text.match(CERTIFICATE) ?? []));
  return { text: `${[...(certificates.size === 0 ? rootCertificates : certificates)].join("\n")}\n`, files };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The variables that make programs trust the certificates in this file. */
export const certificateVariables = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(VARIABLES.map((name) => [name, path]));
