import { type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { attachedBlock } from "@mdx-ai/directory/views/attached-block";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";
import type { Agent, AgentServer } from "@mdx-ai/runtime";
import { type Asked, yesOrNo } from "../../approval/approval-content.ts";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Input, SentContent } from "../sent-prompts.ts";
import { droppedImage, type Mention, mentionOf, mentionsIn, otherMentionsIn } from "./mentions.ts";
import { UserShell, type UserShellOptions } from "./user-shell.ts";

export interface SentInputOptions extends UserShellOptions, Pick<AttachmentOptions, "isPasted"> {
  readonly agent: Pick<Agent, "servers" | "session" | "shell">;
  /** The current session of the prompts. */
  readonly session: () => string;
  /** The folder where tools work. Absolute. */
  readonly folder: string;
  /** The user's home folder. */
  readonly home: string | undefined;
  /** Asks the user a question. */
  ask(asked: Asked): Promise<ApprovalAnswer>;
  warn(message: string): void;
}

/** Prepares what is sent for a typed text: the files that it mentions, and the output of `!` commands. */
export class SentInput {
  readonly shell: UserShell;
  readonly attachments: Attachments;
  readonly #options: Pick<SentInputOptions, "screen" | "theme">;

  constructor(options: SentInputOptions) {
    const { ask } = options;
    this.#options = options;
    this.shell = new UserShell(options);
    const confirm = async (path: string, reason: string): Promise<boolean> => {
      const about = { lines: [], reason, no: "no, send the prompt without it" };
      const { answer } = await ask(yesOrNo(`Attach ${path}?`, "yes, send it", about));
      return answer !== "no";
    };
    this.attachments = new Attachments({ ...options, confirm });
  }

  /** Prepares what is sent for a typed text, with mentioned files and the output of `!` commands since the last one. */
  readonly prepare = (text: string): Input => {
    const notes = this.shell.takeNotes();
    let isReleased = false;
    return {
      text,
      content: this.#content(text, notes),
      release: () => {
        if (!isReleased) this.shell.returnNotes(notes);
        isReleased = true;
      },
    };
  };

  #content(text: string, notes: readonly string[]): SentContent | Promise<SentContent> {
    const withNotes = (content: SentContent): SentContent => ({
      ...content,
      text: [content.text, ...notes].join("\n\n"),
    });
    if (this.attachments.isNamedIn(text)) {
      return this.attachments.attach(text).then(({ attached, ...content }) => {
        this.#say(this.attachments.summary(text, attached));
        return withNotes(content);
      });
    }
    this.#say(this.attachments.summary(text, []));
    return withNotes({ text, images: [] });
  }

  #say(lines: readonly string[]): void {
    const { screen, theme } = this.#options;
    const text = theme.dim(drawable(lines.join("\n")));
    if (lines.length > 0) screen.append((columns) => [...wrapped(text, columns), ""]);
  }
}

export interface AttachmentOptions {
  readonly agent: Pick<Agent, "servers" | "session">;
  /** The current session of the prompts. Only servers that its skills enable are asked for resources. */
  readonly session: () => string;
  /** The base of relative paths. Absolute. */
  readonly folder: string;
  /** The user's home folder. */
  readonly home: string | undefined;
  /** Asks whether to attach a file that tools may not read without a question. */
  confirm(path: string, reason: string): Promise<boolean>;
  /** Shows why a file is not attached. */
  warn(message: string): void;
  /** Whether a file is an image that the user pasted from the clipboard: nobody is asked about it. */
  isPasted?(path: string): boolean;
}

/** What is sent for a text, and the names of what was attached to it. */
interface AttachedContent extends SentContent {
  readonly attached: readonly string[];
}

/** What attaching adds to. */
interface Attaching {
  readonly images: ImageContent[];
  readonly attached: string[];
}

/** Files attached to one prompt; further ones are only named. */
const MAX_FILES = 50;

