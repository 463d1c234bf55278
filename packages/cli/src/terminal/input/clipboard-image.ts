import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, failureText } from "@mdx-ai/base";
import { findProgram, makeTemporaryFolder } from "@mdx-ai/base/disk";
import { localDisplays } from "../take-out-commands.ts";

/** Milliseconds after which a program is considered stuck, and the most bytes of an image. */
const PATIENCE = 5_000;
const MAX_BYTES = 50 * 2 ** 20;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Commands that print the image of the clipboard of this display as PNG; empty over SSH. */
export function imagePrograms(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly (readonly string[])[] {
  const commands = {
    macos: ["pngpaste", "-"],
    wayland: ["wl-paste", "--type", "image/png"],
    x11: ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  };
  return localDisplays(environment, platform).map((display) => commands[display]);
}

/** The images that the user pasted from the clipboard, as files that end with the conversation. */
export class ClipboardImages {
  readonly #environment: Environment;
  readonly #folders: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether a path is the file of such an image. */
  has(path: string): boolean {
    return this.#folders.some((folder) => path === fileIn(folder));
  }

  /** The file of the clipboard's image; otherwise the reason why there is none, for the user. Never rejects. */
  async take(): Promise<{ readonly path: string } | { readonly problem: string }> {
    const programs = imagePrograms(this.#environment);
    if (programs.length === 0) return { problem: "No display is known here whose clipboard could hold an image" };
    const found = programs.filter(([name = ""]) => this.#find(name) !== undefined);
    if (found.length === 0) return { problem: `Install ${programs[0]?.[0]} to paste images of the clipboard` };
    for (const command of found) {
      const bytes = await this.#read(command);
      if (bytes?.subarray(0, PNG.length).equals(PNG)) return this.#kept(bytes);
    }
    return { problem: "The clipboard holds no image" };
  }

  /** Removes the files. Never throws. */
  close(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  #find(name: string): string | undefined {
    return findProgram(name, { environment: this.#environment, outside: [] });
  }

  async #read([name = "", ...args]: readonly string[]): Promise<Buffer | undefined> {
    try {
      const child = Bun.spawn([this.#find(name) ?? name, ...args], {
        env: { ...this.#environment },
        stdio: ["ignore", "pipe", "ignore"],
        timeout: PATIENCE,
        maxBuffer: MAX_BYTES,
      });
      const [bytes, exitCode] = await Promise.all([child.stdout.bytes(), child.exited]);
      return exitCode === 0 ? Buffer.from(bytes) : undefined;
    } catch {
      return undefined;
    }
  }

  #kept(bytes: Buffer): { readonly path: string } | { readonly problem: string } {
    try {
      const folder = makeTemporaryFolder("mdx-ai-clipboard-");
      this.#folders.push(folder);
      writeFileSync(fileIn(folder), bytes, { mode: 0o600 });
      return { path: fileIn(folder) };
    } catch (error) {
      return { problem: `The image cannot be kept: ${failureText(error)}` };
    }
  }
}

const fileIn = (folder: string): string => join(folder, "image.png");
