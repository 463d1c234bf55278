import type { Expected, Oddity, Recorded } from "../oddity.ts";
import { call, chat, finish, named } from "../wire-bodies.ts";

type Row = Omit<Oddity, "wire" | "replies"> & { readonly tool: string; readonly args: object };

const TABS = "https://github.com/open-octo/octo-agent/pull/596";
const CODES = "https://github.com/nex-agi/NexAU/issues/8";

const ran: Expected = { exit: 0, failed: [] };

/** An edit of one file. */
const edit = (path: string, old: string, text: string): Pick<Row, "tool" | "args"> => ({
  tool: "edit_file",
  args: { path, edits: [{ old, new: text }] },
});

const goFile = "func a() {\n\tif x {\n\t\ty()\n\t}\n}\n";
const pythonFile = "def f(x):\n    if x:\n        y()\n    return 1\n\n\ndef g():\n    return None\n";

const edits: readonly Row[] = [
  {
    ...{ name: "Go: blanks for tabs, each level is one tab", seen: TABS, files: { "a.go": goFile } },
    ...edit("a.go", "    if x {\n        y()\n    }", "    if x {\n        y()\n        z()\n    }"),
    expected: { ...ran, files: { "a.go": "func a() {\n\tif x {\n\t\ty()\n\t\tz()\n\t}\n}\n" } },
  },
  {
    ...{
      name: "Go: a further level that the file does not have",
      seen: "https://github.com/charmbracelet/crush/pull/3452",
    },
    files: { "a.go": goFile },
    ...edit("a.go", "  if x {\n    y()\n  }", "  if x {\n    if z {\n      y()\n    }\n  }"),
    expected: { ...ran, files: { "a.go": "func a() {\n\tif x {\n\t\tif z {\n\t\t\ty()\n\t\t}\n\t}\n}\n" } },
  },
  {
    ...{ name: "tabs for the blanks of a file", seen: "https://github.com/anthropics/claude-code/issues/37403" },
    files: { "a.py": pythonFile },
    ...edit("a.py", "\tif x:\n\t\ty()\n", "\tif x:\n\t\ty()\n\t\tz()\n"),
    expected: { ...ran, files: { "a.py": pythonFile.replace("y()\n", "y()\n        z()\n") } },
  },
  {
    ...{
      name: "Python: two blanks a level for four: the meaning stays",
      seen: "https://github.com/kdeps/kdeps/issues/795",
    },
    files: { "a.py": pythonFile },
    ...edit("a.py", "def f(x):\n  if x:\n    y()\n  return 1", "def f(x):\n  if x:\n    y()\n    z()\n  return 1"),
    expected: { ...ran, files: { "a.py": pythonFile.replace("y()\n", "y()\n        z()\n") } },
  },
  {
    ...{ name: "one short line at another depth is refused", seen: "https://github.com/kdeps/kdeps/issues/795" },
    files: { "a.py": pythonFile },
    ...edit("a.py", "                return None", "                return 2"),
    expected: { exit: 0, failed: ["edit_file"], files: { "a.py": pythonFile } },
  },
  {
    ...{ name: "a no-break space in the file", seen: "https://github.com/anthropics/claude-code/issues/29869" },
    files: { "n.md": "the task list in\u00a0current\n" },
    ...edit("n.md", "the task list in current", "the list"),
    expected: { ...ran, files: { "n.md": "the list\n" } },
  },
  {
    ...{ name: "letters in two parts", seen: "https://github.com/anomalyco/opencode/issues/31786" },
    files: { "n.md": "cafe\u0301 now\n" },
    ...edit("n.md", "caf\u00e9 now", "tea now"),
    expected: { ...ran, files: { "n.md": "tea now\n" } },
  },
];

const outputs: readonly Row[] = [
  {
    ...{ name: "a bar of progress: its last state, without codes", seen: CODES, tool: "bash" },
    args: { command: "for i in $(seq 50); do printf '\\r\\033[32m%d%%\\033[0m' $i; done; echo" },
    expected: { ...ran, says: ["50%"], lacks: ["[32m", "u001b", "49%", "12%"] },
  },
  {
    ...{ name: "microk8s: lines that are erased and written again", seen: CODES, tool: "bash" },
    args: { command: "for i in 0 1 2; do printf '\\033[2K\\rRetrieving image: %d%%' $i; done; echo" },
    expected: { ...ran, says: ["Retrieving image: 2%"], lacks: ["u001b", "image: 0%"] },
  },
  {
    ...{ name: "OSC: links and titles of a terminal", seen: "https://github.com/openchamber/openchamber/issues/1965" },
    tool: "bash",
    args: { command: "printf '\\033]0;title\\007\\033]8;;https://a.example\\033\\\\link\\033]8;;\\033\\\\ [x]\\n'" },
    expected: { ...ran, says: ["link [x]"], lacks: ["u001b", "0;title"] },
  },
  {
    ...{
      name: "programs are asked for plain text",
      seen: "https://github.com/open-octo/octo-agent/pull/2511",
      tool: "bash",
    },
    args: { command: 'echo "plain=$NO_COLOR"' },
    expected: { ...ran, says: ["plain=1"] },
  },
];

/** Texts that tools read and write. */
export const oddTexts: readonly Oddity[] = [...edits, ...outputs].map(({ tool, args, ...row }) => ({
  ...row,
  ...{ wire: "openai", settings: "builtins: [coding]" },
  replies: [chat(call(0, named("c1", tool, JSON.stringify(args))), finish("tool_calls"))],
}));

/** What was said, and what must find it. */
export interface Remembered extends Recorded {
  readonly said: string;
  readonly finds: readonly string[];
}

export const memories: readonly Remembered[] = [
  {
    ...{ name: "Latin within Chinese", seen: "https://github.com/tommy0103/obelisk/issues/9" },
    ...{ said: "步2 重跑gen-itgc后50条悬空引用清零", finds: ["itgc", "悬空", "清零"] },
  },
  {
    ...{ name: "two characters", seen: "https://github.com/chandra447/pi-hermes-memory/issues/174" },
    ...{ said: "设备清单(devices) NAS cdm-xxc", finds: ["设备", "设备清单", "NAS", "cdm-xxc"] },
  },
  {
    ...{ name: "Japanese without blanks", seen: "https://github.com/openclaw/openclaw/issues/20730" },
    ...{ said: "今日は成語しりとりをした", finds: ["しりとり", "成語"] },
  },
  {
    ...{ name: "Korean nouns with particles", seen: "https://github.com/openclaw/openclaw/issues/20730" },
    ...{ said: "오늘 끝말잇기를 게임으로 했다", finds: ["끝말잇기", "게임"] },
  },
  {
    ...{ name: "one character", seen: "https://github.com/CherryHQ/stella/issues/388" },
    ...{ said: "我的猫叫小白", finds: ["猫", "小白"] },
  },
  {
    ...{ name: "katakana", seen: "https://github.com/Gentleman-Programming/engram/issues/140" },
    ...{ said: "サンドボックス修正テスト", finds: ["サンドボックス", "テスト", "修正"] },
  },
  {
    ...{ name: "full width", seen: "https://github.com/hurttlocker/cortex/issues/51" },
    ...{ said: "ＡＢＣ１２３を買った", finds: ["ABC123", "ＡＢＣ１２３"] },
  },
];
