"""Random text of lines of machine-readable zones: TD1, TD2, TD3, MRV-A, MRV-B and the French identity card.

Check digits are right in most lines and wrong in the others, so that a recogniser trained on them reports what is
printed instead of what would be right.
"""

from numpy.random import Generator

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
CHARACTERS = LETTERS + DIGITS + "<"
"""The classes of the recogniser, in this order; the class after the last one is blank."""

# Groups of characters that look alike at a low resolution; rows of them teach the differences without context.
LOOKALIKES = ["EF", "35", "D0O", "TI1", "8B", "6G", "5S", "2Z", "0OQ", "MN", "HN", "KX", "UV", "VY", "CG", "4A", "7T1", "CK<", "PR", "L<"]

STATES = (
    "USA GBR FRA D AUT CHE ITA ESP PRT NLD BEL LUX IRL DNK SWE NOR FIN ISL EST LVA LTU POL CZE SVK HUN SVN HRV BIH SRB MKD "
    "ALB GRC TUR CYP MLT ROU BGR MDA UKR RUS GEO ARM AZE KAZ UZB IRN IRQ SYR LBN ISR JOR EGY LBY TUN DZA MAR NGA GHA KEN "
    "ETH ZAF CMR SEN CIV BRA ARG CHL PER COL VEN ECU URY MEX CAN CUB DOM IND PAK BGD LKA NPL CHN HKG MAC TWN JPN KOR VNM "
    "THA PHL IDN MYS SGP AUS NZL UTO XXA XXB XXX UNO EUE RKS GBD GBN"
).split()

# Frequent sequences of names; other names are drawn letter by letter.
SYLLABLES = (
    "AN MA RI KO WAL SKI SMI TH JO HN SON BER GER MUEL LER KHA LID FA TI MA NGUY EN VAN THI WEI ZHA NG HUA LI CHEN FER NAN "
    "DEZ GAR CIA LO PEZ SIL VA OLI VEI RA IVA NOV PE TRO VIC OV IC AL IBN ABD UL RAH MAN OKA FOR KWA ME DU PONT LE ROY JEAN "
    "PAUL XA VI ER QUEN TIN WOJ CIECH KAZ ZO FIA YU KI TA NA KA HI RO SHI MO HAM MED FRAN CE SCO GIO BJOR EKE ITT FIL IP FEI"
).split()


def compute_check_digit(text: str) -> str:
    """The check digit by ICAO Doc 9303-3, 4.9."""
    values = (0 if c == "<" else int(c) if c in DIGITS else ord(c) - 55 for c in text)
    return str(sum(value * (7, 3, 1)[index % 3] for index, value in enumerate(values)) % 10)


