import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KernelLayer, runUnderLayer, withKernelLayer } from "../../support/kernel-sandbox.ts";
import { requireProgram } from "../../support/require-program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Programs as people use them: what runs, and what it prints. Each starts in an empty folder of its own. */
const PROGRAMS: readonly (readonly [program: string, script: string, output: string])[] = [
  ["bash", "cat <(echo in a pipe) - <<< 'from a string'; echo to > >(cat); wait $!", "in a pipe\nfrom a string\nto\n"],
  ["tar", "mkdir a; echo b > a/b; chmod 640 a/b; tar c a | tar xpC /tmp; stat -c %a /tmp/a/b", "640\n"],
  ["getent", "getent passwd root | cut -d: -f1; getent hosts localhost > /dev/null && echo found", "root\nfound\n"],
  [
    "git",
    "git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git log --format=%s",
    "first\n",
  ],
  [
    "perl",
    `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) or die; if (fork) { close B; print <A>; wait } else { print B "a child\n" }'`,
    "a child\n",
  ],
  [
    "python3",
    `python3 -c '
import multiprocessing, socket, subprocess, threading
a, b = socket.socketpair()
thread = threading.Thread(target=lambda: a.sendall(b"a thread"))
thread.start(); print(b.recv(99).decode()); thread.join()
with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(abs, [-1, -2]))
print(subprocess.check_output(["echo", "a child"], text=True), end="")'`,
    "a thread\n[1, 2]\na child\n",
  ],
  [
    "node",
    `node -e '
const { execFileSync } = require("node:child_process");
const { Worker } = require("node:worker_threads");
new Worker("require(\\"node:worker_threads\\").parentPort.postMessage(1)", { eval: true }).on("message", async () => {
  const server = require("node:http").createServer((_, answer) => answer.end("an answer")).listen(0, "127.0.0.1", async () => {
    console.log(await (await fetch("http://localhost:" + server.address().port)).text());
    console.log(execFileSync("echo", ["a child"]).toString().trim(), Object.keys(require("node:os").networkInterfaces()).join());
    server.close();
  });
});'`,
    "an answer\na child lo\n",
  ],
  ["npm", "npm --version | grep -c '^[0-9.]*$'", "1\n"],
  [
    "curl",
    `printf 'a file' > page; python3 -c '
import http.server, subprocess, threading
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(subprocess.check_output(["curl", "-s", "http://localhost:%d/page" % server.server_port], text=True))' 2> /dev/null`,
    "a file\n",
  ],
];

/** What tools and the program itself do in Bun. */
const BUN_SCRIPT = `
import { watch, writeFileSync } from "node:fs";
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("an answer") });
console.log(await (await fetch(server.url)).text());
await server.stop(true);
console.log(await new Response(Bun.spawn(["echo", "a child"]).stdout).text());
console.log(Bun.spawnSync(["cat"], { stdin: Buffer.from("its input") }).stdout.toString());
const worker = new Worker(URL.createObjectURL(new Blob(["postMessage('a worker')"])));
console.log(await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); }));
worker.terminate();
const seen = new Promise((resolve) => watch(".", (_, name) => resolve(name)));
writeFileSync("watched", "");
console.log(await seen, await Bun.file("watched").exists());
console.log(await Bun.$\`echo a pipe | cat\`.text());
process.exit(0);
`;

/** Sends back what it gets. */
const ECHO_SCRIPT = `process.on("message", (message) => { process.send({ echo: message }); process.disconnect(); });`;

const layerFor = (folder: string): KernelLayer => ({
  isFiltered: true,
  // Bun itself may lie in /tmp, too.
  options: [
    ...["--tmpfs", "/tmp", "--bind", folder, folder, "--ro-bind", process.execPath, process.execPath],
    ...["--chdir", folder],
  ],
});

describe.skipIf(requireProgram("bwrap"))("under the filter works", () => {
  for (const [program, script, output] of PROGRAMS) {
    test.skipIf(requireProgram(program))(program, async () => {
      using folder = temporaryDirectory();
      const result = await runUnderLayer(["/bin/bash", "-c", script], layerFor(folder.path));
      expect(result).toStrictEqual({ exitCode: 0, stdout: output, stderr: "" });
    });
  }

  test("Bun with servers, children, workers and watched folders", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "script.ts"), BUN_SCRIPT);
    const { stdout, stderr } = await runUnderLayer([process.execPath, "script.ts"], layerFor(folder.path));
    const words = ["an answer", "a child\n", "its input", "a worker", "watched true", "a pipe\n"];
    expect([stderr, stdout]).toStrictEqual(["", words.map((word) => `${word}\n`).join("")]);
  });

  test("a process of Bun that talks with its parent outside", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "echo.ts"), ECHO_SCRIPT);
    const answer = await withKernelLayer(layerFor(folder.path), async (start, descriptors) => {
      const received = Promise.withResolvers<unknown>();
      const child = Bun.spawn([...start, process.execPath, "echo.ts"], {
        ipc: received.resolve,
        stdio: ["ignore", "ignore", "inherit", ...descriptors],
      });
      child.send("hello");
      void child.exited.then((code) => received.reject(new Error(`it ended with ${code}`)));
      return await received.promise.finally(() => child.exited);
    });
    expect(answer).toEqual({ echo: "hello" });
  });
});
