// The list of moves with judgements and best lines, and the box that says what there is to say about one move.

// "Nf3 d5 4. c4": the moves of a line with their numbers.
function numbered(game, ply, moves) {
  return moves.map((san, index) => {
    const at = ply + index;
    return index === 0 || game.isWhite(at) ? game.label(at, san) : san;
  });
}

const arrowed = (before, after) => (before === after ? before : `${before} → ${after}`);

class MoveList {
  constructor(box, choose) {
    this.box = box;
    this.choose = choose;
  }

  show(game) {
    this.game = game;
    this.buttons = [null];
    this.current = null;
    const rows = [];
    for (let ply = 1; ply <= game.length; ply++) {
      if (ply === 1 || game.isWhite(ply)) {
        rows.push(element("span", { class: "number", "aria-hidden": "true" }, `${game.number(ply)}.`));
        if (!game.isWhite(ply)) rows.push(element("span", { class: "gap" }, "…"));
      }
      rows.push(this.button(ply));
      const isLastInRow = !game.isWhite(ply) || ply === game.length;
      if (!isLastInRow) continue;
      if (game.isWhite(ply)) rows.push(element("span"));
      for (const at of game.isWhite(ply) || ply === 1 ? [ply] : [ply - 1, ply]) rows.push(this.remark(at));
    }
    if (!game.length) rows.push(element("p", { class: "remark" }, "This game has no moves."));
    else rows.push(element("p", { class: "remark result" }, shownResult(game.head.result)));
    this.box.replaceChildren(...rows.filter((row) => row !== null));
    this.box.scrollTop = 0;
  }

  button(ply) {
    const game = this.game;
    const judgement = game.judgement(ply);
    const score = shownScore(game.scores[ply]);
    const spoken = [`${game.number(ply)} ${game.isWhite(ply) ? "White" : "Black"} ${game.san(ply)}`];
    if (judgement) spoken.push(judgement.name);
    if (score) spoken.push(`score ${score}`);
    const button = element(
      "button",
      { type: "button", tabindex: -1, class: judgement?.name ?? null, "aria-label": spoken.join(", "), "data-ply": ply },
      element("span", { class: "san" }, game.san(ply), judgement ? element("b", {}, judgement.sign) : null),
      element("span", { class: "score" }, score),
    );
    button.addEventListener("click", () => this.choose(ply));
    this.buttons.push(button);
    return button;
  }

  // What is said below a move that was judged; null if it was not.
  remark(ply) {
    const game = this.game;
    const judgement = game.judgement(ply);
    if (!judgement) return null;
    const { moves } = game.line(ply);
    return element(
      "p",
      { class: `remark ${judgement.name}`, onclick: () => this.choose(ply) },
      element("b", {}, `${game.label(ply, game.san(ply))}${judgement.sign} ${judgement.word}. `),
      moves.length ? `Best was ${numbered(game, ply, moves).join(" ")}` : null,
    );
  }

  mark(ply) {
    this.current?.removeAttribute("aria-current");
    this.current?.setAttribute("tabindex", -1);
    this.current = this.buttons[ply];
    (this.current ?? this.buttons[1])?.setAttribute("tabindex", 0);
    this.current?.setAttribute("aria-current", "true");
    this.bringIntoView();
  }

  // By hand, since the page itself must not move.
  bringIntoView() {
    const { box, current } = this;
    if (!current || box.scrollHeight <= box.clientHeight) {
      if (!current) box.scrollTop = 0;
      return;
    }
    const offset = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (offset < 40 || offset > box.clientHeight - 80) box.scrollTop += offset - box.clientHeight / 2;
  }
}

// What there is to say about the chosen move. `chooseInLine` is called with the number of a move of the best line.
function detailOf(game, ply, inLine, chooseInLine) {
  if (ply === 0) {
    const say = game.length ? "Start of the game. Choose a move, or press the right arrow key." : "This game has no moves.";
    return [element("p", { class: "facts" }, say)];
  }
  const judgement = game.judgement(ply);
  const title = element(
    "h3",
    { class: judgement?.name ?? null },
    game.label(ply, game.san(ply)) + (judgement?.sign ?? ""),
    judgement ? element("span", { class: "badge" }, judgement.word) : null,
    !judgement && game.wasBest(ply) ? element("span", { class: "badge best" }, "Best move") : null,
  );
  return [title, factsOf(game, ply), lineOf(game, ply, inLine, chooseInLine)].filter((part) => part !== null);
}

function factsOf(game, ply) {
  const [before, after] = [game.chance(ply - 1), game.chance(ply)];
  if (before === null && after === null) return element("p", { class: "facts" }, "Not analysed.");
  const facts = [];
  const percent = (chance) => (chance === null ? "?" : `${whole(chance)} %`);
  facts.push(["White’s chances", arrowed(percent(before), percent(after))]);
  const scores = [game.scores[ply - 1], game.scores[ply]].map((score) => shownScore(score) || "?");
  facts.push(["Score", arrowed(...scores)]);
  const [loss, drop] = [game.losses[ply - 1], game.drops[ply - 1]];
  if (loss || drop) facts.push(["Lost", `${loss} centipawns, ${drop} % win chance`]);
  if (game.depths[ply - 1] !== null) facts.push(["Depth", String(game.depths[ply - 1])]);
  const pairs = facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("dl", { class: "facts" }, ...pairs);
}

function lineOf(game, ply, inLine, chooseInLine) {
  const { moves } = game.line(ply);
  if (!moves.length) return null;
  const buttons = numbered(game, ply, moves).map((text, index) => {
    const chosen = inLine === index + 1 ? "true" : null;
    const click = () => chooseInLine(index + 1);
    return element("button", { type: "button", "aria-current": chosen, "data-line": index + 1, onclick: click }, text);
  });
  const back = element("button", { type: "button", class: "leave", title: "Escape", onclick: () => chooseInLine(0) }, "Back to the game");
  const line = element("p", { class: "line" }, element("span", {}, "Best line"), ...buttons, inLine ? back : null);
  line.setAttribute("aria-label", "Best line");
  return line;
}
