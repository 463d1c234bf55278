import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";

/** A certificate of a server with its key, in PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const DAY = 86_400_000;

/** How long certificates are valid, in days: as long as a run may take, and no longer than strict clients accept. */
const DAYS = 390;

/** The name of the authority, which clients show when they do not trust it. */
const NAME = "mdx-ai sandbox";

/** A certificate authority of one run. Its key is in the memory of this process alone. */
export class CertificateAuthority {
  readonly #keys = newKeys();
  /** In PEM. */
  readonly certificate: string;

  constructor() {
    this.certificate = this.#issue(NAME, this.#keys.publicKey, [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign), true),
    ]);
  }

  /** A certificate for a server with this name or address. */
  issue(host: string): ServerCertificate {
    const { publicKey, privateKey } = newKeys();
    const name = new GeneralName(isIP(host) === 0 ? { dNSName: host } : { iPAddress: host });
    const cert = this.#issue("mdx-ai sandbox server", publicKey, [
      extension(id_ce_subjectAltName, new SubjectAlternativeName([name]), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
    ]);
    return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #issue(subject: string, publicKey: KeyObject, extensions: readonly Extension[]): string {
    const authority = new AuthorityKeyIdentifier({ keyIdentifier: identifierOf(this.#keys.publicKey) });
    const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
    const tbsCertificate = new TBSCertificate({
      version: Version.v3,
      serialNumber: serialNumber(),
      signature: signatureAlgorithm,
      issuer: nameOf(NAME),
      validity: new Validity({ notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + DAYS * DAY) }),
      subject: nameOf(subject),
      subjectPublicKeyInfo: AsnConvert.parse(derOf(publicKey), SubjectPublicKeyInfo),
      extensions: new Extensions([
        ...extensions,
        // Strict clients, such as Python 3.13, require both.
        extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifierOf(publicKey))),
        extension(id_ce_authorityKeyIdentifier, authority),
      ]),
    });
    const signature = sign("sha256", new Uint8Array(AsnConvert.serialize(tbsCertificate)), this.#keys.privateKey);
    const signatureValue = exactBuffer(signature);
    return pem(AsnConvert.serialize(new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue })));
  }
}

const newKeys = (): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } =>
  generateKeyPairSync("ec", { namedCurve: "P-256" });

const derOf = (key: KeyObject): Uint8Array => key.export({ type: "spki", format: "der" });

const identifierOf = (key: KeyObject): KeyIdentifier =>
  new KeyIdentifier(exactBuffer(createHash("sha256").update(derOf(key)).digest().subarray(0, 20)));

/** Positive, as the standard requires. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return exactBuffer(bytes);
}

const nameOf = (text: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: COMMON_NAME, value: new AttributeValue({ utf8String: text }) }),
    ]),
  ]);

const extension = (extnID: string, value: unknown, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** The bytes alone, without the rest of a shared buffer. */
const exactBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

function pem(der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
