/** A system call as a seccomp filter sees it: `struct seccomp_data`. */
export interface FilteredCall {
  /** 32 bits. */
  readonly number: number;
  /** `AUDIT_ARCH_…` of `<linux/audit.h>`. */
  readonly auditArchitecture: number;
  /** Up to six, of 64 bits. */
  readonly arguments: readonly bigint[];
}

/** What a filter returns: a call that is let through, one that kills its process, or one that fails with an error number. */
export type FilterResult = "allowed" | "killed" | number;

/** Runs a filter of classic BPF, as the kernel does. Throws at an instruction that it does not know, and at a wrong jump. */
export function evaluateFilter(filter: Uint8Array, call: FilteredCall): FilterResult {
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const data = seccompData(call);
  let accumulator = 0;
  for (let position = 0; position < filter.length; position += 8) {
    const code = program.getUint16(position, true);
    const operand = program.getUint32(position + 4, true);
    const jump = (isTrue: boolean): number => 8 * program.getUint8(position + (isTrue ? 2 : 3));
    if (code === 0x20) accumulator = data.getUint32(operand, true);
    else if (code === 0x54) accumulator = (accumulator & operand) >>> 0;
    else if (code === 0x15) position += jump(accumulator === operand);
    else if (code === 0x25) position += jump(accumulator > operand);
    else if (code === 0x45) position += jump((accumulator & operand) !== 0);
    else if (code === 0x06) return resultOf(operand);
    else throw new Error(`an unknown instruction: ${code}`);
  }
  throw new Error("the filter ends without a result");
}

function seccompData({ number, auditArchitecture, arguments: values }: FilteredCall): DataView {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, auditArchitecture, true);
  for (const [index, value] of values.entries()) data.setBigUint64(16 + 8 * index, value, true);
  return data;
}

function resultOf(value: number): FilterResult {
  if (value === 0x7fff0000) return "allowed";
  if (value === 0x80000000) return "killed";
  if (value >>> 16 === 0x0005) return value & 0xffff;
  throw new Error(`an unknown result: ${value}`);
}
