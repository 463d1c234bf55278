import type { LandlockRights } from "./landlock.ts";
import type { Architecture } from "./syscall-numbers.ts";

/** The launcher's machine code, with the rights of its ruleset in it. */
export function launcherCode(architecture: Architecture, rights: LandlockRights): Uint8Array {
  const listing = architecture === "x64" ? x64Listing(rights) : arm64Listing(rights);
  const bytes = listing.split("\n").map((line) => (line.split(";")[0] ?? "").replaceAll(" ", ""));
  return Uint8Array.fromHex(bytes.join(""));
}

/**
 * The bytes of each instruction, and the source from which GNU as makes them. When it starts, the stack holds the number of arguments, the
 * arguments, a null, and the variables. `rbx` is the current argument, `r13` the variables, `ebp` the ruleset.
 */
const x64Listing = ({ handled, scoped, folder, file }: LandlockRights): string => `
  48 8d 5c 24 08          ; lea rbx, [rsp + 8]
  48 8b 0c 24             ; mov rcx, [rsp]
  4c 8d 6c cc 10          ; lea r13, [rsp + 8 * rcx + 16]
                          ; ruleset = landlock_create_ruleset({handled, network: 0, scoped}, 24, 0)
  68 ${word(scoped)}             ; push scoped
  6a 00                   ; push 0
  68 ${word(handled)}             ; push handled
  48 89 e7                ; mov rdi, rsp
  6a 18                   ; push 24
  5e                      ; pop rsi
  31 d2                   ; xor edx, edx
  b8 bc 01 00 00          ; mov eax, 444
  0f 05                   ; syscall
  85 c0                   ; test eax, eax
  78 5b                   ; js fail
  89 c5                   ; mov ebp, eax
                          ; next: if the argument is "--", run what follows; if there is none, fail
  48 83 c3 08             ; add rbx, 8
  48 8b 3b                ; mov rdi, [rbx]
  48 85 ff                ; test rdi, rdi
  74 4d                   ; je fail
  8b 07                   ; mov eax, [rdi]
  c1 e0 08                ; shl eax, 8
  3d 00 2d 2d 00          ; cmp eax, "--" << 8
  74 49                   ; je run
                          ; open(path, O_PATH | O_CLOEXEC)
  be 00 00 28 00          ; mov esi, 0x280000
  31 d2                   ; xor edx, edx
  6a 02                   ; push 2
  58                      ; pop rax
  0f 05                   ; syscall
  85 c0                   ; test eax, eax
  78 31                   ; js fail
                          ; landlock_add_rule(ruleset, LANDLOCK_RULE_PATH_BENEATH, {folder, descriptor}, 0)
  50                      ; push rax
  68 ${word(folder)}             ; push folder
  89 ef                   ; mov edi, ebp
  6a 01                   ; push 1
  5e                      ; pop rsi
  48 89 e2                ; mov rdx, rsp
  45 31 d2                ; xor r10d, r10d
  b8 bd 01 00 00          ; mov eax, 445
  0f 05                   ; syscall
                          ; EINVAL: it is no folder, so once more with the rights of a file
  83 f8 ea                ; cmp eax, -22
  75 0e                   ; jne added
  c7 04 24 ${word(file)}       ; mov dword ptr [rsp], file
  b8 bd 01 00 00          ; mov eax, 445
  0f 05                   ; syscall
                          ; added:
  59                      ; pop rcx
  59                      ; pop rcx
  85 c0                   ; test eax, eax
  74 a7                   ; je next
                          ; fail: exit(126)
  6a 7e                   ; push 126
  5f                      ; pop rdi
                          ; exit:
  6a 3c                   ; push 60
  58                      ; pop rax
  0f 05                   ; syscall
                          ; run: landlock_restrict_self(ruleset, 0)
  89 ef                   ; mov edi, ebp
  31 f6                   ; xor esi, esi
  b8 be 01 00 00          ; mov eax, 446
  0f 05                   ; syscall
  85 c0                   ; test eax, eax
  75 e9                   ; jne fail
                          ; execve(command, arguments, variables)
  48 8d 73 08             ; lea rsi, [rbx + 8]
  48 8b 3e                ; mov rdi, [rsi]
  4c 89 ea                ; mov rdx, r13
  6a 3b                   ; push 59
  58                      ; pop rax
  0f 05                   ; syscall
                          ; exit(127)
  6a 7f                   ; push 127
  5f                      ; pop rdi
  eb d8                   ; jmp exit
`;

