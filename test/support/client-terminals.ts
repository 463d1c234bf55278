import { type ClientApp, methods } from "@agentclientprotocol/sdk";
import { eventually } from "./eventually.ts";

interface ClientTerminal {
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  output: string;
  isReleased: boolean;
  /** Resolves when all output is read. */
  read: Promise<void>;
}

/** The terminals of an editor: processes whose output it keeps. */
export class ClientTerminals implements Disposable {
  readonly #all: ClientTerminal[] = [];

  /** The output of each, and whether the agent has released it. */
  get ended(): readonly { readonly output: string; readonly isReleased: boolean }[] {
    return this.#all.map(({ output, isReleased }) => ({ output, isReleased }));
  }

  started(): Promise<void> {
    return eventually(() => this.#all.length > 0);
  }

  /** Answers the agent's requests. */
  serve(app: ClientApp): void {
    const { create, output, waitForExit, kill, release } = methods.client.terminal;
    app
      .onRequest(create, ({ params: { command, args = [], cwd, env = [] } }) => {
        const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const process = Bun.spawn([command, ...args], {
          ...(cwd != null && { cwd }),
          ...{ env: { PATH: Bun.env["PATH"], ...variables }, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
        });
        const terminal: ClientTerminal = { process, output: "", isReleased: false, read: Promise.resolve() };
        terminal.read = process.stdout.text().then((text) => {
          terminal.output = text;
        });
        this.#all.push(terminal);
        return { terminalId: `term-${this.#all.length}` };
      })
      .onRequest(waitForExit, async ({ params: { terminalId } }) => {
        const { process, read } = this.#get(terminalId);
        await Promise.all([process.exited, read]);
        const { exitCode, signalCode } = process;
        return { exitCode, signal: signalCode === null ? null : String(signalCode) };
      })
      .onRequest(output, ({ params: { terminalId } }) => ({ output: this.#get(terminalId).output, truncated: false }))
      .onRequest(kill, ({ params: { terminalId } }) => {
        this.#get(terminalId).process.kill();
        return {};
      })
      .onRequest(release, ({ params: { terminalId } }) => {
        this.#get(terminalId).isReleased = true;
        return {};
      });
  }

  #get(terminalId: string): ClientTerminal {
    const terminal = this.#all[Number(terminalId.replace("term-", "")) - 1];
    if (terminal === undefined || terminal.isReleased) throw new Error(`no terminal ${terminalId}`);
    return terminal;
  }

  [Symbol.dispose](): void {
    for (const { process } of this.#all) process.kill("SIGKILL");
  }
}
