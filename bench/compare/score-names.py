"""Scores pairs of names with RapidFuzz and with nomenklatura, each alone on one thread.

Reads lines of JSON with type, name1 and name2; writes one object of JSON: for each matcher its version, the processor
time per pair in microseconds, and its scores from 0 to 1.
"""

import itertools
import json
import sys
import time
from importlib.metadata import version

from followthemoney import model
from nomenklatura.matching import get_algorithm
from nomenklatura.matching.types import ScoringConfig
from rapidfuzz import fuzz, utils

SCHEMATA = {"person": "Person", "organisation": "Organization", "craft": "Vessel"}
WARM_UP = 50

pairs = [json.loads(line) for line in sys.stdin if line.strip()]
algorithm = get_algorithm("logic-v2")
config = ScoringConfig.defaults()
ids = itertools.count()


def score_rapidfuzz(pair):
    return fuzz.token_sort_ratio(pair["name1"], pair["name2"], processor=utils.default_process) / 100


def make_entity(pair, name):
    # nomenklatura remembers the names of an id.
    data = {"id": f"name-{next(ids)}", "schema": SCHEMATA[pair["type"]], "properties": {"name": [pair[name]]}}
    return model.get_proxy(data)


def score_nomenklatura(pair):
    return algorithm.compare(make_entity(pair, "name1"), make_entity(pair, "name2"), config).score


def measure(package, score):
    for pair in pairs[:WARM_UP]:
        score(pair)
    started = time.process_time()
    scores = [score(pair) for pair in pairs]
    seconds = time.process_time() - started
    return {"version": version(package), "microsecondsAPair": seconds * 1e6 / max(1, len(pairs)), "scores": scores}


json.dump(
    {"rapidfuzz": measure("rapidfuzz", score_rapidfuzz), "nomenklatura": measure("nomenklatura", score_nomenklatura)},
    sys.stdout,
)
