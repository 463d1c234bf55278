import type { Architecture } from "../../packages/sandbox/src/kernel/filter-file.ts";
import { type Condition, DENIALS, type Denial, ERRORS } from "./denied-calls.ts";
import { NEWEST_SYSCALL, syscallNumber } from "./syscall-numbers.ts";

/** Operations of classic BPF: see `<linux/bpf_common.h>`. */
const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER = 0x25;
const JUMP_IF_SOME = 0x45;
const RETURN = 0x06;

/** The results of a filter: see `<linux/seccomp.h>`. */
const KILL_PROCESS = 0x80000000;
const ERROR = 0x00050000;
const ALLOW = 0x7fff0000;

/** Offsets in `struct seccomp_data`. An argument has 8 bytes; its lower half comes first on both architectures. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENTS = 16;

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`: see `<linux/audit.h>`. */
const NATIVE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** An instruction, or the name of the next one. A jump without a target goes to the next instruction. */
type Line =
  | { readonly label: string }
  | { readonly code: number; readonly operand: number; readonly whenTrue?: string; readonly whenFalse?: string };

/**
 * The seccomp filter of a sandbox, as `bwrap --seccomp` reads it: an array of `struct sock_filter`, in little-endian order. It
 * denies what `DENIALS` lists and allows all other calls, with two exceptions:
 *
 * - A call by another architecture's entry, such as `int 0x80` on x64 or a 32-bit program, kills the process with SIGSYS: its
 *   numbers mean other calls, and a program whose `exit` only fails would spin.
 * - A number that is newer than this filter, as the x32 numbers of x64 are, fails with ENOSYS, as it does on an older kernel.
 */
export function seccompFilter(architecture: Architecture): Uint8Array {
  return assembled([
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, operand: NATIVE[architecture], whenTrue: "native" },
    { code: RETURN, operand: KILL_PROCESS },
    { label: "native" },
    load(NUMBER),
    { code: JUMP_IF_GREATER, operand: NEWEST_SYSCALL, whenFalse: "known" },
    returnError("ENOSYS"),
    { label: "known" },
    ...DENIALS.flatMap((denial, index) => denialLines(denial, index, architecture)),
    { code: RETURN, operand: ALLOW },
  ]);
}

function denialLines({ calls, conditions = [], error }: Denial, index: number, architecture: Architecture): Line[] {
  const numbers = calls.flatMap((call) => syscallNumber(call, architecture) ?? []);
  if (numbers.length === 0) return [];
  const [matched, end] = [`matched ${index}`, `end ${index}`];
  return [
    load(NUMBER),
    ...jumpIfAny(numbers, matched, end),
    { label: matched },
    ...conditions.flatMap((condition, position) => conditionLines(condition, `${index}.${position} holds`, end)),
    returnError(error),
    { label: end },
  ];
}

/** Continue after the lines if the condition holds, and to `otherwise` if not. */
function conditionLines({ argument, mask, test }: Condition, holds: string, otherwise: string): Line[] {
  const value = load(ARGUMENTS + 8 * argument);
  if (test === "some") return [value, { code: JUMP_IF_SOME, operand: mask ?? 0xffffffff, whenFalse: otherwise }];
  const masked: Line[] = mask === undefined ? [value] : [value, { code: AND, operand: mask }];
  const jumps = "is" in test ? jumpIfAny(test.is, holds, otherwise) : jumpIfAny(test.isNot, otherwise, holds);
  return [...masked, ...jumps, { label: holds }];
}

const jumpIfAny = (values: readonly number[], whenAny: string, whenNone: string): Line[] =>
  values.map((operand, index) => ({
    ...{ code: JUMP_IF_EQUAL, operand, whenTrue: whenAny },
    ...(index === values.length - 1 && { whenFalse: whenNone }),
  }));

const load = (offset: number): Line => ({ code: LOAD, operand: offset });

const returnError = (error: keyof typeof ERRORS): Line => ({ code: RETURN, operand: ERROR | ERRORS[error] });

function assembled(lines: readonly Line[]): Uint8Array {
  const places = new Map<string, number>();
  let count = 0;
  for (const line of lines) {
    if ("label" in line) places.set(line.label, count);
    else count += 1;
  }
  const bytes = new DataView(new ArrayBuffer(8 * count));
  let position = 0;
  const distance = (target: string | undefined): number =>
    target === undefined ? 0 : (places.get(target) ?? Number.NaN) - position - 1;
  for (const line of lines) {
    if ("label" in line) continue;
    bytes.setUint16(8 * position, line.code, true);
    bytes.setUint8(8 * position + 2, jumpDistance(distance(line.whenTrue)));
    bytes.setUint8(8 * position + 3, jumpDistance(distance(line.whenFalse)));
    bytes.setUint32(8 * position + 4, line.operand, true);
    position += 1;
  }
  return new Uint8Array(bytes.buffer);
}

/** A jump of BPF goes forward by at most 255 instructions. Throws a `RangeError` if the table of denials outgrows that. */
function jumpDistance(distance: number): number {
  if (!(distance >= 0 && distance <= 255)) throw new RangeError(`no jump of BPF goes ${distance} instructions ahead`);
  return distance;
}
