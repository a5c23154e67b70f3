"""Trains a network: epoch after epoch over shuffled samples, by several threads, with checkpoints between epochs.

The same settings and samples give the same network, with any number of threads and after any number of interruptions.
"""

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.files import write_atomically
from nowchess_uci.training.samples import Samples
from nowchess_uci.training.trainer import Measure, Trainer, measure_of

MEASURED_AT_ONCE = 1 << 16
SHOWN_STEPS = 100  # the error shown is the mean of so many batches


class FitError(ValueError):
    """A fit that cannot be begun or continued as asked."""


class Recipe(NamedTuple):
    """What decides how a network comes out, besides the samples and what it starts from."""

    neurons: int = 128
    buckets: int = 8
    epochs: int = 6
    rate: float = 4e-3
    last_rate: float = 1e-5
    """The learning rate falls from the first to the last along a cosine."""
    decay: float = 0.01
    result_share: float = 0.0
    """How much of the target is the game's result; the rest is the score's chance."""
    batch: int = 4096
    mix: float = 0.0
    """Which share of each batch comes from the second set of samples."""
    seed: int = 1

    def check(self) -> None:
        """Raise a FitError that says what cannot be."""
        for name, low, high in (
            ("epochs", 1, 100_000),
            ("rate", 0, 1),
            ("last_rate", 0, 1),
            ("decay", 0, 1),
            ("result_share", 0, 1),
            ("batch", 1, 1 << 24),
            ("mix", 0, 0.99),
            ("seed", 0, 2**63 - 1),
        ):
            if not low <= getattr(self, name) <= high:
                option = "lambda" if name == "result_share" else name.replace("_", "-")
                raise FitError(f"{option} must be from {low} to {high}, not {getattr(self, name)}")


class Progress(NamedTuple):
    """How far a fit is."""

    epoch: int
    """Counted from 1."""
    step: int
    steps: int
    """In this epoch."""
    error: float
    """Of the last batches, while they were learnt."""
    samples_per_second: float
    seconds_left: float


class Sets(NamedTuple):
    """The samples of a fit."""

    main: Samples
    others: Samples | None
    held_out: Samples

    def digest(self) -> str:
        """What stands for these samples in a checkpoint; they are still in the order of their files."""
        parts = [samples.digest() if samples is not None else "" for samples in self]
        return hashlib.sha256("".join(parts).encode()).hexdigest()


