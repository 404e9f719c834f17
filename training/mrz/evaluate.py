"""Character errors of an exported recogniser on whole synthetic lines, by conditions, without the rules of the zone.

    python evaluate.py [--lines 400] [--model ../../activities/vision/mrz-recogniser.onnx]

The service is measured on photographs by `npm run bench -- mrz`.
"""

import argparse
from collections import Counter

import onnxruntime
from numpy.random import default_rng

from export import MODEL
from strips import Conditions, draw_line, spell

EVALUATION_SEED = 77
CONDITIONS = {
    "clear, 12 to 24 pixels per character": Conditions(0.3, (12, 24)),
    "defects, 12 to 24 pixels per character": Conditions(1.0, (12, 24)),
    "some defects, 7 to 9 pixels per character": Conditions(0.6, (7, 9)),
    "some defects, 5 to 7 pixels per character": Conditions(0.6, (5, 7)),
    "other fonts, some defects, 12 to 24 pixels per character": Conditions(0.6, (12, 24), only_other_fonts=True),
}


def align(read: str, expected: str) -> tuple[int, list[tuple[str, str]]]:
    """Edits from one text to the other (Levenshtein), and the replaced characters."""
    costs = [[i + j if i == 0 or j == 0 else 0 for j in range(len(expected) + 1)] for i in range(len(read) + 1)]
    for i in range(1, len(read) + 1):
        for j in range(1, len(expected) + 1):
            replaced = costs[i - 1][j - 1] + (read[i - 1] != expected[j - 1])
            costs[i][j] = min(replaced, costs[i - 1][j] + 1, costs[i][j - 1] + 1)
    i, j, replaced = len(read), len(expected), []
    while i > 0 and j > 0:
        if costs[i][j] == costs[i - 1][j - 1] + (read[i - 1] != expected[j - 1]):
            i, j = i - 1, j - 1
            if read[i] != expected[j]:
                replaced.append((expected[j], read[i]))
        elif costs[i][j] == costs[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return costs[-1][-1], replaced


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--model", default=str(MODEL))
    options = parser.parse_args()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(options.model, settings)
    for number, (name, conditions) in enumerate(CONDITIONS.items()):
        exact = errors = characters = 0
        confusions: Counter = Counter()
        for index in range(options.lines):
            strip, text = draw_line(default_rng((EVALUATION_SEED, number, index)), conditions)
            values = (strip.astype("float32") / 127.5 - 1)[None, None]
            (probabilities,) = session.run(None, {"strip": values})
            edits, replaced = align(spell(probabilities[0].argmax(1)), text)
            exact, errors, characters = exact + (edits == 0), errors + edits, characters + len(text)
            confusions.update(replaced)
        common = " ".join(f"{a}→{b} {count}" for (a, b), count in confusions.most_common(8))
        print(f"{name}: {exact} of {options.lines} lines exact, {100 * errors / characters:.2f} % character errors; {common}", flush=True)


if __name__ == "__main__":
    main()
