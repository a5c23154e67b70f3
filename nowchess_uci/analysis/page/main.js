// What the address says is on the screen: #games, #players, or #game/ply; and the keys.

const gamesView = new GamesView();
const gameView = new GameView();
let playersView = null;

const views = { games: byId("view-games"), players: byId("view-players"), game: byId("view-game") };
const scrolled = { games: 0, players: 0, game: 0 };
let shownView = null;

function showView(name) {
  if (shownView === name) return;
  if (shownView) scrolled[shownView] = scrollY;
  for (const [key, section] of Object.entries(views)) section.hidden = key !== name;
  for (const key of ["games", "players"]) {
    if (key === name) byId(`to-${key}`).setAttribute("aria-current", "page");
    else byId(`to-${key}`).removeAttribute("aria-current");
  }
  const isFirst = shownView === null;
  shownView = name;
  scrollTo(0, name === "game" ? 0 : scrolled[name]);
  if (!isFirst) focusOn(name);
}

// Those who use the keyboard go on where they are: at the title of a game, or back at its row.
function focusOn(name) {
  const row = gameView.game && byId("games-body").querySelector(`a[href="#${gameView.game.head.id}"]`);
  const target = { game: byId("game-title"), games: row }[name];
  target?.focus({ preventScroll: true });
}

// Called at once by whoever changes the address, and again by the browser some time later.
let followed = null;

function followAddress() {
  if (location.hash === followed) return;
  followed = location.hash;
  const [, id, ply] = /^#(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
  const head = heads[Number(id) - 1];
  if (head) {
    showView("game");
    gameView.open(head, Number(ply ?? 0));
    byId("previous-game").disabled = !gamesView.neighbour(head, -1);
    byId("next-game").disabled = !gamesView.neighbour(head, 1);
    document.title = `${head.white} – ${head.black}`;
  } else if (location.hash === "#players") {
    playersView ??= new PlayersView((name) => {
      gamesView.showPlayer(name);
      goTo("#games");
    });
    playersView.show();
    showView("players");
    document.title = pageTitle;
  } else if (heads.length === 1 && location.hash !== "#games") {
    location.replace("#1");
  } else {
    showView("games");
    document.title = pageTitle;
  }
}

const pageTitle = document.title;

function goTo(address) {
  location.hash = address;
  followAddress();
}

function goToNeighbour(by) {
  const head = gamesView.neighbour(gameView.game.head, by);
  if (head) goTo(`#${head.id}`);
}

// The address follows the chosen move, but not each of many in a second: browsers forbid that.
let waiting = null;
gameView.onChoice = () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (shownView !== "game") return;
    const { game, ply } = gameView;
    const address = `#${game.head.id}${ply ? `/${ply}` : ""}`;
    followed = address;
    if (address !== location.hash) history.replaceState(null, "", address);
  }, 200);
};

const GAME_KEYS = {
  ArrowLeft: () => gameView.go(-1),
  ArrowRight: () => gameView.go(1),
  Home: () => gameView.choose(0),
  End: () => gameView.choose(gameView.game.length),
  e: () => gameView.goToError(1),
  E: () => gameView.goToError(-1),
  f: () => gameView.flip(),
  n: () => goToNeighbour(1),
  p: () => goToNeighbour(-1),
  Escape: () => gameView.choose(gameView.ply),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
  const action =
    { t: switchTheme, g: () => goTo("#games") }[event.key] ?? (shownView === "game" ? GAME_KEYS[event.key] : null);
  if (!action) return;
  event.preventDefault();
  action();
});

byId("previous-game").addEventListener("click", () => goToNeighbour(-1));
byId("next-game").addEventListener("click", () => goToNeighbour(1));
addEventListener("hashchange", followAddress);
byId("count").textContent = counted(heads.length, "game");
followAddress();