const IMAGE_MARK = /\[image #(\d+)\]/g;

/** The files, images and MCP resources that a typed text mentions, and the text to send. */
export class Attachments {
  readonly #options: AttachmentOptions;
  /** The paths of pasted images; the first is image 1. */
  readonly #images: string[] = [];

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  /** The text shown for a pasted path of an image: `[image #1]`. Undefined for other pastes. */
  markOf(pasted: string): string | undefined {
    const path = droppedImage(pasted);
    if (path === undefined || !this.#isFile(path)) return undefined;
    const known = this.#images.indexOf(path);
    return `[image #${known >= 0 ? known + 1 : this.#images.push(path)}]`;
  }

  /** The text with paths for its pasted images, so that another process can read it. */
  lasting(text: string): string {
    return text.replace(IMAGE_MARK, (mark, number) => {
      const path = this.#images[Number(number) - 1];
      return path === undefined ? mark : mentionOf(path);
    });
  }

  /** What was attached for a text, and the words with `@` that name no file: at most three lines, which may be untrusted. */
  summary(text: string, attached: readonly string[]): readonly string[] {
    const others = otherMentionsIn(text, (path) => this.#isNamed(path));
    const folders = others.filter((path) => this.#isFolder(path));
    const missing = others.filter((path) => !folders.includes(path));
    return [
      ...(attached.length === 0 ? [] : [`Attached: ${listed(attached)}`]),
      ...(folders.length === 0 ? [] : [`Not attached: ${listed(folders)} (a folder; name its files)`]),
      ...(missing.length === 0 ? [] : [`Not attached: ${listed(missing)} (no such file)`]),
    ];
  }

  /** Whether a text mentions anything to attach. */
  isNamedIn(text: string): boolean {
    return (text.includes("@") || text.includes("[image #")) && this.#named(text).length > 0;
  }

  /** The text followed by the contents of mentioned files, and their images. Never rejects: the text says what is missing. */
  async attach(text: string): Promise<AttachedContent> {
    const images: ImageContent[] = [];
    const attached: string[] = [];
    const blocks: string[] = [];
    for (const [at, named] of this.#named(text).entries()) {
      const to = { images, attached };
      blocks.push(at < MAX_FILES ? await this.#block(named, to) : blockOf(named, "[not attached: too many files]"));
    }
    return { text: [text, ...blocks].join("\n\n"), images, attached };
  }

  #named(text: string): readonly NamedFile[] {
    const marked = [...new Set(text.matchAll(IMAGE_MARK).map(([, number]) => Number(number)))].flatMap((number) => {
      const path = this.#images[number - 1];
      return path === undefined ? [] : [{ path, mark: `[image #${number}]` }];
    });
    return [...marked, ...mentionsIn(text, (path) => this.#isNamed(path))];
  }

  #isNamed(path: string): boolean {
    return this.#isFile(path) || this.#resource(path) !== undefined;
  }

  async #block(named: NamedFile, to: Attaching): Promise<string> {
    const { agent, confirm, session, warn } = this.#options;
    const { path, first, last } = named;
    const resource = this.#isFile(path) ? undefined : this.#resource(path);
    if (resource !== undefined) return this.#resourceBlock(resource, to);
    const limit = first === undefined || last === undefined ? {} : { offset: first, limit: last - first + 1 };
    try {
      const file = { path: this.#absolute(path), ...limit };
      const read = await agent
        .session(session())
        .readAttachment(file, async (reason) => (this.#options.isPasted?.(path) ? true : confirm(path, reason)));
      to.attached.push(named.mark ?? mentionText(named));
      if (typeof read === "string") return blockOf(named, read);
      to.images.push(...read.content.filter((block) => block.type === "image"));
      return blockOf(named, read.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n"));
    } catch (error) {
      const message = errorMessage(error).replace(/^not run: /, "");
      warn(`${path} is not attached: ${message}`);
      return blockOf(named, `[not attached: ${message}]`);
    }
  }

  /** The resource of `SERVER:URI`, if the server exists. */
  #resource(path: string): NamedResource | undefined {
    const { name, uri = "" } = RESOURCE.exec(path)?.groups ?? {};
    const server = this.#options.agent.servers.find((one) => one.name === name);
    return server && { server, uri };
  }

  async #resourceBlock({ server, uri }: NamedResource, to: Attaching): Promise<string> {
    const attributes = ` server=${JSON.stringify(server.name)} uri=${JSON.stringify(uri)}`;
    const block = (content: string): string => attachedBlock("attached_resource", attributes, content);
    try {
      await this.#requireServer(server);
      const read = await server.readResource(uri);
      to.images.push(...read.filter((part) => part.type === "image"));
      to.attached.push(`${server.name}:${uri}`);
      return block(read.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n"));
    } catch (error) {
      const message = errorMessage(error);
      this.#options.warn(`${server.name}:${uri} is not attached: ${message}`);
      return block(`[not attached: ${message}]`);
    }
  }

  /** Rejects with `DisabledSkillError`. */
  async #requireServer({ skill }: AgentServer): Promise<void> {
    if (skill === undefined) return;
    const { agent, session } = this.#options;
    const skills = await agent.session(session()).skills();
    if (skills.some(({ definition, isEnabled }) => definition.name === skill && isEnabled)) return;
    const { DisabledSkillError } = await import("@mdx-ai/runtime");
    throw new DisabledSkillError(skill);
  }

  #isFile(path: string): boolean {
    return this.#stat(path)?.isFile() ?? false;
  }

  #isFolder(path: string): boolean {
    return this.#stat(path)?.isDirectory() ?? false;
  }

  /** Undefined also for a word that can be no path, such as one that is too long. */
  #stat(path: string): Stats | undefined {
    try {
      return statSync(this.#absolute(path));
    } catch {
      return undefined;
    }
  }

  #absolute(path: string): string {
    const { folder, home } = this.#options;
    return home !== undefined && path.startsWith("~/") ? join(home, path.slice(2)) : resolve(folder, path);
  }
}

/** Names that a summary lists. */
const MAX_LISTED = 5;

const listed = (names: readonly string[]): string =>
  [
    ...names.slice(0, MAX_LISTED).map(plainLine),
    ...(names.length > MAX_LISTED ? [`${names.length - MAX_LISTED} more`] : []),
  ].join(", ");

const mentionText = ({ path, first, last }: Mention): string =>
  first === undefined ? path : `${path}:${first}${last === first ? "" : `-${last}`}`;

/** `SERVER:URI`, without the end of a sentence. */
const RESOURCE = /^(?<name>[A-Za-z0-9][\w-]*):(?<uri>\S*[^\s.,;:!?)\]}'"])$/;

interface NamedResource {
  readonly server: AgentServer;
  readonly uri: string;
}

interface NamedFile extends Mention {
  /** The text that stands for a pasted image. */
  readonly mark?: string;
}

/** A file as text for the model. */
function blockOf({ path, first, last, mark }: NamedFile, content: string): string {
  const lines = first === undefined ? "" : ` lines="${first === last ? first : `${first}-${last}`}"`;
  const name = mark === undefined ? "" : ` name=${JSON.stringify(mark.slice(1, -1))}`;
  return attachedBlock("attached_file", ` path=${JSON.stringify(path)}${lines}${name}`, content);
}
