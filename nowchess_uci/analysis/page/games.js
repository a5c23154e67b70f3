// The table of all games: sorted by any column, filtered by player and result.

const errorsOf = (head, side) => head.summaries[side][0].slice(SUMMARY.inaccuracies);
const accuracyOf = (head, side) => head.summaries[side][0][SUMMARY.accuracy];
// Blunders count first, then mistakes, then inaccuracies.
const errorRank = (head, side) => errorsOf(head, side).reduceRight((rank, count) => 1000 * rank + count, 0);

const GAME_COLUMNS = [
  { title: "#", value: (head) => head.id, class: "id" },
  { title: "White", value: (head) => head.white, class: "white" },
  { title: "Black", value: (head) => head.black, class: "black" },
  { title: "Result", value: (head) => head.result, class: "result" },
  { title: "Acc. W", tip: "White’s accuracy", value: (head) => accuracyOf(head, 0), bigFirst: true, class: "number first" },
  { title: "Acc. B", tip: "Black’s accuracy", value: (head) => accuracyOf(head, 1), bigFirst: true, class: "number second" },
  { title: "Errors W", tip: "White’s inaccuracies, mistakes and blunders", value: (head) => errorRank(head, 0), bigFirst: true, class: "errors first" },
  { title: "Errors B", tip: "Black’s inaccuracies, mistakes and blunders", value: (head) => errorRank(head, 1), bigFirst: true, class: "errors second" },
  { title: "Moves", value: (head) => head.plies, bigFirst: true, class: "number moves-count" },
  { title: "Date", value: (head) => shownDate(head.date) || null, bigFirst: true, class: "date" },
  { title: "Event", value: (head) => (known(head.event) ? head.event : null), class: "event" },
];

class GamesView {
  constructor() {
    this.sorting = { column: 0, down: false };
    this.rows = heads;
    this.table = new LongTable(byId("games-body"), byId("games-more"), (head) => [this.row(head)]);
    for (const id of ["filter-name", "filter-colour", "filter-result"]) byId(id).addEventListener("input", () => this.show());
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
    byId("games-body").addEventListener("click", (event) => {
      const link = event.target.closest("tr")?.querySelector("a");
      if (link && !event.target.closest("a") && !String(getSelection())) location.hash = link.hash;
    });
    this.show();
  }

  matches() {
    const name = byId("filter-name").value.trim().toLowerCase();
    const colour = byId("filter-colour").value;
    const result = byId("filter-result").value;
    const has = (text) => text.toLowerCase().includes(name);
    return heads.filter((head) => {
      if (result && head.result !== result) return false;
      return (colour !== "black" && has(head.white)) || (colour !== "white" && has(head.black));
    });
  }

  show() {
    this.rows = sortedRows(this.matches(), GAME_COLUMNS[this.sorting.column], this.sorting.down);
    byId("games-head").replaceChildren(sortingHeader(GAME_COLUMNS, this.sorting, () => this.resort()));
    byId("shown").textContent = this.rows.length === heads.length ? "" : `${counted(this.rows.length, "game")} of ${heads.length.toLocaleString("en")}`;
    this.table.show(this.rows);
  }

  resort() {
    this.show();
    byId("games-head").querySelectorAll("button")[this.sorting.column].focus();
  }

  showPlayer(name) {
    byId("filter-name").value = name;
    byId("filter-colour").value = byId("filter-result").value = "";
    this.show();
  }

  row(head) {
    const errors = (side) => errorsOf(head, side).map((count, kind) => element("span", { class: count ? `count kind-${kind}` : "count none" }, String(count)));
    const spoken = `Game ${head.id}, ${head.white} against ${head.black}`;
    const texts = [
      [element("a", { href: `#${head.id}`, "aria-label": spoken }, String(head.id))],
      [named(head.white)],
      [named(head.black)],
      [shownResult(head.result)],
      [oneDecimal(accuracyOf(head, 0))],
      [oneDecimal(accuracyOf(head, 1))],
      errors(0),
      errors(1),
      [String(Math.ceil(head.plies / 2))],
      [named(shownDate(head.date))],
      [named(known(head.event) ? head.event : "")],
    ];
    const row = element("tr", {}, ...texts.map((parts, index) => element("td", { class: GAME_COLUMNS[index].class }, ...parts)));
    row.children[1].classList.toggle("winner", head.result === "1-0");
    row.children[2].classList.toggle("winner", head.result === "0-1");
    return row;
  }

  // The game before or after one in the order of the table; null if there is none.
  neighbour(head, by) {
    return this.rows[this.rows.indexOf(head) + by] ?? null;
  }
}
