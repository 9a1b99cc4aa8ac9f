"""How a run was measured, in plain words."""

from __future__ import annotations

from analysis.estimates import SMALLEST_INTERVAL_UNITS
from reports.runs import Reading, Run
from reports.words import counted, plural, subject

_MOST_TOLD = 6


def paragraphs(run: Run) -> list[str]:
    """What was played, how it is paired, what the intervals mean, what the pairing was worth."""
    found = [_played(run), _unit(run), *_intervals(run), *_worth(run)]
    if run.deals < SMALLEST_INTERVAL_UNITS:
        found.append(f"Below {SMALLEST_INTERVAL_UNITS} {plural(run.unit)} no intervals are given: they could not be relied on.")
    return found


def _played(run: Run) -> str:
    deals = counted(run.deals, run.unit)
    games = f"{run.games:,} games in all"
    if run.kind == "compare":
        field = ", ".join(dict.fromkeys(run.field))
        return (
            f"Every candidate played the same {deals}, with the same cards, once in every seat, against the same field ({field}): {games}. "
            "What the cards and the seats do is the same for all of them and drops out of the differences."
        )
    if run.kind == "variants":
        return (
            f"All {len(run.variants)} variants played the same {deals}, with the same cards as far as their rules allow: {games}. "
            "What the cards do drops out of the differences as far as it is the same."
        )
    if run.rotate:
        return (
            f"Each of {deals} was played once for each rotation of the line-up, so that every player had every seat with the same cards: "
            f"{games}."
        )
    return f"{deals} {'was' if run.deals == 1 else 'were'} played as seated."


def _unit(run: Run) -> str:
    first = f" All seatings of one {run.unit} are averaged first." if run.rotate else ""
    return f"The unit of error is the {run.unit} ({run.unit_help}): errors come from the spread between {plural(run.unit)}.{first}"


def _intervals(run: Run) -> list[str]:
    found = [
        "The number after ± is half of the 95 % interval. Levels have pointwise intervals: each holds by itself, "
        "so that of twenty about one misses the true value."
    ]
    if any(r.difference is not None for r in run.readings):
        found.append(
            "Differences have simultaneous intervals: with a probability of 95 % all of them hold at once, however many are looked at. "
            "“Surely different” means that such an interval leaves zero out; p is adjusted for the number of differences."
        )
    return found


def _worth(run: Run) -> list[str]:
    """The variance reduction factors (VRF) and effective sample sizes (ESS) of the differences."""
    known = [(r, d.vrf, d.ess) for r in run.readings if (d := r.difference) is not None and d.vrf is not None and d.ess is not None]
    if not known:
        return []
    what = (
        "Playing the same deals makes a difference more exact (or, below 1, less exact) than independent games would. One game was worth "
        "so many independent ones (the variance reduction factor, VRF), and the games of an arm together so many "
        "(the effective sample size, ESS): "
    )
    if len(known) > _MOST_TOLD:
        least, most = (pick(known, key=lambda one: one[1]) for pick in (min, max))
        return [
            f"{what}from {_times(least[1])} ({_named(least[0])}) to {_times(most[1])} ({_named(most[0])}); all are in tables/estimates.csv."
        ]
    return [what + "; ".join(f"{_named(reading)}: VRF {_times(vrf)}, ESS {ess:,.0f}" for reading, vrf, ess in known) + "."]


def _named(reading: Reading) -> str:
    return reading.strategy if reading.variant is None else f"{reading.variant.label}, {subject(reading)}"


def _times(vrf: float) -> str:
    return f"{vrf:.2f}" if vrf < 1 else f"{vrf:.1f}" if vrf < 10 else f"{vrf:,.0f}"
