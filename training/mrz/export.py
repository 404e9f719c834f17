"""Writes the averaged weights of a run as the ONNX file that the service runs, and sets its SHA-256 in the manifest.

    python export.py run
"""

import argparse
import hashlib
import re
from pathlib import Path

import onnx
import torch

from glyphs import REPOSITORY
from network import Probabilities, Recogniser
from strips import HEIGHT

MODEL = REPOSITORY / "activities/vision/mrz-recogniser.onnx"
MANIFEST = REPOSITORY / "activities/vision/models.json"


def export(run: Path, target: Path) -> None:
    """Writes the network of a run; width and number of strips may vary."""
    recogniser = Recogniser()
    recogniser.load_state_dict(torch.load(run / "checkpoint.pt", weights_only=True)["average"])
    axes = {"strip": {0: "strips", 3: "width"}, "probabilities": {0: "strips", 1: "steps"}}
    torch.onnx.export(
        Probabilities(recogniser).eval(),
        torch.zeros(1, 1, HEIGHT, 704),
        str(target),
        input_names=["strip"],
        output_names=["probabilities"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    onnx.checker.check_model(str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    options = parser.parse_args()
    export(options.run, MODEL)
    digest = hashlib.sha256(MODEL.read_bytes()).hexdigest()
    manifest = MANIFEST.read_text()
    entry = re.compile(r'("role": "mrz_recogniser".*?"sha256": ")[0-9a-f]{64}', re.DOTALL)
    MANIFEST.write_text(entry.sub(lambda found: found.group(1) + digest, manifest, count=1))
    print(MODEL.name, MODEL.stat().st_size, "bytes, SHA-256", digest)


if __name__ == "__main__":
    main()
