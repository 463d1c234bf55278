import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { syscallNumber } from "../../../scripts/seccomp/syscall-numbers.ts";
import { CASES_BY_ARGUMENT, ERROR_NUMBERS, FILTER_CASES, type FilterCase } from "../../support/filtered-calls.ts";
import { nativeArchitecture, runUnderLayer } from "../../support/kernel-sandbox.ts";
import { requireProgram } from "../../support/require-program.ts";
import { staticProgram } from "../../support/static-program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Does the calls that its arguments name, `NUMBER,ARGUMENT,...`, and prints the error number of each, or 0. */
const PERFORM = `for (@ARGV) { my @words = map { $_ + 0 } split /,/; my $number = shift @words;
  $! = 0; my $result = syscall($number, @words); print $result == -1 ? $! + 0 : 0, "\\n"; }`;

interface KernelCase extends FilterCase {
  readonly number: number;
}

const onThisMachine = (cases: readonly FilterCase[]): KernelCase[] =>
  cases.flatMap((one) => {
    const number = syscallNumber(one.call, nativeArchitecture());
    return number === undefined ? [] : [{ ...one, number }];
  });

/** The error number of each call, behind bubblewrap. */
async function performed(cases: readonly KernelCase[], isFiltered: boolean): Promise<readonly number[]> {
  const words = cases.map((one) => [one.number, ...one.arguments].join());
  const { stdout, stderr, exitCode } = await runUnderLayer(["perl", "-e", PERFORM, ...words], { isFiltered });
  expect([exitCode, stderr]).toStrictEqual([0, ""]);
  return stdout.trim().split("\n").map(Number);
}

/** The filter's errors; none of the allowed calls gets one of them from the kernel. */
const REFUSALS: readonly number[] = Object.values(ERROR_NUMBERS);

const titlesWhere = (cases: readonly KernelCase[], isWanted: (one: KernelCase, index: number) => boolean): string[] =>
  cases.filter(isWanted).map((one) => one.title);

/** Prints what a socket of the host says. */
const CONNECT = `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die "$!\\n"; connect(S, sockaddr_un($ARGV[0])) or die; print <S>;`;

/** A host's socket for datagrams: prints what the first one says. */
const LISTEN = `use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0) or die; bind(S, sockaddr_un($ARGV[0])) or die;
  $| = 1; print "bound\\n"; recv(S, $_, 99, 0); print;`;

/** Sends a datagram to a socket that its pair is not connected to. */
const SEND = `use Socket; socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or die "pair: $!"; send(A, "from inside", 0, sockaddr_un($ARGV[0])) or die "send: $!"`;

/** Machine code of x64: `socket(AF_UNIX, SOCK_STREAM, 0)` by the entry of 32-bit programs, then the error number as exit code. */
const SOCKET_BY_INTERRUPT = [
  ...["b8 67 01 00 00", "bb 01 00 00 00", "b9 01 00 00 00", "31 d2", "cd 80"], // mov eax, 359; ebx, 1; ecx, 1; edx, 0; int 0x80
  ...["31 ff", "85 c0", "79 04", "f7 d8", "89 c7"], // edi = eax < 0 ? -eax : 0
  ...["6a 3c", "58", "0f 05"], // exit(edi)
];

/** `socket(AF_UNIX, SOCK_STREAM, 0)`, its number with upper bits: the kernel looks at the lower 32. */
const SOCKET_WITH_UPPER_BITS = [
  "48 b8 29 00 00 00 ef be ad de", // movabs rax, 0xdeadbeef00000029
  ...["bf 01 00 00 00", "be 01 00 00 00", "31 d2", "0f 05"], // mov edi, 1; esi, 1; edx, 0; syscall
  ...["31 ff", "85 c0", "79 04", "f7 d8", "89 c7"],
  ...["6a 3c", "58", "0f 05"],
];

/** Runs machine code as a program behind bubblewrap, and returns its exit code. */
async function exitCodeOf(code: readonly string[], isFiltered: boolean): Promise<number> {
  using folder = temporaryDirectory();
  const program = join(folder.path, "program");
  writeFileSync(program, staticProgram(Uint8Array.fromHex(code.join("").replaceAll(" ", ""))), { mode: 0o700 });
  return (await runUnderLayer([program], { isFiltered })).exitCode;
}

