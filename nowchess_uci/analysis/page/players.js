// The table of players, made from the heads of all games: everything, each colour, each phase.

const PARTS = ["as White", "as Black", ...PHASES.map((phase) => phase.toLowerCase())];

// The mean over moves of what summaries say, as far as they say anything.
class Mean {
  constructor() {
    Object.assign(this, { sum: 0, moves: 0 });
  }

  add(value, moves) {
    if (value === null) return;
    this.sum += value * moves;
    this.moves += moves;
  }

  value() {
    return this.moves ? this.sum / this.moves : null;
  }
}

// A player's summaries put together.
class Sum {
  constructor() {
    Object.assign(this, { games: 0, points: 0, finished: 0, moves: 0, errors: [0, 0, 0] });
    Object.assign(this, { accuracy: new Mean(), loss: new Mean() });
  }

  add(summary, points) {
    const moves = summary[SUMMARY.moves];
    this.games += 1;
    this.points += points ?? 0;
    this.finished += points === null ? 0 : 1;
    this.moves += moves;
    this.accuracy.add(summary[SUMMARY.accuracy], moves);
    this.loss.add(summary[SUMMARY.loss], moves);
    this.errors = this.errors.map((count, kind) => count + summary[SUMMARY.inaccuracies + kind]);
  }

  summary() {
    return [this.moves, this.accuracy.value(), this.loss.value(), ...this.errors];
  }
}

const pointsOf = (result, side) => ({ "1-0": [1, 0], "0-1": [0, 1], "1/2-1/2": [0.5, 0.5] })[result]?.[side] ?? null;

function allPlayers() {
  const players = new Map();
  for (const head of heads) {
    [head.white, head.black].forEach((name, side) => {
      if (!players.has(name)) players.set(name, { name, all: new Sum(), parts: PARTS.map(() => new Sum()) });
      const player = players.get(name);
      const [summary, ...phases] = head.summaries[side];
      const points = pointsOf(head.result, side);
      player.all.add(summary, points);
      player.parts[side].add(summary, points);
      phases.forEach((phase, index) => phase[SUMMARY.moves] && player.parts[2 + index].add(phase, null));
    });
  }
  return [...players.values()];
}

const valueOf = (index) => (player) => player.all.summary()[index];

const PLAYER_COLUMNS = [
  { title: "Player", value: (player) => player.name, class: "name" },
  { title: "Games", value: (player) => player.all.games, bigFirst: true },
  { title: "Points", value: (player) => player.all.points, bigFirst: true, class: "points" },
  { title: "Moves", value: valueOf(SUMMARY.moves), bigFirst: true, class: "moves-count" },
  { title: "Accuracy", value: valueOf(SUMMARY.accuracy), bigFirst: true },
  { title: "Loss", tip: TIPS.Loss, value: valueOf(SUMMARY.loss) },
  { title: "?!", tip: TIPS["?!"], value: null, bigFirst: true },
  { title: "?", tip: TIPS["?"], value: null, bigFirst: true },
  { title: "??", tip: TIPS["??"], value: null, bigFirst: true },
];

class PlayersView {
  constructor(showGamesOf) {
    this.showGamesOf = showGamesOf;
    this.players = allPlayers();
    this.open = new Set(this.players.length <= 4 ? this.players : []);
    this.sorting = { column: 1, down: true };
    this.perGame = false;
    [0, 1, 2].forEach((kind) => {
      PLAYER_COLUMNS[6 + kind].value = ({ all }) => all.errors[kind] / (this.perGame ? all.games : 1);
    });
    this.table = new LongTable(byId("players-body"), byId("players-more"), (player) => this.rows(player));
    byId("players-name").addEventListener("input", () => this.show());
    byId("per-game").addEventListener("input", () => {
      this.perGame = byId("per-game").checked;
      this.show();
    });
    byId("players-name").form.addEventListener("submit", (event) => event.preventDefault());
  }

  show() {
    const name = byId("players-name").value.trim().toLowerCase();
    const found = this.players.filter((player) => player.name.toLowerCase().includes(name));
    const sorted = sortedRows(found, PLAYER_COLUMNS[this.sorting.column], this.sorting.down);
    byId("players-shown").textContent = counted(found.length, "player");
    byId("players-head").replaceChildren(sortingHeader(PLAYER_COLUMNS, this.sorting, () => this.resort()));
    this.table.show(sorted);
  }

  resort() {
    this.show();
    byId("players-head").querySelectorAll("button")[this.sorting.column].focus();
  }

  rows(player) {
    const isOpen = this.open.has(player);
    const parts = player.parts.map((sum, index) => this.row(element("span", {}, PARTS[index]), sum, `part part-${index}`));
    parts.forEach((row) => (row.hidden = !isOpen));
    const toggle = element("button", { type: "button", class: "toggle", "aria-expanded": String(isOpen) }, named(player.name));
    toggle.addEventListener("click", () => {
      if (!this.open.delete(player)) this.open.add(player);
      toggle.setAttribute("aria-expanded", String(this.open.has(player)));
      parts.forEach((row) => (row.hidden = !this.open.has(player)));
    });
    const games = element("button", { type: "button", class: "link", onclick: () => this.showGamesOf(player.name) }, "games");
    games.setAttribute("aria-label", `Games of ${player.name}`);
    return [this.row(element("span", {}, toggle, games), player.all, "whole"), ...parts];
  }

  row(title, sum, kind) {
    const points = sum.finished ? `${sum.points} / ${sum.finished}` : "";
    const texts = [String(sum.games), points];
    const cells = [...texts.map((text) => element("td", {}, text)), ...summaryCells(sum.summary(), this.perGame ? sum.games : null)];
    cells[1].className = "points";
    cells[2].className = "moves-count";
    return element("tr", { class: kind }, element("th", { scope: "row" }, title), ...cells);
  }
}
