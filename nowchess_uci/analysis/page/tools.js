// Small helpers. All text gets into the page by text nodes and attributes, never as markup.

const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

const drawn = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A name from a file: apart from its surroundings, whatever direction it is written in.
const named = (text) => element("bdi", {}, text);

const oneDecimal = (number) => (number === null ? "–" : number.toFixed(1));
const whole = (number) => (number === null ? "–" : number.toFixed(0));
const counted = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

const shownResult = (result) => ({ "1/2-1/2": "½-½", "*": "–" })[result] ?? result;
// A date without what is not known: "1858.??.??" is 1858.
const shownDate = (date) => date.replace(/(\.\?\?)+$/, "").replace(/^\?+$/, "").replaceAll(".", "-");
const known = (text) => text !== "" && text !== "?" && text !== "-";

function shownScore(score) {
  if (score === null) return "";
  if (typeof score === "string") return score.replace("-", "−");
  return (score < 0 ? "−" : "+") + (Math.abs(score) / 100).toFixed(2);
}

function shownClock(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = Math.floor(seconds % 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// A header row of buttons that sort. A column has a title, an optional tip and class, and whether big values come first.
function sortingHeader(columns, state, changed) {
  const cells = columns.map((column, index) => {
    const sorted = state.column === index ? (state.down ? "descending" : "ascending") : null;
    const click = () => {
      state.down = state.column === index ? !state.down : Boolean(column.bigFirst);
      state.column = index;
      changed();
    };
    const button = element("button", { type: "button", title: column.tip ?? null, onclick: click }, column.title);
    return element("th", { scope: "col", class: column.class ?? null, "aria-sort": sorted }, button);
  });
  return element("tr", {}, ...cells);
}

// Sorted by a column's values; equal ones keep their order, unknown ones come last.
function sortedRows(rows, column, down) {
  const keys = new Map(rows.map((row) => [row, column.value(row)]));
  const compare = (a, b) => {
    if (typeof a === "string") return collator.compare(a, b);
    return a - b;
  };
  return [...rows].sort((a, b) => {
    const [left, right] = [keys.get(a), keys.get(b)];
    if (left === null || right === null) return (left === null) - (right === null);
    return down ? compare(right, left) : compare(left, right);
  });
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

// Shows the first rows of a long table, and more when its end comes into sight or the button is pressed.
class LongTable {
  constructor(body, button, make) {
    Object.assign(this, { body, button, make, rows: [], shown: 0 });
    button.addEventListener("click", () => this.more());
    new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.more();
    }).observe(button);
  }

  show(rows) {
    this.rows = rows;
    this.shown = 0;
    this.body.replaceChildren();
    this.more();
  }

  more() {
    const next = this.rows.slice(this.shown, this.shown + 100);
    this.shown += next.length;
    this.body.append(...next.flatMap(this.make));
    const left = this.rows.length - this.shown;
    this.button.hidden = left === 0;
    this.button.textContent = `Show more (${left.toLocaleString("en")} left)`;
  }
}
