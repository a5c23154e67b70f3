// The games as the file holds them: heads are read at once, bodies when a game is opened.

const PHASES = ["Opening", "Middlegame", "Endgame"];
const JUDGEMENTS = {
  i: { word: "Inaccuracy", sign: "?!", name: "inaccuracy" },
  m: { word: "Mistake", sign: "?", name: "mistake" },
  b: { word: "Blunder", sign: "??", name: "blunder" },
};
const TIPS = { Loss: "average loss in centipawns", "?!": "inaccuracies", "?": "mistakes", "??": "blunders" };
const SQUARES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SUMMARY = { moves: 0, accuracy: 1, loss: 2, inaccuracies: 3, mistakes: 4, blunders: 5 };

const stores = [...document.querySelectorAll('script[type="application/json"]')];

const heads = stores.map((store, index) => {
  const text = store.textContent;
  const head = JSON.parse(text.slice(0, text.indexOf("\n")));
  head.id = index + 1;
  return head;
});

// The board after a step: two letters move a piece, four or more name squares and what then stands there.
function stepped(board, step) {
  const squares = [...board];
  if (step.length === 2) {
    const [from, to] = [...step].map((letter) => SQUARES.indexOf(letter));
    squares[to] = squares[from];
    squares[from] = ".";
  } else {
    for (let at = 0; at < step.length; at += 2) squares[SQUARES.indexOf(step[at])] = step[at + 1];
  }
  return squares.join("");
}

// All boards along some steps, the first one included.
function boardsAlong(board, steps) {
  const boards = [board];
  for (const step of steps) boards.push((board = stepped(board, step)));
  return boards;
}

const words = (text) => (text === "" ? [] : text.split(" "));

function arrowAt(text, index) {
  const pair = text.slice(2 * index, 2 * index + 2);
  return pair === ".." ? null : [...pair].map((letter) => SQUARES.indexOf(letter));
}

class Game {
  constructor(head) {
    const text = stores[head.id - 1].textContent;
    const body = JSON.parse(text.slice(text.indexOf("\n") + 1));
    Object.assign(this, body, { head, moves: words(body.moves) });
    this.length = this.moves.length;
    this.boards = boardsAlong(body.start, words(body.steps));
  }

  // Plies are counted from 1; ply 0 is the start.

  isWhite(ply) {
    return (ply % 2 === 1) !== this.blackBegins;
  }

  number(ply) {
    return this.firstNumber + Math.floor((ply - (this.blackBegins ? 0 : 1)) / 2);
  }

  // "17. Nf3" or "17… Bd7", for moves beyond the game too.
  label(ply, san) {
    return `${this.number(ply)}${this.isWhite(ply) ? "." : "…"} ${san}`;
  }

  san(ply) {
    return this.moves[ply - 1];
  }

  judgement(ply) {
    return JUDGEMENTS[this.judgements[ply - 1]] ?? null;
  }

  phase(ply) {
    return "ome".indexOf(this.phases[ply - 1]);
  }

  // White's chance in percent at the position after a ply; null if it was not analysed.
  chance(ply) {
    return this.wins[ply] === null ? null : (this.wins[ply] + this.draws[ply] / 2) / 10;
  }

  playedArrow(ply) {
    return ply > 0 ? arrowAt(this.played, ply - 1) : null;
  }

  // What should have been played instead of a ply.
  bestArrow(ply) {
    return arrowAt(this.best, ply - 1);
  }

  wasBest(ply) {
    return words(this.lines[ply - 1])[0] === this.san(ply);
  }

  // The best line instead of a ply: moves and the boards after each of them.
  line(ply) {
    const moves = words(this.lines[ply - 1]);
    const steps = words(this.lineSteps[ply - 1]);
    return { moves, boards: boardsAlong(this.boards[ply - 1], steps) };
  }
}
