// The board: pieces on squares and two arrows. A square is a number as in a FEN, a8 first.

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const squareName = (square) => "abcdefgh"[square % 8] + (8 - Math.floor(square / 8));

class BoardView {
  constructor(svg, bar) {
    this.svg = svg;
    this.bar = bar;
    this.flipped = false;
    this.pieces = drawn("g");
    this.marks = drawn("g");
    this.arrows = drawn("g");
    this.ground = drawn("g");
    svg.append(this.ground, this.marks, this.pieces, this.arrows);
    this.white = drawn("rect", { class: "bar-white", x: 0, width: 10 });
    bar.append(drawn("rect", { class: "bar-black", x: 0, y: 0, width: 10, height: 100 }), this.white);
    bar.append(drawn("rect", { class: "bar-middle", x: 0, y: 49.7, width: 10, height: 0.6 }));
    this.drawGround();
  }

  // The upper left corner of a square.
  corner(square) {
    const seen = this.flipped ? 63 - square : square;
    return [100 * (seen % 8), 100 * Math.floor(seen / 8)];
  }

  drawGround() {
    this.ground.replaceChildren();
    for (let square = 0; square < 64; square++) {
      const [x, y] = this.corner(square);
      const shade = (square + Math.floor(square / 8)) % 2 ? "dark" : "light";
      this.ground.append(drawn("rect", { class: `square ${shade}`, x, y, width: 100, height: 100 }));
      const name = squareName(square);
      if (x === 0) this.ground.append(drawn("text", { class: `coordinate ${shade}`, x: x + 6, y: y + 24 }, name[1]));
      if (y === 700) this.ground.append(drawn("text", { class: `coordinate ${shade}`, x: x + 80, y: y + 93 }, name[0]));
    }
  }

  flip() {
    this.flipped = !this.flipped;
    this.drawGround();
  }

  // `board` is 64 letters; `arrows` has the pairs of squares of its arrows by kind, and squares to mark; each may be missing.
  show(board, arrows, title) {
    this.pieces.replaceChildren();
    this.marks.replaceChildren();
    this.arrows.replaceChildren();
    const placed = { white: [], black: [] };
    [...board].forEach((letter, square) => {
      if (letter === ".") return;
      const kind = letter.toLowerCase();
      const colour = letter === kind ? "black" : "white";
      const [x, y] = this.corner(square);
      const name = squareName(square);
      this.pieces.append(
        drawn("use", { class: `piece ${colour}`, href: `#piece-${kind}`, x, y, width: 100, height: 100, "data-square": name }),
      );
      placed[colour].push(`${NAMES[kind]} ${name}`);
    });
    for (const square of arrows.marks ?? []) {
      const [x, y] = this.corner(square);
      this.marks.append(drawn("rect", { class: "mark", x, y, width: 100, height: 100 }));
    }
    for (const kind of ["played", "best"]) if (arrows[kind]) this.arrows.append(this.arrow(arrows[kind], kind));
    this.svg.setAttribute("aria-label", `${title}. White: ${placed.white.join(", ")}. Black: ${placed.black.join(", ")}.`);
  }

  // Thin, see-through, and from beside one piece to beside the other.
  arrow([from, to], kind) {
    const [[x1, y1], [x2, y2]] = [this.corner(from), this.corner(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const [start, end, half, head] = [30, length - 28, 7, 21];
    const shaft = `M${start} ${-half}H${end - 28}V${-head}L${end} 0L${end - 28} ${head}V${half}H${start}Z`;
    const place = `translate(${x1 + 50} ${y1 + 50}) rotate(${angle})`;
    return drawn("path", { class: `arrow ${kind}`, d: shaft, transform: place, "data-move": squareName(from) + squareName(to) });
  }

  // White's chance as a bar beside the board.
  showChance(chance) {
    this.bar.classList.toggle("unknown", chance === null);
    const height = chance ?? 50;
    this.white.setAttribute("height", height);
    this.white.setAttribute("y", this.flipped ? 0 : 100 - height);
    this.bar.setAttribute("aria-label", chance === null ? "Not analysed" : `Win chance of White ${whole(chance)} %`);
  }
}
