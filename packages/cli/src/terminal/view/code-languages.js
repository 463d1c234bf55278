// JavaScript, since the types of highlight.js bring those of a browser into the whole program.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, makefile, markdown },
  ...{ php, python, ruby, rust, shell, sql, swift, typescript, xml, yaml },
};

/** Names that the library does not know. */
const ALIASES = { mdx: "markdown", json5: "javascript", scss: "css", less: "css", env: "ini", cjs: "javascript" };

const highlighter = hljs.newInstance();
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
for (const [alias, languageName] of Object.entries(ALIASES)) highlighter.registerAliases(alias, { languageName });

export function scopesOf(code, language) {
  if (language === "" || highlighter.getLanguage(language) === undefined) return undefined;
  // The tree is private to the library, which offers HTML alone; its version is pinned.
  return highlighter.highlight(code, { language, ignoreIllegals: true })._emitter.root;
}