class Fitting:
    """One fit, from its first epoch or from a checkpoint to the last."""

    def __init__(
        self, trainer: Trainer, recipe: Recipe, sets: Sets, threads: int, checkpoint: Path | None = None
    ) -> None:
        recipe.check()
        if (trainer.neurons, trainer.buckets) != (recipe.neurons, recipe.buckets):
            raise FitError("the recipe is for another shape of network")
        if not len(sets.main):
            raise FitError("there are no samples to learn from")
        self.trainer = trainer
        self.recipe = recipe
        self.sets = sets
        self.threads = threads
        self.checkpoint = checkpoint
        mix = recipe.mix if sets.others is not None and len(sets.others) else 0
        self.others_share = min(round(recipe.batch * mix), recipe.batch - 1)
        self.main_share = min(recipe.batch - self.others_share, len(sets.main))
        self.steps = len(sets.main) // self.main_share
        start = hashlib.sha256(trainer.export_weights()).hexdigest()
        self.identity = {**recipe._asdict(), "samples": sets.digest(), "start": start}
        self.done = 0
        self.started = 0.0
        self.learnt = 0  # samples since `started`
        if checkpoint is not None and checkpoint.exists():
            self._take_up(checkpoint)

    def run(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        on_epoch: Callable[[int, Measure], None] = lambda epoch, measure: None,
    ) -> Measure:
        """Go through the epochs that are left; `on_epoch` hears how the network does on the held-out games."""
        self.started = time.monotonic()
        self.learnt = 0
        # An order depends on the one before it: those of the epochs that are done are made again.
        for epoch in range(1, self.done + 1):
            self._shuffle(epoch)
        measure = None
        with workers(self.threads) as work:
            for epoch in range(self.done + 1, self.recipe.epochs + 1):
                self._shuffle(epoch)
                self._learn(epoch, work, on_progress)
                self.done = epoch
                measure = self.measure(work)
                self._save()
                on_epoch(epoch, measure)
            return measure or self.measure(work)

    def measure(self, work: Callable[[Callable[[], None]], None]) -> Measure:
        """How well the network does on the held-out games."""
        samples = self.sets.held_out
        totals: list[tuple[float, ...]] = [(0.0,) * 9]
        for first in range(0, len(samples), MEASURED_AT_ONCE):
            count = min(MEASURED_AT_ONCE, len(samples) - first)
            self.trainer.begin(samples, first, count, self.recipe.result_share, False)
            work(self.trainer.run)
            totals.append(self.trainer.totals())
        return measure_of(totals)

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, counted from 0 over all epochs."""
        part = step / max(self.steps * self.recipe.epochs - 1, 1)
        last = self.recipe.last_rate
        return last + (self.recipe.rate - last) * (1 + math.cos(math.pi * part)) / 2

    def _shuffle(self, epoch: int) -> None:
        self.sets.main.shuffle(self.recipe.seed * 1_000_003 + epoch)
        if self.sets.others is not None:
            self.sets.others.shuffle(self.recipe.seed * 1_000_003 - epoch)

    def _learn(
        self, epoch: int, work: Callable[[Callable[[], None]], None], on_progress: Callable[[Progress], None]
    ) -> None:
        main, others = self.sets.main, self.sets.others
        trainer, recipe = self.trainer, self.recipe
        errors: list[float] = []
        others_first = 0
        for step in range(self.steps):
            others_count = 0
            if others is not None and self.others_share:
                if others_first + self.others_share > len(others):
                    others_first = 0
                others_count = min(self.others_share, len(others))
            trainer.begin(
                main,
                step * self.main_share,
                self.main_share,
                recipe.result_share,
                True,
                others,
                others_first,
                others_count,
            )
            others_first += others_count
            work(trainer.run)
            trainer.begin_update(self.rate_at((epoch - 1) * self.steps + step), recipe.decay)
            work(trainer.update)
            errors = [*errors[1 - SHOWN_STEPS :], trainer.totals()[0] / (self.main_share + others_count)]
            self.learnt += self.main_share + others_count
            on_progress(self._progress(epoch, step + 1, errors))

    def _progress(self, epoch: int, step: int, errors: list[float]) -> Progress:
        speed = self.learnt / max(time.monotonic() - self.started, 1e-9)
        left = (self.recipe.epochs - epoch) * self.steps + self.steps - step
        seconds_left = left * (self.main_share + self.others_share) / speed
        return Progress(epoch, step, self.steps, sum(errors) / len(errors), speed, seconds_left)

    def _save(self) -> None:
        if self.checkpoint is not None:
            head = json.dumps({**self.identity, "done": self.done}, sort_keys=True).encode()
            write_atomically(self.checkpoint, head + b"\n" + self.trainer.export_state())

    def _take_up(self, path: Path) -> None:
        head, _, state = path.read_bytes().partition(b"\n")
        try:
            found = json.loads(head)
            done = int(found.pop("done"))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise FitError(f"{path}: this is not a checkpoint") from None
        if found != self.identity:
            names = [*self.identity, *(name for name in found if name not in self.identity)]
            differing = [name for name in names if found.get(name) != self.identity.get(name)]
            raise FitError(f"{path}: a checkpoint of another fit, which differs in {', '.join(differing)}; remove it")
        try:
            if not 0 <= done <= self.recipe.epochs:
                raise ValueError(f"{done} epochs cannot be done")
            self.trainer.import_state(state)
        except ValueError as error:
            raise FitError(f"{path}: a damaged checkpoint ({error}); remove it") from None
        self.done = done


@contextmanager
def workers(threads: int) -> Iterator[Callable[[Callable[[], None]], None]]:
    """A function that lets several threads do the same job together and waits for them."""
    with ThreadPoolExecutor(threads) as pool:

        def work(job: Callable[[], None]) -> None:
            for task in [pool.submit(job) for _ in range(threads)]:
                task.result()

        yield work
