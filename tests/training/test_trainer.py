"""The network in training: its gradients, its steps, and fits that come out the same however they are run."""

import math
import random
from array import array
from pathlib import Path

import pytest

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.network import Network
from nowchess_uci.evaluation.network_file import parse_network, render_network
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.training.fit import FitError, Fitting, Progress, Recipe, Sets
from nowchess_uci.training.quantise import ACTIVE_UNITS, FIRST_UNITS, quantised
from nowchess_uci.training.records import Replay
from nowchess_uci.training.samples import SAMPLE_BYTES, Samples
from nowchess_uci.training.selfplay import SelfPlay, Settings
from nowchess_uci.training.trainer import FEATURES, FIRST_LIMIT, SECOND_LIMIT, SPREAD, Trainer, measure_of

NEURONS, BUCKETS = 16, 2
ROW = 2 * NEURONS + 1
BORDER = (FEATURES + 1) * NEURONS


@pytest.fixture(scope="module")
def played() -> Samples:
    games = SelfPlay(Settings(soft_nodes=40)).play(0, 20)
    assert games is not None
    samples = Samples()
    Replay(games.games).add_to(samples)
    return samples


def some(samples: Samples, first: int, count: int) -> Samples:
    part = Samples()
    part.add(samples.tobytes()[first * SAMPLE_BYTES : (first + count) * SAMPLE_BYTES])
    return part


def without_repetitions(samples: Samples, count: int) -> Samples:
    """Some positions, all different: a repeated one may have two scores, and no network can learn both."""
    data = samples.tobytes()
    rows = [data[start : start + SAMPLE_BYTES] for start in range(0, len(data), SAMPLE_BYTES)]
    different = list({(row[:24], row[27] & 1): row for row in rows}.values())  # placement and side to move
    assert len(different) >= count
    part = Samples()
    part.add(b"".join(different[:count]))
    return part


def features_of(samples: Samples) -> list[tuple[list[int], list[int]]]:
    rows = len(samples)
    buffers = [array("h", bytes(2 * rows * 32)) for _ in range(2)]
    own, other = (memoryview(buffer).cast("B").cast("h", (rows, 32)) for buffer in buffers)
    counts = samples.features(0, own, other)
    return [
        (list(buffers[0][32 * row : 32 * row + count]), list(buffers[1][32 * row : 32 * row + count]))
        for row, count in enumerate(counts)
    ]