class ZoneTextGenerator:
    """Draws lines of zones from one random generator."""

    def __init__(self, random: Generator) -> None:
        self.random = random

    def draw_line(self) -> str:
        """One line of a zone of any format, or one of look-alikes."""
        kind = self.random.random()
        if kind < 0.12:
            return self._draw_lookalikes(self._choose((30, 36, 44)))
        if kind < 0.18:
            return "".join(self._choose(CHARACTERS) for _ in range(self._choose((30, 36, 44))))
        lines = self._choose(
            (self.draw_td1, self.draw_two_lines_44, self.draw_two_lines_44, self.draw_two_lines_36, self.draw_french_card)
        )()
        return self._choose(lines)

    def draw_td1(self) -> list[str]:
        """Three lines of 30 characters."""
        number, birth, expiry = self._draw_number(9), self._draw_date(), self._draw_date()
        first_optional, second_optional = self._draw_optional(15), self._draw_optional(11)
        first = self._choose(("I<", "ID", "C<", "AC", "IR", "AR", "IP", "C1", "A<", "IA")) + self._draw_state()
        first += number + self._digit(number) + first_optional
        dates = birth + self._digit(birth), expiry + self._digit(expiry)
        second = dates[0] + self._draw_sex() + dates[1] + self._draw_state() + second_optional
        second += self._digit(first[5:30] + dates[0] + dates[1] + second_optional)
        return [first, second, self._draw_name(30)]

    def draw_two_lines_44(self) -> list[str]:
        """A passport or a visa of 44 characters a line."""
        visa = self.random.random() < 0.2
        code = self._choose(("V<", "VA", "VI")) if visa else self._choose(("P<", "P<", "P<", "PP", "PD", "PS", "PO", "PN", "PM"))
        first = code + self._draw_state() + self._draw_name(39)
        start, dates = self._draw_second_line()
        if visa:
            return [first, start + self._draw_optional(16)]
        personal = self._draw_optional(14)
        digit = self._digit(personal) if personal.strip("<") or self.random.random() < 0.5 else "<"
        return [first, start + personal + digit + self._digit(start[:10] + dates + personal + digit)]

    def draw_two_lines_36(self) -> list[str]:
        """A card or a visa of 36 characters a line."""
        visa = self.random.random() < 0.3
        code = self._choose(("V<", "VB", "VC")) if visa else self._choose(("I<", "ID", "AC", "C<", "IR", "TS", "AR"))
        first = code + self._draw_state() + self._draw_name(31)
        start, dates = self._draw_second_line()
        if visa:
            return [first, start + self._draw_optional(8)]
        optional = self._draw_optional(7)
        return [first, start + optional + self._digit(start[:10] + dates + optional)]

    def draw_french_card(self) -> list[str]:
        """The French identity card of 1988 to 2021: two lines of 36 characters of its own layout."""
        surname = self._draw_word(int(self.random.integers(3, 22)))[:25].ljust(25, "<")
        office = "".join(self._choose(DIGITS) for _ in range(6)) if self.random.random() < 0.6 else "<<<" + self._draw_digits(3)
        first = "IDFRA" + surname + office
        number = self._draw_digits(4) + self._choose(("2A1", "075", "0" + self._draw_digits(2), "T" + self._draw_digits(2)))
        number = (number + self._draw_digits(12))[:12]
        given = ("<<".join(self._draw_word(int(self.random.integers(3, 9))) for _ in range(self.random.integers(1, 3))))[:14]
        birth = self._draw_date()
        second = number + self._digit(number) + given.ljust(14, "<") + birth + self._digit(birth) + self._choose("MF")
        return [first, second + self._digit(first + second)]

    def _draw_second_line(self) -> tuple[str, str]:
        number, birth, expiry = self._draw_number(9), self._draw_date(), self._draw_date()
        birth, expiry = birth + self._digit(birth), expiry + self._digit(expiry)
        return number + self._digit(number) + self._draw_state() + birth + self._draw_sex() + expiry, birth + expiry

    def _choose(self, options):
        return options[int(self.random.integers(len(options)))]

    def _digit(self, text: str) -> str:
        return compute_check_digit(text) if self.random.random() < 0.75 else self._choose(DIGITS)

    def _draw_state(self) -> str:
        if self.random.random() < 0.2:
            return "".join(self._choose(LETTERS) for _ in range(3))
        return self._choose(STATES).ljust(3, "<")

    def _draw_sex(self) -> str:
        return self._choose("MMFF<X")

    def _draw_digits(self, count: int) -> str:
        return "".join(self._choose(DIGITS) for _ in range(count))

    def _draw_date(self) -> str:
        if self.random.random() < 0.05:
            return self._draw_digits(2) + self._choose(("<<<<", "0000", "01<<", "<<01"))
        year, month, day = self.random.integers((0, 1, 1), (100, 13, 32))
        return f"{year:02d}{month:02d}{day:02d}"

    def _draw_lookalikes(self, count: int) -> str:
        groups = [self._choose(LOOKALIKES) for _ in range(4)]
        return "".join(self._choose(self._choose(groups)) for _ in range(count))

    def _draw_word(self, length: int) -> str:
        word = ""
        while len(word) < length:
            word += self._choose(SYLLABLES) if self.random.random() < 0.6 else self._choose(LETTERS)
        return word[:length]

    def _draw_name(self, length: int) -> str:
        def draw_words(count: int) -> str:
            return "<".join(self._draw_word(int(self.random.integers(1, 13))) for _ in range(count))

        surname, given = draw_words(self._choose((1, 1, 1, 2, 3))), draw_words(self._choose((0, 1, 1, 2, 2, 3)))
        return f"{surname}<<{given}"[:length].ljust(length, "<")

    def _draw_number(self, length: int) -> str:
        kind = self.random.random()
        if kind < 0.12:
            text = self._draw_lookalikes(length).replace("<", "0")
        else:
            alphabet = DIGITS if kind < 0.6 else LETTERS + DIGITS
            text = "".join(self._choose(alphabet) for _ in range(int(self.random.integers(length - 3, length + 1))))
        if self.random.random() < 0.25:
            text = (self._choose(LETTERS) + self._choose(LETTERS) + text)[: len(text)]
        return text.ljust(length, "<")

    def _draw_optional(self, length: int) -> str:
        if self.random.random() < 0.5:
            return "<" * length
        text = self._draw_number(int(self.random.integers(4, length + 1)))
        return ("<" * int(self.random.integers(0, 3)) + text)[:length].ljust(length, "<")
