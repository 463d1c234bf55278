import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";

/** `mdx-ai completions`: prints a script that a shell sources to complete command lines. */
export async function runCompletions(
  { positionals: [shell = ""] }: ParsedArguments,
  { stdout }: CommandContext,
): Promise<number> {
  const script = shellScript(shell);
  if (script === undefined) {
    throw new UsageError(`no completions for ${JSON.stringify(shell)}; available: ${SHELLS.join(", ")}`);
  }
  stdout.write(script);
  return EXIT_CODE.done;
}

// Each script passes the typed words to `mdx-ai complete` unchanged. None evaluates them: pressing Tab must not run a `$(…)` in the command
// line.

const BASH = `_mdx_ai() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done < <(
    mdx-ai complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
  )
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
}
complete -o filenames -F _mdx_ai mdx-ai
`;

const ZSH = `#compdef mdx-ai
_mdx_ai() {
  local name meaning
  local -a names shown
  while IFS=$'\\t' read -r name meaning; do
    names+=("$name")
    shown+=("$name\${meaning:+  -- $meaning}")
  done < <(mdx-ai complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#names == 1 )) && [[ $names[1] == */ ]]; then
    compadd -S '' -a names
  else
    compadd -l -d shown -a names
  fi
}
compdef _mdx_ai mdx-ai
`;

const FISH = `function __mdx_ai_complete
  set -l words (commandline -opc) (commandline -ct)
  mdx-ai complete -- $words[2..] 2>/dev/null
end
complete -c mdx-ai -f -a '(__mdx_ai_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Shells with completions. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** The script for a shell; undefined if it has no completions. */
export const shellScript = (shell: string): string | undefined =>
  Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