def output(weights: list[float], views: tuple[list[int], list[int]]) -> float:
    """The network worked out by its definition, in double precision."""
    start = BORDER + ROW * ((len(views[0]) - 1) * BUCKETS // 32)
    total = weights[start + 2 * NEURONS]
    for side, features in enumerate(views):
        for neuron in range(NEURONS):
            value = weights[FEATURES * NEURONS + neuron]
            value += sum(weights[feature * NEURONS + neuron] for feature in features)
            total += min(max(value, 0.0), 1.0) ** 2 * weights[start + side * NEURONS + neuron]
    return total


def chance(score: float) -> float:
    return 1 / (1 + math.exp(-score))


def error(weights: list[float], samples: Samples, result_share: float) -> float:
    """The squared error summed over samples."""
    total = 0.0
    for views, (score, result) in zip(features_of(samples), samples.labels(0, len(samples)), strict=True):
        target = result_share * result / 2 + (1 - result_share) * chance(score / SPREAD)
        total += (chance(output(weights, views)) - target) ** 2
    return total


def strong_weights() -> bytes:
    """Random weights large enough that neurons are clipped at both ends."""
    source = random.Random(3)
    size = BORDER + BUCKETS * ROW
    return array("f", [source.uniform(-0.4, 0.4) for _ in range(size)]).tobytes()


def test_gradients_are_those_of_finite_differences(played: Samples) -> None:
    samples = some(played, 0, 6)
    trainer = Trainer(NEURONS, BUCKETS)
    trainer.import_weights(strong_weights())
    trainer.begin(samples, 0, 4, 0.25, True, samples, 4, 2)
    trainer.run()
    found = array("f", trainer.gradient())
    weights = list(array("f", trainer.export_weights()))
    assert trainer.totals()[0] == pytest.approx(error(weights, samples, 0.25), rel=1e-5)
    features = sorted({feature for views in features_of(samples) for view in views for feature in view})
    touched = [feature * NEURONS + neuron for feature in features for neuron in range(NEURONS)]
    source = random.Random(1)
    chosen = [*source.sample(touched, 80), *range(BORDER - NEURONS, BORDER + BUCKETS * ROW)]
    step = 1e-6
    for index in chosen:
        value = weights[index]
        weights[index] = value + step
        above = error(weights, samples, 0.25)
        weights[index] = value - step
        below = error(weights, samples, 0.25)
        weights[index] = value
        assert found[index] == pytest.approx((above - below) / (2 * step), rel=1e-3, abs=2e-6), index
    assert any(found[index] for index in touched)
    assert not all(found[index] for index in touched)  # some neurons are clipped for all who see the feature
    assert any(found[BORDER : BORDER + ROW]) != any(found[BORDER + ROW :])  # all six have about as many pieces


def test_the_scores_follow_the_definition(played: Samples) -> None:
    trainer = Trainer(NEURONS, BUCKETS)
    trainer.import_weights(strong_weights())
    weights = list(array("f", trainer.export_weights()))
    samples = some(played, len(played) - 300, 300)
    expected = [SPREAD * output(weights, views) for views in features_of(samples)]
    assert trainer.outputs(samples, 0, 300) == pytest.approx(expected, abs=0.01)
    assert {(len(own) - 1) * BUCKETS // 32 for own, _ in features_of(samples)} == {0, 1}


def test_a_thousand_positions_are_learnt_by_heart(played: Samples) -> None:
    samples = without_repetitions(played, 1000)
    trainer = Trainer(64)
    trainer.draw_weights(1)
    recipe = Recipe(64, 1, epochs=200, rate=5e-3, batch=100)
    measure = Fitting(trainer, recipe, Sets(samples, None, samples), 2).run()
    assert measure.error < 1e-5
    assert measure.correlation > 0.999


def fitted(samples: Samples, recipe: Recipe, threads: int, checkpoint: Path | None = None) -> bytes:
    """The weights of a small fit."""
    trainer = Trainer(recipe.neurons, recipe.buckets)
    trainer.draw_weights(recipe.seed)
    sets = Sets(some(samples, 0, len(samples)), some(samples, 0, 500), some(samples, 0, 300))
    Fitting(trainer, recipe, sets, threads, checkpoint).run()
    return trainer.export_weights()


SMALL = Recipe(16, 1, epochs=3, batch=128, mix=0.2, result_share=0.1)


def test_a_fit_is_the_same_with_any_number_of_threads(played: Samples) -> None:
    one = fitted(played, SMALL, 1)
    assert one == fitted(played, SMALL, 3)
    assert one != fitted(played, SMALL._replace(seed=2), 1)


def test_a_fit_that_was_interrupted_ends_as_if_it_had_not_been(played: Samples, tmp_path: Path) -> None:
    whole = fitted(played, SMALL, 1)

    def interrupt(progress: Progress) -> None:
        if progress.epoch == 3:
            raise KeyboardInterrupt

    def fitting() -> Fitting:
        trainer = Trainer(16)
        trainer.draw_weights(SMALL.seed)
        sets = Sets(some(played, 0, len(played)), some(played, 0, 500), some(played, 0, 300))
        return Fitting(trainer, SMALL, sets, 1, tmp_path / "checkpoint")

    with pytest.raises(KeyboardInterrupt):
        fitting().run(interrupt)
    resumed = fitting()
    assert resumed.done == 2
    resumed.run()
    assert resumed.trainer.export_weights() == whole


def test_a_checkpoint_of_another_fit_is_refused(played: Samples, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    fitted(played, SMALL, 1, path)
    with pytest.raises(FitError, match="another fit, which differs in rate"):
        fitted(played, SMALL._replace(rate=2e-3), 1, path)
    with pytest.raises(FitError, match="differs in samples"):
        fitted(some(played, 1, 600), SMALL, 1, path)
    path.write_bytes(b"something else")
    with pytest.raises(FitError, match="not a checkpoint"):
        fitted(played, SMALL, 1, path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"done": 3', b'"done": -5', "-5 epochs cannot be done"),
        (b'"done": 3', b'"done": 4', "4 epochs cannot be done"),
        (b'"done": 3', b'"done": Infinity', "not a checkpoint"),
        (b'"done": 3', b'"done": ' + 5000 * b"[", "not a checkpoint"),
        (b'"done": 3', b'"done": 3, "odd": 1', "differs in odd"),
        (b"}\n", b"}\nx", "bytes are not the state"),
    ],
)
def test_a_damaged_checkpoint_is_named(played: Samples, tmp_path: Path, old: bytes, new: bytes, message: str) -> None:
    path = tmp_path / "checkpoint"
    fitted(played, SMALL, 1, path)
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))
    with pytest.raises(FitError, match=f"checkpoint: .*{message}"):
        fitted(played, SMALL, 1, path)


def test_weights_that_are_no_numbers_are_refused() -> None:
    trainer = Trainer(16)
    for value in (math.nan, math.inf, -math.inf):
        weights = array("f", trainer.export_weights())
        weights[5] = value
        with pytest.raises(ValueError, match="no numbers"):
            trainer.import_weights(weights.tobytes())


def test_what_cannot_be_fitted_is_refused(played: Samples) -> None:
    with pytest.raises(ValueError, match="multiple of 16"):
        Trainer(40)
    with pytest.raises(ValueError, match="buckets"):
        Trainer(32, 0)
    with pytest.raises(FitError, match="mix must be from 0"):
        fitted(played, SMALL._replace(mix=1.0), 1)
    with pytest.raises(ValueError, match="not the weights of 16 neurons"):
        Trainer(16).import_weights(bytes(4))
    trainer = Trainer(16)
    with pytest.raises(IndexError):
        trainer.begin(played, len(played) - 1, 2, 0, True)
    with pytest.raises(FitError, match="no samples"):
        Fitting(trainer, SMALL, Sets(Samples(), None, Samples()), 1)
    with pytest.raises(FitError, match="another shape"):
        Fitting(trainer, SMALL._replace(buckets=2), Sets(played, None, Samples()), 1)


