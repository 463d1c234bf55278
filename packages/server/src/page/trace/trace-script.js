// Draws the trace that is embedded in the page, with text nodes alone: nothing foreign is ever HTML.
const trace = JSON.parse(document.getElementById("trace").textContent);

// An element by "name.class", with attributes if there are any. Nothing is drawn for undefined, false and "".
function el(name, ...parts) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  const [first] = parts;
  const attributes = first?.constructor === Object ? parts.shift() : {};
  made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) put(made, key, value);
  made.append(...parts.flat(3).filter((part) => part !== undefined && part !== false && part !== ""));
  return made;
}

// The policy of the server's page allows a style that a script sets, but no style attribute.
const put = (element, key, value) => {
  if (key === "style") element.style.cssText = value;
  else element.setAttribute(key, value);
};

// Figures for people, as the command writes them.
const grouped = (count) => Number(count).toLocaleString("en");
const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const sum = (values) => values.reduce((total, value) => total + value, 0);

function dollars(amount) {
  if (amount <= 0) return "$0";
  const digits = amount >= 1 ? 2 : Math.min(9, Math.max(4, 1 - Math.floor(Math.log10(amount))));
  return `$${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

const least = (usd) => (usd === 0 ? "unknown" : `≥ ${dollars(usd)}`);
const costText = ({ usd, unpriced }) => (unpriced === 0 ? dollars(usd) : least(usd));

const [S, MIN, H, D] = [1000, 60_000, 3_600_000, 86_400_000];

function duration(milliseconds) {
  if (Math.round(milliseconds) < S) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MIN - 5) return `${Math.round(milliseconds / 10) / 100} s`;
  const unit = milliseconds < H - S / 2 ? S : MIN;
  const whole = Math.round(milliseconds / unit) * unit;
  const units = [
    [D, "d", H, "h"],
    [H, "h", MIN, "min"],
    [MIN, "min", S, "s"],
  ];
  const [large, name, small, smallName] = units.find(([size]) => whole >= size);
  const rest = Math.floor((whole % large) / small);
  return `${Math.floor(whole / large)} ${name}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}

