import { describe, expect, test } from "bun:test";
import { Interrupts, leaveWindow } from "./interrupts.ts";

describe("Ctrl+C", () => {
  test("warns first and leaves at the second press", () => {
    const interrupts = new Interrupts();
    expect([interrupts.press(1000, false), interrupts.press(1000 + leaveWindow, false)]).toEqual(["warn", "leave"]);
  });

  test("stops the running prompt first and leaves at the second press", () => {
    const interrupts = new Interrupts();
    expect([interrupts.press(0, true), interrupts.press(10, true)]).toEqual(["stop", "leave"]);
  });

  test("leaves at the second press when the prompt has ended in between", () => {
    const interrupts = new Interrupts();
    expect([interrupts.press(0, true), interrupts.press(10, false)]).toEqual(["stop", "leave"]);
  });

  test("warns again when the second press comes too late", () => {
    const interrupts = new Interrupts();
    const late = leaveWindow + 1;
    const presses = [interrupts.press(0, false), interrupts.press(late, false), interrupts.press(late + 1, false)];
    expect(presses).toEqual(["warn", "warn", "leave"]);
  });

  test("starts over when something was sent in between", () => {
    const interrupts = new Interrupts();
    const first = interrupts.press(0, false);
    interrupts.forget();
    expect([first, interrupts.press(1, true)]).toEqual(["warn", "stop"]);
  });
});