/** The same for arm64. `x19` is the current argument, `x20` the variables, `w21` the ruleset. */
const arm64Listing = ({ handled, scoped, folder, file }: LandlockRights): string => `
  f3 23 00 91             ; add x19, sp, #8
  e9 03 40 f9             ; ldr x9, [sp]
  f4 6f 29 8b             ; add x20, sp, x9, lsl #3
  94 42 00 91             ; add x20, x20, #16
                          ; ruleset = landlock_create_ruleset({handled, network: 0, scoped}, 24, 0)
  ff 83 00 d1             ; sub sp, sp, #32
  ${moveToX9(handled)}             ; mov x9, #handled
  e9 7f 00 a9             ; stp x9, xzr, [sp]
  ${moveToX9(scoped)}             ; mov x9, #scoped
  e9 0b 00 f9             ; str x9, [sp, #16]
  e0 03 00 91             ; mov x0, sp
  01 03 80 d2             ; mov x1, #24
  02 00 80 d2             ; mov x2, #0
  88 37 80 d2             ; mov x8, #444
  01 00 00 d4             ; svc #0
  e0 03 f8 37             ; tbnz w0, #31, fail
  f5 03 00 2a             ; mov w21, w0
                          ; next: if the argument is "--", run what follows; if there is none, fail
  61 8e 40 f8             ; ldr x1, [x19, #8]!
  81 03 00 b4             ; cbz x1, fail
  29 00 40 b9             ; ldr w9, [x1]
  29 5d 18 53             ; lsl w9, w9, #8
  0a a0 85 52             ; mov w10, #0x2d00
  aa 05 a0 72             ; movk w10, #0x2d, lsl #16
  3f 01 0a 6b             ; cmp w9, w10
  20 03 00 54             ; b.eq run
                          ; openat(AT_FDCWD, path, O_PATH | O_CLOEXEC)
  60 0c 80 92             ; mov x0, #-100
  02 05 a0 d2             ; mov x2, #0x280000
  08 07 80 d2             ; mov x8, #56
  01 00 00 d4             ; svc #0
  20 02 f8 37             ; tbnz w0, #31, fail
                          ; landlock_add_rule(ruleset, LANDLOCK_RULE_PATH_BENEATH, {folder, descriptor}, 0)
  ${moveToX9(folder)}             ; mov x9, #folder
  e9 03 00 f9             ; str x9, [sp]
  e0 0b 00 b9             ; str w0, [sp, #8]
  e0 03 15 2a             ; mov w0, w21
  21 00 80 d2             ; mov x1, #1
  e2 03 00 91             ; mov x2, sp
  03 00 80 d2             ; mov x3, #0
  a8 37 80 d2             ; mov x8, #445
  01 00 00 d4             ; svc #0
                          ; EINVAL: it is no folder, so once more with the rights of a file
  1f 58 00 31             ; cmn w0, #22
  a1 00 00 54             ; b.ne added
  ${moveToX9(file)}             ; mov x9, #file
  e9 03 00 f9             ; str x9, [sp]
  e0 03 15 2a             ; mov w0, w21
  01 00 00 d4             ; svc #0
                          ; added:
  80 fc ff 34             ; cbz w0, next
                          ; fail: exit(126)
  c0 0f 80 d2             ; mov x0, #126
                          ; exit:
  a8 0b 80 d2             ; mov x8, #93
  01 00 00 d4             ; svc #0
                          ; run: landlock_restrict_self(ruleset, 0)
  e0 03 15 2a             ; mov w0, w21
  01 00 80 d2             ; mov x1, #0
  c8 37 80 d2             ; mov x8, #446
  01 00 00 d4             ; svc #0
  20 ff ff 35             ; cbnz w0, fail
                          ; execve(command, arguments, variables)
  61 22 00 91             ; add x1, x19, #8
  20 00 40 f9             ; ldr x0, [x1]
  e2 03 14 aa             ; mov x2, x20
  a8 1b 80 d2             ; mov x8, #221
  01 00 00 d4             ; svc #0
                          ; exit(127)
  e0 0f 80 d2             ; mov x0, #127
  f3 ff ff 17             ; b exit
`;

/** A value in 4 bytes, little-endian. */
const word = (value: number): string => new Uint8Array(Uint32Array.of(value).buffer).toHex();

/** `movz x9, #value`; the value has at most 16 bits. */
const moveToX9 = (value: number): string => word(0xd2800009 + value * 2 ** 5);
