// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the shell
import { describe, expect, test } from "bun:test";
import { shellTemplate } from "@mdx-ai/parser/entrypoints";

const names = ["x", "y", "command"];

/** The parts of a template, an argument as `<name quotes>`, with `!` for one that could be an option and `.` for a word. */
function shown(target: string): string {
  const template = shellTemplate(target, names);
  if (template.kind === "mistake") return `${template.index}: ${template.message}`;
  if (template.kind === "command") return `command ${template.name}`;
  return template.parts
    .map((part) => {
      if (typeof part === "string") return part;
      const marks = `${part.isWord ? "." : ""}${part.maybeOption ? "!" : ""}`;
      return `<${part.lead}|${part.name} ${part.quotes}${marks}|${part.trail}>`;
    })
    .join("");
}

describe("a template of a command", () => {
  test.each([
    ["{command}", "command command"],
    ["  {command} ", "command command"],
    ["cat {x}", "cat <|x none.!|>"],
    ["cat -- {x}", "cat -- <|x none.|>"],
    ['cat "{x}"', 'cat <"|x double.!|">'],
    ["cat '{x}'", "cat <'|x single.!|'>"],
    ["ls --limit={x} .", "ls <--limit=|x none|> ."],
    ['ls --limit="{x}"', 'ls <--limit="|x double|">'],
    ["echo {x}", "echo <|x none.|>"],
    ['echo "hello {x}!"', 'echo "hello <|x double|>!"'],
    ["cat {x}{y}", "cat <|x none!|><|y none!|>"],
    ["cat a{x}{y}", "cat a<|x none|><|y none|>"],
    ["printf {x} {y}", "printf <|x none.!|> <|y none.!|>"],
    ["printf '%s' {x}", "printf '%s' <|x none.|>"],
    ["printf -v {x}", "printf -v <|x none.!|>"],
    ["{x} run", "<|x none.|> run"],
    ["a; b {x}", "a; b <|x none.!|>"],
    ["a -- b; c {x}", "a -- b; c <|x none.!|>"],
    ["X=1 {x} {y}", "X=1 <|x none.|> <|y none.!|>"],
    ["{baseDir}/run {x}", "<|baseDir none|>/run <|x none.!|>"],
    ["awk '{print $1}' {x}", "awk '{print $1}' <|x none.!|>"],
    ["awk '{{print}}' {x}", "awk '{print}' <|x none.!|>"],
    ["find . -exec ls {} ;", "find . -exec ls {} ;"],
    ["echo {{x}}", "echo {x}"],
    ["echo {{{x}}}", "echo {<|x none|>}"],
    ['curl -d \'{"a":{"b":"{x}"}}\' u', 'curl -d \'{"a":{"b":"<|x single|>"}}\' u'],
    ['curl -d \'{{"a":{{"b":"{x}"}}}}\' u', 'curl -d \'{"a":{"b":"<|x single|>"}}\' u'],
    // The shell's own variables.
    ["echo ${x} ${{y}} $HOME", "echo ${x} ${y} $HOME"],
    ['echo "${x}" {y}', 'echo "${x}" <|y none.|>'],
    ['echo "$(cat {x})"', 'echo "$(cat <|x none.!|>)"'],
    ['echo "$(cat "{x}") {y}"', 'echo "$(cat <"|x double.!|">) <|y double|>"'],
    ["echo \\{x}", "echo \\{x}"],
    ["echo 'a # {x}'", "echo 'a # <|x single|>'"],
    ["echo a#{x}", "echo a#<|x none|>"],
    ["case a in a) cat {x};; esac", "case a in a) cat <|x none.!|>;; esac"],
    ["cat <<< {x}", "cat <<< <|x none.!|>"],
    ["(cd {x} && ls) | wc {y}", "(cd <|x none.!|> && ls) | wc <|y none.!|>"],
  ])("reads %j", (target, parts) => expect(shown(target)).toBe(parts));

  test.each([
    ["", "0: the entrypoint has no command"],
    ["cat {z}", "4: the placeholder {z} names no property of the tool's schema"],
    ["awk '{print}' {x}", "5: the placeholder {print} names no property of the tool's schema"],
    ["echo `cat {x}`", "10: the placeholder {x} is between backquotes, where its value could be run as code"],
    ["echo $'{x}'", "7: the placeholder {x} is between $'…', where its value could be run as code"],
    ["echo $(( {x} + 1 ))", "9: the placeholder {x} is in arithmetic, where its value could be run as code"],
    ["(( {x} ))", "3: the placeholder {x} is in arithmetic, where its value could be run as code"],
    [
      "echo ${A:-{x}}",
      "10: the placeholder {x} is in an expansion of a variable, where its value could be run as code",
    ],
    ["ls # {x}", "5: the placeholder {x} is in a comment, where its value could be run as code"],
    ["cat <<END\n{x}\nEND", "10: the placeholder {x} is in a here-document, where its value could be run as code"],
    ["[[ {x} -eq 1 ]]", "3: the placeholder {x} is between [[ and ]], where its value could be run as code"],
    [
      "echo $[1] {x}",
      "10: the placeholder {x} is behind text that cannot be read for sure, where its value could be run as code",
    ],
    [
      "echo ${A:-'}'} {x}",
      "15: the placeholder {x} is behind text that cannot be read for sure, where its value could be run as code",
    ],
    [
      'echo "$(case a in a) cat {x};; esac)"',
      "25: the placeholder {x} is behind text that cannot be read for sure, where its value could be run as code",
    ],
    ["echo '{x}", "5: a quote or a bracket of the command is not closed"],
  ])("refuses %j", (target, message) => expect(shown(target)).toBe(message));
});
