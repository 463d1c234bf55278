// Watches a folder: each file that arrives or changes becomes a prompt, once, also while no process ran.
import { type FSWatcher, mkdirSync, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import type { AgentModule, ModuleContext } from "mdx-ai";

/** How long a folder must be quiet, in milliseconds, so that a file that is being written is complete. */
const QUIET = 300;

class Inbox implements AgentModule {
  readonly apiVersion = 1;
  #context: ModuleContext | undefined;
  #watcher: FSWatcher | undefined;
  #timer: Timer | undefined;
  #looking: Promise<void> = Promise.resolve();

  describe() {
    return { name: "inbox", description: "Has the files of inbox/ summarized" };
  }

  async initialize(context: ModuleContext) {
    this.#context = context;
    mkdirSync(this.#folder, { recursive: true });
    // The system may lose a notice about a change.
    await context.schedule({ name: "look", when: "15m", run: () => this.#look() });
  }

  async start() {
    this.#watcher = watch(this.#folder, () => this.#soon());
    this.#watcher.on("error", (error) => this.#context?.log(`inbox/ is not watched: ${error}`));
    this.#soon();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  get #folder(): string {
    return join(this.#context?.agentDir ?? ".", "inbox");
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), QUIET);
  }

  /** Looks once more after the look that runs. */
  #look(): Promise<void> {
    const next = this.#looking.catch(() => {}).then(() => this.#summarizeNew());
    this.#looking = next.catch(() => {});
    return next;
  }

  async #summarizeNew() {
    for (const name of readdirSync(this.#folder).toSorted()) {
      const { mtimeMs, size } = statSync(join(this.#folder, name));
      await this.#summarize(name, `${size}-${Math.round(mtimeMs)}`);
    }
  }

  async #summarize(name: string, version: string) {
    const context = this.#context;
    if (context === undefined || context.signal.aborted || (await context.state.get(name)) === version) return;
    // After a crash, the same key continues the prompt instead of beginning a second one.
    const { outcome } = await context.prompt(`inbox/${name} has arrived. Summarize it in summaries/${name}.`, {
      session: "inbox",
      key: `${name}-${version}`,
    });
    if (outcome === "aborted") return;
    await context.state.set(name, version);
    await context.log(`${name}: ${outcome}`);
  }
}

export default new Inbox();