// "2026-03-01 14:05:09" where the reader is; undefined if it is no valid date, as in an edited journal.
const isDate = (time) => typeof time === "number" && Math.abs(time) <= 8.64e15;
const moment = (time, word = "") => (isDate(time) ? word + new Date(time).toLocaleString("sv-SE") : undefined);
const tokensIn = ({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite;
const hasTokens = (usage) => tokensIn(usage) + usage.output > 0;
const tokens = (usage) => hasTokens(usage) && `${grouped(tokensIn(usage))} → ${grouped(usage.output)}`;

// Times. What has none in the journal follows what was before it; a tool without a known duration is one moment.
function spanOf(from, length = 0) {
  const to = from + Math.max(0, length);
  return isDate(from) && isDate(to) ? { from, to } : undefined;
}

function spanAfter(entry, last) {
  const { type, state, endedAt, duration: took, delay } = entry;
  const { at, latency } = entry.call ?? entry;
  if (type !== "tool") return at === undefined ? spanOf(last, delay) : spanOf(at, latency);
  if (endedAt !== undefined && took !== undefined) return spanOf(endedAt - took, took);
  return spanOf(state === "done" || state === "error" ? endedAt : last);
}

function addSpans(entries) {
  let last;
  for (const entry of entries) {
    entry.span = spanAfter(entry, last);
    if (entry.span && ["model", "compaction", "retry"].includes(entry.type)) last = entry.span.to;
  }
}

// Spans in their order; those that are at most so far apart are one.
function merged(spans, pause) {
  const runs = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = runs.at(-1);
    if (last && from - last.to <= pause) last.to = Math.max(last.to, to);
    else runs.push({ from, to });
  }
  return runs;
}

const lengthOf = (spans) => sum(spans.map(({ from, to }) => to - from));

// An axis from 0 to 1. A pause of more than two seconds and than `share` of the work is a break, drawn short.
function axisOf(spans, share) {
  const runs = merged(spans, Math.max(2 * S, lengthOf(merged(spans, 0)) * share));
  const busy = lengthOf(runs);
  const gap = runs.length < 2 ? 0 : Math.min(0.04, 0.3 / (runs.length - 1));
  const breaks = [];
  let end = -gap;
  for (const [index, run] of runs.entries()) {
    run.start = end + gap;
    if (index > 0) breaks.push({ start: end, end: run.start, length: run.from - runs[index - 1].to });
    const part = busy === 0 ? 1 / runs.length : (run.to - run.from) / busy;
    end = Math.min(1, run.start + part * (1 - gap * (runs.length - 1)));
    run.end = end;
  }
  return { runs, breaks, busy };
}

function positionOf({ runs }, time) {
  const run = runs.findLast(({ from }) => from <= time) ?? runs[0];
  const share = run.to === run.from ? 0 : (Math.min(time, run.to) - run.from) / (run.to - run.from);
  return run.start + share * (run.end - run.start);
}

// Labels that do not run into each other, nor out of the drawing; the first ones count most.
function apart(labels, distance) {
  const kept = [];
  for (const label of labels) {
    const isFree = kept.every(([start]) => Math.abs(start - label[0]) >= distance);
    if (isFree && label[0] <= 1 - distance / 2) kept.push(label);
  }
  return kept;
}

// Quarters of the work or, where there are breaks, when each part of it began.
function ticksOf({ runs, busy }) {
  if (runs.length < 2) return [0, 0.25, 0.5, 0.75].map((part) => [part, duration(part * busy)]);
  const clock = ({ from }) => moment(from).slice(-8);
  return apart(
    runs.map((run, index) => [run.start, index === 0 ? "0" : clock(run)]),
    0.1,
  );
}

const percent = (fraction) => `${Number((fraction * 100).toFixed(2))}%`;
const at = (start, end = start) => ({ style: `--x:${percent(start)};--w:${percent(end - start)}` });
const within = (axis, { from, to }) => at(positionOf(axis, from), positionOf(axis, to));
const hatched = ({ breaks }) =>
  breaks.map(({ start, end, length }) => el("s", { ...at(start, end), title: `a pause of ${duration(length)}` }));

function bar(span, axis) {
  const length = span.to === span.from ? "" : ` for ${duration(span.to - span.from)}`;
  const title = `at ${duration(Math.max(0, span.from - axis.runs[0].from))}${length}`;
  return el("i", { role: "img", title, ...within(axis, span) });
}

// Entries: a name, a text beside it, the request to a model behind it, and what is shown when it is opened.
const oneLine = (text) => text.slice(0, 500).replace(/\s+/g, " ").trim();
const shortened = (text) => text.replace(/^(.{120}).+$/u, "$1…");
const excerpt = (text = "") => shortened(oneLine(text.trimStart()));
const long = (title, text) => (text ? [el("h4", title), el("pre", text)] : []);
const facts = (...parts) => el("p.facts", parts.flat().filter(Boolean).join(" · "));
const STATES = {
  error: "failed",
  interrupted: "interrupted; not run again",
  started: "started; still running, or cut off",
  waiting: "waiting; no result is known",
};

function callFacts({ provider, model, at: asked, usage, usd }) {
  const some = (count, text) => (count ? `, ${grouped(count)} ${text}` : "");
  const about = usage.estimated ? "about " : "";
  const cached = some(usage.cacheRead, "cached") + some(usage.cacheWrite, "written to the cache");
  return [
    `${provider}/${model}`,
    moment(asked, "asked "),
    hasTokens(usage) && `${about}${counted(tokensIn(usage), "token")} in${cached}`,
    hasTokens(usage) && `${grouped(usage.output)} out${some(usage.thinking, "thinking")}`,
    hasTokens(usage) && (usd === undefined ? "cost unknown" : dollars(usd)),
  ];
}

const PARTS = {
  model(entry) {
    const { model, text, stopReason, status, step } = entry;
    const failure = entry.isFailed ? (entry.error ?? stopReason) : undefined;
    const remark = stopReason === "stop" || stopReason === "toolUse" ? "" : `${stopReason} `;
    const head = () => facts(callFacts(entry), stopReason, status && `status ${status}`, step);
    const more = () => [head(), long("Error", failure), long("Answer", text)];
    return { name: model, text: failure ?? remark + text, call: entry, more };
  },
  tool({ name, state, result, permission, endedAt, step, isFailed, duration: time, arguments: given, agent }) {
    const remark = state === "started" || state === "waiting" ? STATES[state] : given;
    const head = () => facts(permission, STATES[state], moment(endedAt, "ended "), step);
    const more = () => [
      head(),
      long("Arguments", given),
      long(isFailed ? "Error" : "Result", result),
      agent && agentSection(agent),
    ];
    return { name, text: isFailed ? `${result ?? state} ${given}` : remark, time, more };
  },
  compaction({ gain, error, call, step }) {
    const about = gain?.measured === "estimate" ? "about " : "";
    const gained = gain && `a request has ${about}${grouped(gain.after)} instead of ${counted(gain.before, "token")}`;
    const more = () => [facts(call ? callFacts(call) : [], gained, step), long("Error", error)];
    return { name: "summary", text: gained ?? error ?? "failed", call, more };
  },
  steering({ text, turn, step, at: said }) {
    const received = turn === undefined ? "the model did not receive it" : `the model received it in turn ${turn}`;
    const more = () => [facts(moment(said, "said "), received, step), long("You", text)];
    return { name: turn === undefined ? "you said, too late" : "you said", text, more };
  },
  retry: ({ delay, step }) => ({ name: "waited", text: step, time: delay }),
  fallback: ({ from, to }) => ({ name: `used ${to} from here on`, text: `${from} is unavailable` }),
  resumption: ({ at: time }) => ({ name: `interrupted; resumed at ${moment(time) ?? "?"}` }),
  queued: ({ name, text }) => ({ name, text, more: () => long("You", text) }),
  note: ({ name, at: time }) => ({ name, text: moment(time) }),
};

// What the reader looks for: entries of these kinds, if any, with this text.
const wanted = { kinds: [], text: "" };
const COLOURS = { fallback: "retry", resumption: "steering", queued: "steering", note: "steering" };
const textOf = (entry) =>
  Object.values(entry)
    .filter((value) => typeof value === "string")
    .join("\n");
const isWanted = (entry) =>
  (wanted.kinds.length === 0 ||
    wanted.kinds.includes(COLOURS[entry.type] ?? entry.type) ||
    (entry.isFailed && wanted.kinds.includes("bad"))) &&
  (wanted.text === "" || textOf(entry).toLowerCase().includes(wanted.text));
const rows = [];

// What can be opened is drawn when it is.
function openable(name, attributes, summary, draw, isOpen = false) {
  const made = el(`details.${name}`, attributes, el("summary.cells", summary));
  const fill = () => made.open && made.childElementCount === 1 && made.append(draw());
  made.addEventListener("toggle", fill);
  made.open = isOpen;
  fill();
  return made;
}

const cells = (name, time, tokenText, cost, drawn) => [
  ...[el("span.n", name), el("span", time), el("span.k", tokenText), el("span.k", cost)],
  el("span.w", drawn),
];

function row(entry, axis) {
  const { name, text, call, time = call?.latency, more } = PARTS[entry.type](entry);
  const cost = call && hasTokens(call.usage) && (call.usd === undefined ? "unknown" : dollars(call.usd));
  const mark = entry.isFailed && el("em", { role: "img", "aria-label": "failed" }, "✗");
  const title = [mark, el("b", excerpt(name)), " ", el("q", excerpt(text))];
  const drawn = axis && entry.span && bar(entry.span, axis);
  const all = cells(title, time !== undefined && duration(time), call && tokens(call.usage), cost, drawn);
  const kind = `row.${entry.type}${entry.isFailed ? ".bad" : ""}`;
  const made = more ? openable(kind, {}, all, () => el("div.more", more())) : el(`div.${kind}`, el("div.cells", all));
  made.hidden = !isWanted(entry);
  rows.push({ entry, made });
  return made;
}

function turnSection({ number, entries }, axis) {
  const spans = entries.flatMap(({ span }) => span ?? []);
  const [whole] = merged(spans, Number.POSITIVE_INFINITY);
  const overlap = ({ from, to }) => Math.max(0, Math.min(to, whole.to) - Math.max(from, whole.from));
  const time = whole && duration(sum(axis.runs.map(overlap)));
  const head = cells(`turn ${number}`, time, "", "", whole && el("i", within(axis, whole)));
  const list = entries.map((entry) => row(entry, axis));
  return el("section", el("h3.cells", head), list);
}

const ENDS = { error: "error", aborted: "aborted", limit: "limit", unfinished: "interrupted" };

function promptDetails(prompt, longest, isOpen) {
  const { number, input = "", cost, axis, outcome, entries, holder, wasInterrupted, isNested } = prompt;
  const failures = entries.filter(({ isFailed }) => isFailed).length;
  const end = holder === undefined ? ENDS[outcome] : "running";
  const title = [
    el("b", el("span.unseen", "prompt "), number),
    [" ", el("span", { dir: "auto" }, excerpt(input))],
    end && el(`mark.${outcome}`, end),
    failures > 0 && el("mark.error", counted(failures, "failure")),
    wasInterrupted && el("mark", "interrupted"),
  ];
  const small = ({ span, type, isFailed }) => span && el(`i.${isFailed ? "bad" : type}`, within(axis, span));
  const drawn = el("span.small", at(0, axis.busy / Math.max(1, longest)), entries.map(small));
  const spent = hasTokens(cost.usage) && costText(cost);
  const summary = cells(title, axis.busy > 0 && duration(axis.busy), tokens(cost.usage), spent, drawn);
  const draw = () => promptBody(prompt);
  return openable(
    `prompt${outcome === "error" ? ".bad" : ""}`,
    { id: isNested ? undefined : `p${number}` },
    summary,
    draw,
    isOpen,
  );
}

function promptBody({ input = "", turns, loose, axis, startedAt, endedAt, end, otherSteps }) {
  const ticks = ticksOf(axis);
  const lines = ticks.map(([start]) => el("u", at(start)));
  const labels = ticks.map(([start, label]) => el("span", at(start), label));
  const pauses = axis.breaks.map(({ length }) => duration(length)).join(", ");
  const idle = pauses && `idle for ${pauses}`;
  const others = otherSteps.length > 0 && `other steps: ${otherSteps.join(", ")}`;
  return el(
    "div.body",
    input.trim() !== excerpt(input) && el("div.said", long("You", input)),
    el(
      "div.plot",
      el("div.cells.lines", { "aria-hidden": "true" }, el("span.w", lines, hatched(axis))),
      el("div.cells.axis", cells("", "time", "tokens", "cost", labels)),
      turns.map((turn) => turnSection(turn, axis)),
      loose.map((entry) => row(entry, axis)),
    ),
    el("footer", facts(moment(startedAt, "began "), moment(endedAt, "ended "), end, idle, others)),
  );
}

function header(prompts) {
  const { usage, calls, latency } = trace.cost;
  const entries = prompts.flatMap((prompt) => prompt.entries);
  const about = usage.estimated ? "about " : "";
  const failures = entries.filter(({ isFailed }) => isFailed).length;
  const figures = [
    ["prompts", grouped(prompts.length)],
    ["turns", grouped(sum(prompts.map(({ turns }) => turns.length)))],
    ["model calls", grouped(calls)],
    ["tool calls", grouped(entries.filter(({ type }) => type === "tool").length)],
    ["tokens in", about + grouped(tokensIn(usage))],
    ["cached", grouped(usage.cacheRead)],
    ["tokens out", about + grouped(usage.output)],
    ["cost", calls === 0 ? "–" : costText(trace.cost)],
    ["at work", duration(sum(prompts.map(({ axis }) => axis.busy)))],
    ["models", duration(latency)],
    ["failures", grouped(failures), failures > 0 ? ".bad" : ""],
  ];
  const [first] = prompts.flatMap(({ startedAt }) => moment(startedAt) ?? []);
  const last = prompts.flatMap(({ endedAt }) => moment(endedAt) ?? []).at(-1);
  const when = [first, last].filter(Boolean).join(" to ");
  const list = figures.map(([name, value, kind = ""]) => el(`div${kind}`, el("dt", name), el("dd", value)));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return el(
    "header",
    el("h1", { dir: "auto" }, oneLine(trace.agent)),
    el("p", "session ", el("b", { dir: "auto" }, oneLine(trace.session)), when && ` · ${when} (${zone})`),
    el("dl.figures", list),
  );
}

// The whole session on one axis, for the mouse: each bar leads to its prompt.
function overview(prompts, details) {
  const runs = prompts.flatMap((prompt) => prompt.axis.runs);
  const axis = axisOf(runs, 1 / prompts.length);
  const bars = prompts.flatMap(({ number, outcome, axis: { runs: own, busy } }, index) =>
    own.map((run) => {
      const title = `prompt ${number}: ${duration(busy)}`;
      const attributes = { href: `#p${number}`, tabindex: -1, title, ...within(axis, run) };
      const made = el(outcome === "error" ? "a.bad" : "a", attributes);
      made.addEventListener("click", () => details[index].setAttribute("open", ""));
      return made;
    }),
  );
  const moments = axis.runs.map(({ from, start }) => [start, moment(from)]);
  const labels = apart(moments, 0.16).map(([start, label]) => el("span", at(start), label));
  const strip = el("div.strip", hatched(axis), bars);
  return el("div.overview", { "aria-hidden": "true" }, strip, el("div.labels", labels));
}

const KINDS = { model: "model", tool: "tool", retry: "wait", compaction: "summary", steering: "you", bad: "failed" };

function toolbar(prompts, details) {
  const kinds = Object.entries(KINDS).map(([kind, name]) =>
    el(`label.${kind}`, el("input", { type: "checkbox", value: kind }), el("i"), name),
  );
  const search = el("input", { type: "search", placeholder: "Find in steps", "aria-label": "Find in steps" });
  const all = el("button", "Open or close all");
  all.addEventListener("click", () => {
    const isOpen = details.some((one) => !one.open);
    for (const one of details) one.open = isOpen;
  });
  const made = el("div.key", { role: "group", "aria-label": "Show only" }, kinds, search, all);
  made.addEventListener("input", () => {
    wanted.kinds = [...made.querySelectorAll(":checked")].map(({ value }) => value);
    wanted.text = search.value.trim().toLowerCase();
    const isFiltered = wanted.kinds.length > 0 || wanted.text !== "";
    for (const { entry, made: one } of rows) one.hidden = !isWanted(entry);
    for (const [index, { entries }] of prompts.entries()) {
      const isFound = entries.some(isWanted);
      details[index].hidden = isFiltered && !isFound;
      if (isFiltered && isFound) details[index].open = true;
    }
  });
  return made;
}

// Gives each prompt its entries and its axis.
function arrange(prompts) {
  for (const prompt of prompts) {
    for (const entries of [...prompt.turns.map((turn) => turn.entries), prompt.loose]) addSpans(entries);
    prompt.entries = [...prompt.turns.flatMap(({ entries }) => entries), ...prompt.loose];
    const ends = [prompt.startedAt, prompt.endedAt].map((time) => spanOf(time));
    prompt.axis = axisOf([...prompt.entries.map(({ span }) => span), ...ends].filter(Boolean), 0.25);
  }
}

// What an agent did that worked as the tool of a call.
function agentSection({ name, session, prompts }) {
  arrange(prompts);
  const longest = Math.max(...prompts.map(({ axis }) => axis.busy));
  const list = prompts.map((prompt) => promptDetails({ ...prompt, isNested: true }, longest, true));
  return el("div.prompts", el("h4", "The agent ", excerpt(name), ", session ", excerpt(session)), list);
}

function draw({ prompts, damage, otherSteps, between }) {
  arrange(prompts);
  // Of a long session, only the last prompt is open.
  const isShort = sum(prompts.map(({ entries }) => entries.length)) <= 150;
  const longest = Math.max(...prompts.map(({ axis }) => axis.busy));
  const details = prompts.map((one, index) => promptDetails(one, longest, isShort || index === prompts.length - 1));
  const after = (number) => {
    const here = between.filter(({ afterPrompt }) => afterPrompt === number).map((entry) => row(entry));
    return here.length > 0 && el("div.between", here);
  };
  const unread = damage.slice(0, 10).join(", ") + (damage.length > 10 ? " …" : "");
  const warning = `The journal has lines that cannot be read and are not shown: ${unread}`;
  const list = prompts.map(({ number }, index) => [details[index], after(number)]);
  const page = el(
    "main",
    header(prompts),
    damage.length > 0 && el("p.warning", { role: "note" }, warning),
    prompts.length === 0 ? el("p", "There is no prompt in this session yet.") : overview(prompts, details),
    toolbar(prompts, details),
    el("section.prompts", el("h2.unseen", "Prompts"), after(0), list),
    otherSteps.length > 0 && el("p.other", `Other steps: ${otherSteps.join(", ")}`),
  );
  document.body.append(page);
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches("details")) target.open = true;
}

draw(trace);
