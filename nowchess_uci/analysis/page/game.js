// One game on the screen: board, graphs, moves, and what is chosen among them.

class GameView {
  constructor() {
    this.board = new BoardView(byId("board"), byId("chance"));
    this.graph = new ChanceGraph(byId("graph"), 172, 18, 16);
    this.clockGraph = new ClockGraph(byId("clock-graph"), 70, 6, 6);
    this.list = new MoveList(byId("moves"), (ply) => this.choose(ply));
    this.game = null;
    this.ply = 0;
    this.inLine = 0; // which move of the best line is on the board; 0 for the game itself
    this.onChoice = () => {};
    const clicks = {
      first: () => this.choose(0),
      back: () => this.go(-1),
      forward: () => this.go(1),
      last: () => this.choose(this.game.length),
      "next-error": () => this.goToError(1),
      flip: () => this.flip(),
    };
    for (const [id, click] of Object.entries(clicks)) byId(id).addEventListener("click", click);
    this.listenToGraph(this.graph);
    this.listenToGraph(this.clockGraph);
    new ResizeObserver(() => this.drawGraphs()).observe(byId("graph"));
  }

  listenToGraph(graph) {
    const choose = (event) => this.choose(graph.plyAt(event.clientX));
    graph.box.addEventListener("pointerdown", (event) => {
      choose(event);
      if (event.pointerType !== "touch") graph.box.setPointerCapture(event.pointerId);
    });
    graph.box.addEventListener("pointermove", (event) => {
      if (event.buttons) choose(event);
    });
  }

  open(head, ply) {
    if (this.game?.head !== head) {
      this.game = new Game(head);
      this.list.show(this.game);
      this.showHead(head);
      this.showSummary(head);
      byId("clock-figure").hidden = !this.game.clocks;
      this.drawGraphs();
    }
    this.choose(ply);
  }

  showHead(head) {
    const elo = (text) => (known(text) ? ` (${text})` : "");
    const title = [named(head.white + elo(head.whiteElo)), " – ", named(head.black + elo(head.blackElo))];
    byId("game-title").replaceChildren(...title, element("span", { class: "result" }, shownResult(head.result)));
    const facts = [head.event, head.site, known(head.round) ? `round ${head.round}` : "", shownDate(head.date), head.opening];
    facts.push(`game ${head.number} of ${head.source}`);
    const parts = facts.filter(known).flatMap((text, index) => (index ? [" · ", named(text)] : [named(text)]));
    byId("game-about").replaceChildren(...parts);
  }

  showSummary(head) {
    const titles = ["Player", "Moves", "Accuracy", "Loss", "?!", "?", "??"].map((title) =>
      element("th", { scope: "col", title: TIPS[title] ?? null }, title),
    );
    byId("summary-head").replaceChildren(element("tr", {}, ...titles));
    const rows = [];
    for (const [side, name] of [head.white, head.black].entries()) {
      head.summaries[side].forEach((summary, part) => {
        if (part > 0 && summary[SUMMARY.moves] === 0) return;
        const title = part === 0 ? element("th", { scope: "row" }, named(name)) : element("th", { scope: "row" }, PHASES[part - 1]);
        rows.push(element("tr", { class: part ? "part" : "whole" }, title, ...summaryCells(summary)));
      });
    }
    byId("summary-body").replaceChildren(...rows);
  }

  drawGraphs() {
    if (!this.game) return;
    this.graph.draw(this.game);
    if (this.game.clocks) this.clockGraph.draw(this.game);
    this.moveCursors();
  }

  moveCursors() {
    this.graph.moveCursor(this.ply);
    if (this.game.clocks) this.clockGraph.moveCursor(this.ply);
  }