@pytest.mark.parametrize("recipe", [SMALL._replace(seed=0), SMALL._replace(seed=2**63 - 1)])
def test_any_seed_will_do(played: Samples, recipe: Recipe) -> None:
    assert fitted(played, recipe._replace(epochs=1), 1) != fitted(played, SMALL._replace(epochs=1), 1)


@pytest.mark.parametrize("batch", [1, 2])
def test_the_smallest_batches_have_a_sample_of_the_main_set(played: Samples, batch: int) -> None:
    recipe = SMALL._replace(batch=batch, mix=0.9, epochs=1)
    trainer = Trainer(16)
    assert Fitting(trainer, recipe, Sets(some(played, 0, 9), some(played, 9, 9), some(played, 0, 9)), 1).steps == 9


def test_weights_stay_within_their_limits(played: Samples) -> None:
    trainer = Trainer(16)
    trainer.draw_weights(1)
    for _ in range(40):
        trainer.begin(played, 0, 500, 0, True)
        trainer.run()
        trainer.begin_update(1.0, 0)
        trainer.update()
    weights = array("f", trainer.export_weights())
    border = (FEATURES + 1) * 16
    assert max(map(abs, weights[:border])) == pytest.approx(FIRST_LIMIT)
    assert max(map(abs, weights[border : border + 32])) == pytest.approx(SECOND_LIMIT)
    assert 33 * round(FIRST_UNITS * FIRST_LIMIT) + 2 < 2**15
    Network("a test", render_network(quantised(trainer)))  # which would be refused if it could overflow


def test_a_scale_is_found_again(played: Samples) -> None:
    trainer = Trainer(NEURONS, BUCKETS)
    trainer.import_weights(strong_weights())
    samples = some(played, 0, 500)
    scores = trainer.outputs(samples, 0, 500)
    data = bytearray(samples.tobytes())
    for index, score in enumerate(scores):
        wanted = max(-2000, min(2000, round(1.5 * score)))
        data[index * SAMPLE_BYTES + 24 : index * SAMPLE_BYTES + 26] = wanted.to_bytes(2, "little", signed=True)
    twin = Samples()
    twin.add(bytes(data))
    trainer.begin(twin, 0, 500, 0, False)
    trainer.run()
    measure = measure_of([trainer.totals()])
    assert measure.scale == pytest.approx(1.5, abs=0.02)
    assert measure.correlation > 0.999


def test_a_quantised_network_holds_the_rounded_weights() -> None:
    trainer = Trainer(NEURONS, BUCKETS)
    trainer.import_weights(strong_weights())
    network = parse_network("a test", render_network(quantised(trainer, 1.1)))
    assert (network.neurons, network.buckets, network.scale) == (NEURONS, BUCKETS, round(1.1 * SPREAD))
    floats = array("f", trainer.export_weights())
    first = array("h", network.weights[: 2 * BORDER])
    for index, weight in enumerate(floats[:BORDER]):
        half = 2 if index >= FEATURES * NEURONS else 0  # the biases round what is cut off later
        assert abs(first[index] - half - FIRST_UNITS * weight) <= 0.5
    units = network.second_units
    second = array("h", network.weights[2 * BORDER : -4 * BUCKETS])
    assert second[2 * NEURONS] == round(units * floats[BORDER + ROW])
    assert array("i", network.weights[-4 * BUCKETS :])[1] == round(ACTIVE_UNITS**2 * units * floats[-1])


@pytest.mark.parametrize(("scale", "centipawns"), [(-0.3, 1), (0.0, 1), (1e9, 10_000)])
def test_a_scale_that_is_none_still_gives_a_network(scale: float, centipawns: int) -> None:
    trainer = Trainer(NEURONS, BUCKETS)
    trainer.import_weights(strong_weights())
    assert parse_network("a test", render_network(quantised(trainer, scale))).scale == centipawns


@pytest.mark.parametrize(("neurons", "buckets"), [(64, 4), (256, 8)])
def test_a_quantised_network_scores_as_its_floats_do(played: Samples, neurons: int, buckets: int) -> None:
    trainer = Trainer(neurons, buckets)
    trainer.draw_weights(1)
    recipe = Recipe(neurons, buckets, epochs=20, rate=3e-3, batch=100)
    Fitting(trainer, recipe, Sets(some(played, 0, len(played)), None, some(played, 0, 100)), 2).run()
    evaluator = Evaluator(Network("a test", render_network(quantised(trainer))))
    samples = some(played, 0, 1000)
    differences = [
        abs(score - evaluator.network_score(parse_fen(samples.fen(index))))
        for index, score in enumerate(trainer.outputs(samples, 0, 1000))
        if abs(score) < 1000
    ]
    assert len(differences) > 500
    assert sum(differences) / len(differences) < 3
