import { describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { writeText } from "../../../../test/support/agent-files.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { CertificateAuthority } from "./certificate-authority.ts";

describe.skipIf(requireProgram("openssl"))("a certificate", () => {
  test.each([
    ["api.example.com", "-verify_hostname"],
    ["127.0.0.1", "-verify_ip"],
    ["::1", "-verify_ip"],
  ])("for %s passes strict checks for it", async (host, option) => {
    using folder = temporaryDirectory();
    const authority = new CertificateAuthority();
    const files = ["authority.pem", "server.pem"].map((name) => join(folder.path, name));
    const [root = "", server = ""] = files;
    writeText(root, authority.certificate);
    writeText(server, authority.issue(host).cert);
    const verify = async (name: string): Promise<string> => {
      const words = [
        "openssl",
        "verify",
        "-x509_strict",
        "-purpose",
        "sslserver",
        option,
        name,
        "-CAfile",
        root,
        server,
      ];
      return new Response(Bun.spawn(words, { stderr: "ignore" }).stdout).text();
    };
    expect(await verify(host)).toBe(`${server}: OK\n`);
    expect(await verify(option === "-verify_ip" ? "127.0.0.2" : "evil.example")).not.toContain("OK");
  });
});

test("each authority has a key of its own, and its servers sign nothing", () => {
  const [one, other] = [new CertificateAuthority(), new CertificateAuthority()];
  const server = new X509Certificate(one.issue("api.example.com").cert);
  const keyOf = ({ certificate }: CertificateAuthority) => new X509Certificate(certificate).publicKey;
  expect([server.verify(keyOf(one)), server.verify(keyOf(other)), server.ca]).toStrictEqual([true, false, false]);
});