  // Show the position after a ply, or one of the line that would have been better.
  choose(ply, inLine = 0) {
    this.ply = Math.min(Math.max(ply, 0), this.game.length);
    this.inLine = inLine;
    this.list.mark(this.ply);
    this.showBoard();
    this.moveCursors();
    const detail = detailOf(this.game, this.ply, inLine, (move) => this.choose(this.ply, move));
    byId("detail").replaceChildren(...detail);
    if (inLine) byId("detail").querySelector('[aria-current="true"]').focus({ preventScroll: true });
    byId("first").disabled = byId("back").disabled = this.ply === 0;
    byId("last").disabled = byId("forward").disabled = this.ply === this.game.length;
    byId("next-error").disabled = this.errorFrom(1) === null;
    this.onChoice();
  }

  showBoard() {
    const { game, ply, inLine } = this;
    const title = ply ? `After ${game.label(ply, game.san(ply))}` : "Start of the game";
    if (inLine) {
      const { moves, boards } = game.line(ply);
      const changed = [...Array(64).keys()].filter((square) => boards[inLine][square] !== boards[inLine - 1][square]);
      const label = game.label(ply + inLine - 1, moves[inLine - 1]);
      this.board.show(boards[inLine], { marks: changed }, `Best line, after ${label}`);
    } else {
      const played = game.playedArrow(ply);
      const best = ply && !game.wasBest(ply) ? game.bestArrow(ply) : null;
      const kind = ply && game.wasBest(ply) ? "best" : "played";
      this.board.show(game.boards[ply], { marks: played, best, [kind]: played }, title);
    }
    this.board.showChance(inLine ? null : game.chance(ply));
    byId("board").classList.toggle("in-line", inLine > 0);
    this.showPlayers();
    const spoken = [title];
    if (game.judgement(ply)) spoken.push(game.judgement(ply).name);
    if (game.chance(ply) !== null) spoken.push(`White ${whole(game.chance(ply))} %`);
    const slider = { valuemin: 0, valuemax: game.length, valuenow: ply, valuetext: spoken.join(", ") };
    for (const [name, value] of Object.entries(slider)) byId("graph").setAttribute(`aria-${name}`, value);
  }

  showPlayers() {
    const { game, board } = this;
    for (const white of [true, false]) {
      const [name, summary] = white ? [game.head.white, game.head.summaries[0][0]] : [game.head.black, game.head.summaries[1][0]];
      const accuracy = summary[SUMMARY.accuracy];
      byId(white === board.flipped ? "player-top" : "player-bottom").replaceChildren(
        element("span", { class: `disc ${white ? "white" : "black"}`, title: white ? "White" : "Black" }),
        element("span", { class: "who" }, named(name)),
        accuracy === null ? "" : element("span", { class: "accuracy" }, `accuracy ${oneDecimal(accuracy)}`),
        game.clocks ? element("span", { class: "clock" }, this.clockOf(white)) : "",
      );
    }
  }

  // A player's time after the chosen ply.
  clockOf(white) {
    for (let ply = this.ply; ply > 0; ply--) {
      const seconds = this.game.clocks[ply - 1];
      if (this.game.isWhite(ply) === white && seconds !== null) return shownClock(seconds);
    }
    return "–:––";
  }

  flip() {
    this.board.flip();
    byId("flip").setAttribute("aria-pressed", String(this.board.flipped));
    this.showBoard();
  }

  // One move on or back, in the line if one is shown.
  go(by) {
    if (!this.inLine) return this.choose(this.ply + by);
    const last = this.game.line(this.ply).moves.length;
    return this.choose(this.ply, Math.min(Math.max(this.inLine + by, 0), last));
  }

  // The next ply in a direction that was judged; null if there is none.
  errorFrom(by) {
    for (let ply = this.ply + by; ply > 0 && ply <= this.game.length; ply += by) if (this.game.judgement(ply)) return ply;
    return null;
  }

  goToError(by) {
    const ply = this.errorFrom(by);
    if (ply !== null) this.choose(ply);
  }
}

function summaryCells(summary, perGame = null) {
  const errors = summary.slice(SUMMARY.inaccuracies).map((count) => (perGame ? (count / perGame).toFixed(2) : whole(count)));
  const texts = [whole(summary[SUMMARY.moves]), oneDecimal(summary[SUMMARY.accuracy]), whole(summary[SUMMARY.loss]), ...errors];
  return texts.map((text) => element("td", {}, text));
}
