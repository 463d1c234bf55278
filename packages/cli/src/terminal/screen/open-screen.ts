import {
  type Component,
  isKeyRelease,
  type KeyId,
  matchesKey,
  parseKey,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { plainLine } from "@mdx-ai/directory/text";
import { EnterBurst } from "./enter-burst.ts";
import { PromptEditor } from "./prompt-editor.ts";
import type { Screen, ScreenKey, ScreenOptions } from "./screen.ts";
import { FrameTerminal, ScrollbackScreen } from "./scrollback-screen.ts";

const keys: readonly (readonly [KeyId, ScreenKey])[] = [
  ["enter", "send"],
  ["escape", "stop"],
  ["ctrl+c", "interrupt"],
  ["ctrl+d", "leave"],
  ["ctrl+l", "clear"],
  ["ctrl+r", "search"],
  ["ctrl+g", "edit"],
  ["ctrl+z", "suspend"],
  ["shift+tab", "mode"],
  ["ctrl+o", "expand"],
  ["ctrl+v", "image"],
];

const PAGE = 10;
/** With fewer rows, the input uses the footer's rows. */
const LOWEST_WITH_FOOTER = 6;

const moves: readonly (readonly [KeyId, number])[] = [
  ["up", -1],
  ["down", 1],
  ["pageUp", -PAGE],
  ["pageDown", PAGE],
];

/** Takes over this process's terminal: raw mode, bracketed paste, the keyboard. `close` restores it. */
export function openScreen(options: ScreenOptions): Screen {
  const terminal = new FrameTerminal();
  const component: Component = { render: () => [], invalidate: () => undefined };
  const display = new ScrollbackScreen(terminal, component);
  const editor = new PromptEditor(display, options);
  const throttle = new Throttle(() => display.renderNow());
  component.render = (columns) => {
    const footer = terminal.rows < LOWEST_WITH_FOOTER ? [] : (options.footer?.(columns) ?? []);
    return compose(options.live(columns), [...editor.render(columns), ...footer], terminal);
  };
  const onEnter = (): void => {
    if (editor.enter()) options.onKey("send");
    throttle.request();
  };
  const onText = (text: string): void => {
    editor.insertPasted(text);
    throttle.request();
  };
  const burst = new EnterBurst({ onText, onEnter, isOneLine: () => options.isOneLine?.(editor.exactText()) ?? false });
  display.addInputListener((data) => {
    if ((isPressed(data) && burst.takes(data)) || isMoved(data, options)) return { consume: true };
    const key = screenKey(data, editor);
    if (key === undefined) {
      return !isKeyRelease(data) && options.onTyped(typedCharacter(data)) ? { consume: true } : undefined;
    }
    if (key === "send") {
      burst.enter();
      return { consume: true };
    }
    options.onKey(key);
    // The input may use Esc, too.
    return key === "stop" ? undefined : { consume: true };
  });
  display.setFocus(editor);
  display.start();
  return screenOf({ display, editor, terminal, throttle, burst });
}

interface Parts {
  readonly display: ScrollbackScreen;
  readonly editor: PromptEditor;
  readonly terminal: FrameTerminal;
  readonly throttle: Throttle;
  readonly burst: EnterBurst;
}

/** Control sequences that push the window's title and restore it. */
const TITLE_KEPT = "\u001b[22;2t";
const TITLE_BACK = "\u001b[23;2t";

function screenOf({ display, editor, terminal, throttle, burst }: Parts): Screen {
  let open = true;
  let isTitled = false;
  const refresh = (): void => {
    if (open) {
      throttle.request();
    }
  };
  const close = (): void => {
    if (open) {
      open = false;
      burst.stop();
      throttle.cancel();
      display.lift();
      if (isTitled) terminal.write(TITLE_BACK);
      display.stop();
    }
  };
  return {
    append(drawing, ready) {
      display.append(drawing, ready);
      void ready?.then(refresh);
      refresh();
    },
    refresh,
    clear: () => display.clearScreen(),
    rows: () => terminal.rows,
    columns: () => terminal.columns,
    text: () => editor.exactText(),
    setText(text) {
      editor.setExactText(text);
      refresh();
    },
    insert(text) {
      editor.insertPasted(text);
      refresh();
    },
    useVi(isOn) {
      editor.useVi(isOn);
      refresh();
    },
    pause() {
      throttle.cancel();
      display.lift();
      display.stop();
      return () => {
        if (!open) return;
        display.start();
        refresh();
      };
    },
    setTitle(title) {
      if (!open) return;
      terminal.write(`${isTitled ? "" : TITLE_KEPT}\u001b]2;${plainLine(title)}\u0007`);
      isTitled = true;
    },
    signal(sequence) {
      if (open) terminal.write(sequence);
    },
    remember: (text) => editor.remember(text),
    close,
    async drain() {
      if (open) {
        await terminal.drainInput(200, 40);
        close();
      }
    },
  };
}

/** Moves through an open list if the key does that. Returns whether it did. */
function isMoved(data: string, { onMove }: ScreenOptions): boolean {
  const entries = onMove && moves.find(([id]) => matchesKey(data, id))?.[1];
  return entries !== undefined && !isKeyRelease(data) && (onMove?.(entries) ?? false);
}

/** Whether a key was pressed that is no Enter. */
const isPressed = (data: string): boolean => !isKeyRelease(data) && !matchesKey(data, "enter");

function screenKey(data: string, editor: PromptEditor): ScreenKey | undefined {
  if (isKeyRelease(data) || data === "\n") {
    return undefined;
  }
  const key = keys.find(([id]) => matchesKey(data, id))?.[1];
  const isForInput = (key === "leave" && editor.getText() !== "") || (key === "stop" && editor.takesEscape);
  return isForInput ? undefined : key;
}

/** The typed character, for each keyboard protocol. */
function typedCharacter(data: string): string | undefined {
  if (/^[\P{Cc}\t]$/u.test(data)) {
    return data;
  }
  const name = parseKey(data);
  return name === "tab" ? "\t" : name?.length === 1 ? name : undefined;
}

/** Fits the screen to the terminal's rows and columns: the library fails if a frame is larger. */
function compose(live: readonly string[], input: readonly string[], terminal: FrameTerminal): string[] {
  const room = Math.max(0, terminal.rows - input.length);
  const lines = [...(room === 0 ? [] : live.slice(-room)), ...input.slice(-terminal.rows)];
  return lines.map((line) =>
    visibleWidth(line) > terminal.columns ? truncateToWidth(line, terminal.columns, "") : line,
  );
}

const shortestPause = 33;
/** Drawing takes at most a fifth of the time: a slow redraw is followed by a longer pause. */
const pausePerCost = 4;

/** Runs an action soon after a request, once per group of requests, at a limited rate. */
class Throttle {
  readonly #action: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #earliest = 0;

  constructor(action: () => void) {
    this.#action = action;
  }

  request(): void {
    this.#timer ??= setTimeout(() => this.#run(), Math.max(0, this.#earliest - performance.now()));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.#timer = undefined;
    const start = performance.now();
    this.#action();
    const end = performance.now();
    this.#earliest = end + Math.max(shortestPause, (end - start) * pausePerCost);
  }
}
