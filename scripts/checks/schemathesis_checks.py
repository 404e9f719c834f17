"""Checks of this project, in addition to those of Schemathesis."""

import ast
import re
import threading

import schemathesis

# Python before 3.12.2 fails with "AST constructor recursion depth mismatch" if two threads parse source at once
# (python/cpython#106905), which Hypothesis does to describe its strategies.
parse_source = ast.parse
parse_lock = threading.Lock()


def parse_alone(*args, **options):
    with parse_lock:
        return parse_source(*args, **options)


ast.parse = parse_alone

# Rules that a JSON schema cannot state. A request that conforms to the schema may be refused for one of these reasons
# only; every other refusal is a rule that the OpenAPI document must describe.
UNDESCRIBED_RULES = {
    "a record that is absent, inactive or of another kind": [
        r"is not an? .* (of|from) the (company|vendor|customer|invoice|order|draft)",
        r"is not an active ",
        r"is an inactive ",
        r"is a service; ",
        r"is for goods: ",
        r"is not a line of ",
        r"has no exchange rate to ",
        r"is the base currency, ",
        r"contains unknown lists",
        r"is not the current password",
        r"is read-only and differs from ",
        r"leads back to the rate itself",
        r"is required to reopen days that are locked ",
        r"^X-Sandbox-Result: is accepted with test keys only",
        r"^cursor: accepts the nextCursor of the previous page",
        r"accepts the steps of this session",
        r"^from: accepts a position of the chain",
        r"is required until the session has an identity document",
        r"a file is required, unless the session keeps the front",
        r"^status: becomes lost by ",
        r"^role: is required, unless the user has an identityRole",
        r"is required to (leave|lose|move back) ",
    ],
    "today's date and other dates": [
        r"must not be after ",
        r"must not be before ",
        r"must be after ",
        r"is in a closed year of the series",
        r"must lie in the (future|past)",
        r"must not be in the future",
        r"must not lie more than ",
    ],
    "several fields or lines together": [
        r"occurs twice",
        r"is named twice",
        r"must differ from ",
        r"add up to more than ",
        r"must be (null|empty) on a deposit invoice",
        r"must be at most .* [A-Z]{3}$",
        r"must be (0|null|greater than 0) in category ",
        r"is required in category ",
        r"is required without a product",
        r"must not exceed ",
        r"must be within .*, which the lines add up to",
        r"is not a filter of ",
        r"names no field to change",
        r"is accepted only with the decision resubmit",
        r"is accepted only with a receipt that has been billed",
        r"is required with (override|frames)",
        r"is not accepted with a challenge; ",
        r"^frames: accepts ",
    ],
    "the content of a file, and who signed a token": [
        r": the (file|image|PDF) is ",
        r"^file: ",
        r"^bundle: ",
        r"^shareToken: is not signed by ",
    ],
    "U+0000, which the description of each API excludes from every text": [
        r"(has a name with|must not contain) U\+0000",
    ],
    "details that the law of a country requires of the company and its customer": [
        r"^[A-Za-z.\[\]0-9]+: [A-Z]+(-[A-Z0-9]+)+: ",
    ],
    "JSON inside a text field of a form": [
        r"^mapping(\.[A-Za-z]+)?: ",
    ],
    "the size of a free-form object": [
        r"accepts at most \d+ bytes of JSON",
        r"^metadata: accepts a JSON object",
    ],
    "digits of a decimal, which a JSON number does not carry exactly": [
        r"must have at most \d+ (decimals|significant digits)",
        r"must not be negative zero",
    ],
    "check digits and registered names": [
        r"must be an IBAN ",
        r"must be a BIC ",
        r"must be a routing number of nine digits with its check digit",
        r"needs a taxId with the structure and check digits of a VAT identifier",
        r"must be an IANA time zone",
        r"accepts a legal entity identifier ",
    ],
}

ACCEPTED = [re.compile(reason) for reasons in UNDESCRIBED_RULES.values() for reason in reasons]


def read_problems(body):
    """The problems that an error response names, as `field: problem`."""
    if "error" in body:
        error = body["error"]
        fields = (error.get("details") or {}).get("fields") or []
        return [f"{each['field']}: {each['problem']}" for each in fields] or [error["message"]]
    return body.get("errors") or [body["message"]]


@schemathesis.check
def described_requests_are_accepted(ctx, response, case):
    """A request that conforms to the OpenAPI document is not refused as invalid, except for the rules above.

    Only examples and systematic cases are judged: random ones depend on the records that exist at the time.
    """
    if case.meta is None or case.meta.phase.name == "fuzzing":
        return
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    unexpected = [
        problem for problem in read_problems(response.json()) if not any(reason.search(problem) for reason in ACCEPTED)
    ]
    if unexpected:
        raise AssertionError("The OpenAPI document does not describe: " + "; ".join(unexpected))
