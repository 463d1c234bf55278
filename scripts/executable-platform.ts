/** First bytes of an executable, with the bytes in it that name the processor. */
interface Header {
  readonly magic: string;
  /** The offset of the processor's number: two bytes, little-endian. */
  readonly offset: number;
  readonly processors: ReadonlyMap<number, string>;
}

/** Of elf.h and of mach-o/loader.h, for processors of 64 bits. */
const HEADERS: readonly Header[] = [
  {
    magic: "7f454c46",
    offset: 18,
    processors: new Map([
      [62, "linux-x64"],
      [183, "linux-arm64"],
    ]),
  },
  {
    magic: "cffaedfe",
    offset: 4,
    processors: new Map([
      [7, "darwin-x64"],
      [12, "darwin-arm64"],
    ]),
  },
];

/** The platform of an executable, in Node's terms, from its first bytes; undefined for other platforms. */
export async function executablePlatform(path: string): Promise<string | undefined> {
  const bytes = Buffer.from(await Bun.file(path).slice(0, 20).arrayBuffer());
  const header = HEADERS.find(({ magic }) => bytes.toString("hex").startsWith(magic));
  return header?.processors.get(bytes.readUInt16LE(header.offset));
}
