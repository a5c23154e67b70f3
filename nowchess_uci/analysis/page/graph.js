// The graphs over a game: win chances, and the time left. Both have the plies from left to right.

class Graph {
  constructor(box, height, above, below) {
    this.box = box;
    this.height = height;
    this.left = 40; // for the labels of the scale
    this.right = 10;
    this.above = above;
    this.below = below;
    this.svg = drawn("svg", { height, "aria-hidden": "true" });
    box.append(this.svg);
  }

  // Draw for `plies` moves; returns false while the graph is not to be seen.
  begin(plies) {
    this.width = this.box.clientWidth;
    this.plies = Math.max(plies, 1);
    this.svg.replaceChildren();
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    return this.width > 0;
  }

  x(ply) {
    return this.left + ((this.width - this.left - this.right) * ply) / this.plies;
  }

  // From 0 at the bottom to 1 at the top.
  y(part) {
    return this.above + (this.height - this.above - this.below) * (1 - part);
  }

  plyAt(clientX) {
    const inside = clientX - this.box.getBoundingClientRect().left - this.left;
    const ply = Math.round((inside / (this.width - this.left - this.right)) * this.plies);
    return Math.min(Math.max(ply, 0), this.plies);
  }

  scale(part, text) {
    const y = this.y(part);
    this.svg.append(drawn("line", { class: "scale", x1: this.left, x2: this.width - this.right, y1: y, y2: y }));
    this.svg.append(drawn("text", { class: "scale-text", x: this.left - 6, y: y + 4, "text-anchor": "end" }, text));
  }

  addCursor() {
    this.cursor = drawn("line", { class: "cursor", y1: this.y(1), y2: this.y(0) });
    this.svg.append(this.cursor);
  }

  moveCursor(ply) {
    if (!this.width) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
  }
}

// Runs of consecutive plies whose value is known, as lists of points.
function runs(values, point) {
  const found = [];
  values.forEach((value, ply) => {
    if (value === null) return;
    if (ply === 0 || values[ply - 1] === null) found.push([]);
    found.at(-1).push(point(ply, value));
  });
  return found;
}

const joined = (points) => points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

class ChanceGraph extends Graph {
  draw(game) {
    if (!this.begin(game.length)) return;
    const [top, bottom] = [this.y(1), this.y(0)];
    const [x, width] = [this.left, this.width - this.left - this.right];
    const chances = game.boards.map((_, ply) => game.chance(ply));
    this.svg.append(drawn("rect", { class: "graph-ground", x, y: top, width, height: bottom - top }));
    const lines = runs(chances, (ply, chance) => [this.x(ply), this.y(chance / 100)]);
    for (const points of lines) {
      const [first, last] = [points[0][0].toFixed(1), points.at(-1)[0].toFixed(1)];
      const above = `M${first} ${top}L${joined(points)}L${last} ${top}Z`;
      const below = `M${first} ${bottom}L${joined(points)}L${last} ${bottom}Z`;
      this.svg.append(drawn("path", { class: "area-black", d: above }), drawn("path", { class: "area-white", d: below }));
    }
    this.drawPhases(game, top, bottom);
    this.drawNumbers(game);
    for (const part of [1, 0.5, 0]) this.scale(part, `${100 * part} %`);
    for (const points of lines) this.svg.append(drawn("path", { class: "curve", d: `M${joined(points)}` }));
    for (let ply = 1; ply <= game.length; ply++) {
      const judgement = game.judgement(ply);
      if (!judgement || chances[ply] === null) continue;
      const place = { cx: this.x(ply), cy: this.y(chances[ply] / 100), r: judgement.name === "blunder" ? 5 : 4 };
      this.svg.append(drawn("circle", { class: `point ${judgement.name}`, ...place }));
    }
    this.addCursor();
  }

  drawPhases(game, top, bottom) {
    for (let ply = 1; ply <= game.length; ply++) {
      const phase = game.phase(ply);
      if (ply > 1 && phase === game.phase(ply - 1)) continue;
      const x = this.x(ply - 1);
      if (ply > 1) this.svg.append(drawn("line", { class: "phase", x1: x, x2: x, y1: 2, y2: bottom }));
      let end = ply;
      while (end < game.length && game.phase(end + 1) === phase) end++;
      const name = PHASES[phase];
      if (this.x(end) - x > 7 * name.length) {
        this.svg.append(drawn("text", { class: "scale-text", x: x + (ply > 1 ? 4 : 0), y: top - 5 }, name));
      }
    }
  }

  // Below the graph, as many numbers of moves as have room.
  drawNumbers(game) {
    const moves = game.length / 2;
    const every = [5, 10, 20, 50, 100].find((count) => ((this.width - this.left) * count) / moves > 40) ?? 200;
    for (let ply = 1; ply <= game.length; ply++) {
      if (!game.isWhite(ply) || game.number(ply) % every) continue;
      const place = { x: this.x(ply), y: this.height - 3, "text-anchor": "middle" };
      this.svg.append(drawn("text", { class: "scale-text", ...place }, String(game.number(ply))));
    }
  }
}

class ClockGraph extends Graph {
  draw(game) {
    if (!this.begin(game.length)) return;
    const most = Math.max(...game.clocks.filter((seconds) => seconds !== null), 1);
    this.scale(1, shownClock(most));
    this.scale(0, "0:00");
    for (const white of [true, false]) {
      const points = [];
      game.clocks.forEach((seconds, index) => {
        const ply = index + 1;
        if (seconds !== null && game.isWhite(ply) === white) points.push([this.x(ply), this.y(seconds / most)]);
      });
      if (!points.length) continue;
      this.svg.append(drawn("path", { class: `time ${white ? "white" : "black"}`, d: `M${joined(points)}` }));
    }
    this.addCursor();
  }
}