describe.skipIf(requireProgram("bwrap") || requireProgram("perl"))("a command under the filter", () => {
  test("is refused what the filter denies, also with upper bits, and nothing else", async () => {
    const cases = onThisMachine(FILTER_CASES);
    const errors = await performed(cases, true);
    expect(errors.length).toBe(cases.length);
    const isWrong = ({ result }: KernelCase, index: number): boolean => {
      const error = errors[index] ?? -1;
      return result === "allowed" ? REFUSALS.includes(error) : error !== ERROR_NUMBERS[result];
    };
    expect(titlesWhere(cases, isWrong)).toStrictEqual([]);
  });

  test("would not be refused the same without the filter", async () => {
    const cases = onThisMachine(CASES_BY_ARGUMENT.filter(({ call }) => call !== "socket"));
    const errors = await performed(cases, false);
    expect(titlesWhere(cases, (_, index) => REFUSALS.includes(errors[index] ?? -1))).toStrictEqual([]);
  });

  test.skipIf(process.arch !== "x64")("is killed at the first call by the entry of 32-bit programs", async () => {
    const codes = [await exitCodeOf(SOCKET_BY_INTERRUPT, false), await exitCodeOf(SOCKET_BY_INTERRUPT, true)];
    // SIGSYS.
    expect(codes).toStrictEqual([0, 128 + 31]);
  });

  test.skipIf(process.arch !== "x64")("hides no call by upper bits in its number", async () => {
    const codes = [await exitCodeOf(SOCKET_WITH_UPPER_BITS, false), await exitCodeOf(SOCKET_WITH_UPPER_BITS, true)];
    expect(codes).toStrictEqual([0, ERROR_NUMBERS.EAFNOSUPPORT]);
  });

  test("does not connect to a socket of the host", async () => {
    using folder = temporaryDirectory();
    const unix = join(folder.path, "socket");
    const server = createServer((socket) => socket.end("from outside")).listen(unix);
    await once(server, "listening");
    const command = ["perl", "-e", CONNECT, unix];
    const [bare, filtered] = [await runUnderLayer(command, {}), await runUnderLayer(command, { isFiltered: true })];
    expect(bare).toStrictEqual({ exitCode: 0, stdout: "from outside", stderr: "" });
    expect(filtered).toStrictEqual({ exitCode: 97, stdout: "", stderr: "Address family not supported by protocol\n" });
    server.close();
  });

  test.each([
    [false, "from inside", ""],
    [true, "", "Socket type not supported"],
  ])(
    "sends no datagram to a socket of the host through a pair of its own (filtered: %p)",
    async (isFiltered, received, complaint) => {
      using folder = temporaryDirectory();
      const path = join(folder.path, "socket");
      const host = Bun.spawn(["perl", "-e", LISTEN, path], { stdout: "pipe" });
      const output = host.stdout.pipeThrough(new TextDecoderStream()).getReader();
      expect((await output.read()).value).toBe("bound\n");
      const { stderr } = await runUnderLayer(["perl", "-e", SEND, path], { isFiltered });
      if (isFiltered) host.kill();
      expect((await output.read()).value ?? "").toBe(received);
      expect(stderr).toContain(complaint);
      await host.exited;
    },
  );

  test.each([
    "chmod u+s file",
    "chmod 2755 file",
    "install -m 4755 file copy",
    "perl -e 'umask 0; sysopen(F, \"copy\", 65, 04755) or die $!'",
  ])("leaves no file that lends rights: %s", async (command) => {
    using folder = temporaryDirectory();
    const [file, copy] = [join(folder.path, "file"), join(folder.path, "copy")];
    writeFileSync(file, "");
    chmodSync(file, 0o755);
    const options = ["--bind", folder.path, folder.path, "--chdir", folder.path];
    const { stderr, exitCode } = await runUnderLayer(["sh", "-c", command], { isFiltered: true, options });
    expect(stderr).toContain("Operation not permitted");
    expect(exitCode).not.toBe(0);
    const modes = [file, copy].map((path) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0);
    expect(modes.filter((mode) => (mode & 0o6000) !== 0)).toStrictEqual([]);
  });

  test("gets no privileged namespace", async () => {
    const { stderr, exitCode } = await runUnderLayer(["unshare", "--user", "true"], { isFiltered: true });
    expect([exitCode, stderr]).toStrictEqual([1, "unshare: unshare failed: Operation not permitted\n"]);
  });
});
