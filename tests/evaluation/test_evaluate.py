"""The evaluation: symmetry, signs, and agreement of its two ways to add up."""

import random

import pytest

from nowchess_uci import Board
from nowchess_uci.evaluation.chances import chances
from nowchess_uci.evaluation.evaluate import score_of, trace_of
from nowchess_uci.evaluation.explain import render_evaluation
from nowchess_uci.evaluation.terms import DANGER_SCALE, GROUPS, load_weights, weight_of
from nowchess_uci.rules.fen import parse_fen, render_fen
from nowchess_uci.rules.movegen import legal_moves, play


def mirrored(fen: str) -> str:
    """The same position with colours exchanged."""
    placement, side, castling, en_passant, *clocks = fen.split()
    flipped = "/".join(reversed(placement.swapcase().split("/")))
    if en_passant != "-":
        en_passant = en_passant[0] + str(9 - int(en_passant[1]))
    rights = "".join(sorted(castling.swapcase(), key="KQkq".find)) if castling != "-" else "-"
    return " ".join([flipped, "b" if side == "w" else "w", rights, en_passant, *clocks])


def random_positions(count: int) -> list[str]:
    source = random.Random(5)
    fens: list[str] = []
    while len(fens) < count:
        position = parse_fen(Board().fen())
        for _ in range(source.randrange(120)):
            moves = legal_moves(position)
            if not moves:
                break
            play(position, source.choice(moves))
        fens.append(render_fen(position))
    return fens


@pytest.mark.parametrize("fen", random_positions(100))
def test_mirrored_positions_score_alike(fen: str) -> None:
    assert score_of(parse_fen(fen)) == score_of(parse_fen(mirrored(fen)))


@pytest.mark.parametrize("fen", random_positions(30))
def test_the_traced_terms_add_up_to_the_score(fen: str) -> None:
    position = parse_fen(fen)
    used, attacks, phase, white_scale, black_scale = trace_of(position)
    middle = sum(count * weight_of(term)[0] for term, count in used.items())
    end = sum(count * weight_of(term)[1] for term, count in used.items())
    for sign, attack in zip((1, -1), attacks, strict=True):
        units = sum(count * weight_of(term)[0] for term, count in attack.items())
        middle += sign * (max(units, 0) ** 2 // DANGER_SCALE)
        end += sign * sum(count * weight_of(term)[1] for term, count in attack.items())
    end = int(end * (white_scale if end > 0 else black_scale) / 64)
    score = int((middle * phase + end * (24 - phase)) / 24)
    assert score_of(position) == (score if position.side == 0 else -score)


def test_danger_grows_faster_than_its_parts() -> None:
    def danger(attackers: str) -> int:
        _, (attack, _), *_ = trace_of(parse_fen(f"5rk1/5ppp/8/8/{attackers}/8/5PPP/6K1 w - - 0 1"))
        return max(sum(count * weight_of(term)[0] for term, count in attack.items()), 0) ** 2

    assert 0 < danger("6Q1") + danger("1B4N1") < danger("1B4QN")


def test_more_material_is_better() -> None:
    assert score_of(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")) < -500
    assert score_of(parse_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")) > 500


def test_a_lone_minor_piece_wins_nothing() -> None:
    assert abs(score_of(parse_fen("4k3/8/8/8/8/8/p7/4KB2 w - - 0 1"))) < 250


def test_the_table_of_terms_names_every_group() -> None:
    text = render_evaluation(parse_fen(Board().fen()))
    assert all(name in text for name, _, _ in GROUPS)
    assert "for white" in text


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="weights expected"):
        load_weights(((1, 2),))
    with pytest.raises(IndexError):
        weight_of(-1)


@pytest.mark.parametrize("score", [-32000, -500, -1, 0, 30, 250, 32000])
def test_chances_add_up_and_mirror(score: int) -> None:
    win, draw, loss = chances(score)
    assert win + draw + loss == 1000
    assert min(win, draw, loss) >= 0
    assert chances(-score) == (loss, draw, win)
