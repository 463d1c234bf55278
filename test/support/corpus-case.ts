import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MINIMAL_AGENT } from "./agent-files.ts";

/** What stands at a path of a case, besides a text in UTF-8 with "\n" at the line ends. */
type Form = "UTF-8" | "CRLF" | "Latin-1" | "UTF-16" | "folder" | "absent" | `link to ${string}`;

interface CorpusFile {
  /** Relative to the agent directory; "." is the directory itself. */
  readonly path: string;
  readonly form: Form;
  readonly text: string;
}

/** A broken agent directory and what is to be said of it. */
export interface CorpusCase {
  /** Its folder and name, such as `tool-name/missing`. */
  readonly name: string;
  /** Which mistake it shows, and who makes it. */
  readonly comment: string;
  readonly files: readonly CorpusFile[];
  /** `file:line:column severity rule`, in the order of the diagnostics. */
  readonly expected: readonly string[];
}

const header = /^=== (\S+)(?: \((.+)\))?$/;
const forms = ["CRLF", "Latin-1", "UTF-16", "folder", "absent"] as const satisfies readonly Form[];
const goodFiles: readonly CorpusFile[] = [
  { path: "agent.mdx", form: "UTF-8", text: MINIMAL_AGENT },
  { path: "skills", form: "folder", text: "" },
];

/** Reads the text of a case; see test/corpus/README.md for its form. Throws where it has none. */
export function parseCorpusCase(name: string, text: string): CorpusCase {
  const [comment = "", ...parts] = text.split(/^(?==== \S)/m);
  const sections = parts.map((part) => sectionOf(part, name));
  const tail = sections.at(-1);
  if (comment.trim() === "" || tail?.path !== "expected") throw new Error(`${name}: no comment or no \`=== expected\``);
  const files = sections.slice(0, -1);
  const expected = tail.text.split("\n").filter((line) => line !== "");
  return { name, comment: comment.trim(), files: [...goodFilesFor(files), ...files], expected };
}

function sectionOf(part: string, name: string): CorpusFile {
  const [first = "", ...lines] = part.split("\n");
  const [, path, form = "UTF-8"] = header.exec(first) ?? [];
  if (path === undefined) throw new Error(`${name}: unexpected header ${first}`);
  return { path, form: formOf(form, name), text: expanded(lines.join("\n")) };
}

function formOf(written: string, name: string): Form {
  if (written === "UTF-8") return "UTF-8";
  if (written.startsWith("link to ")) return `link to ${written.slice("link to ".length)}`;
  const form = forms.find((known) => known === written);
  if (form === undefined) throw new Error(`${name}: unexpected form ${written}`);
  return form;
}

/** `⟦text × 3⟧` is the text three times; both know the escapes of JSON. */
function expanded(text: string): string {
  return text.replace(/⟦(.*?)(?: × (\d+))?⟧/g, (_, escaped: string, times = "1") =>
    String(JSON.parse(`"${escaped}"`)).repeat(Number(times)),
  );
}

/** What a case does not write, or write into, is as good as it can be. */
function goodFilesFor(files: readonly CorpusFile[]): readonly CorpusFile[] {
  const isWritten = (path: string): boolean =>
    files.some((file) => file.path === "." || file.path === path || file.path.startsWith(`${path}/`));
  return goodFiles.filter(({ path }) => !isWritten(path));
}

/** Writes the directory of a case; the path must not exist before. */
export function writeCorpusCase({ files }: CorpusCase, directory: string): void {
  for (const file of files) {
    const path = join(directory, file.path);
    if (file.form === "absent") continue;
    mkdirSync(dirname(path), { recursive: true });
    if (file.form === "folder") mkdirSync(path);
    else if (file.form.startsWith("link to ")) symlinkSync(file.form.slice("link to ".length), path);
    else writeFileSync(path, bytesOf(file));
  }
}

function bytesOf({ form, text }: CorpusFile): Buffer {
  if (form === "CRLF") return Buffer.from(text.replaceAll("\n", "\r\n"));
  if (form === "Latin-1") return Buffer.from(text, "latin1");
  return form === "UTF-16" ? Buffer.from(`\uFEFF${text}`, "utf16le") : Buffer.from(text);
}
