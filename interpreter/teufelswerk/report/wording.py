"""Figures → words in one language: numbers, shares and intervals as its readers write them."""

from __future__ import annotations

from typing import Any

from babel import Locale
from babel.numbers import format_decimal

from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import Translator
from teufelswerk.report.estimates import Estimate

MINUS = "\N{MINUS SIGN}"


class Words:
    """Says texts and figures in the language of a translator."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.locale = Locale.parse(translator.language)
        self.percent_pattern = self.locale.percent_formats[None].pattern

    def __call__(self, text: Text | str) -> str:
        return self.translator(text)

    def gettext(self, msgid: str, **values: Any) -> str:
        """The page's own words."""
        return self.translator(Text(msgid, **values))

    def cap(self, text: Text | str) -> str:
        words = self(text)
        return words[:1].upper() + words[1:]

    # ---- figures ----------------------------------------------------------------------------------------------------

    def number(self, value: float, digits: int = 0) -> str:
        return self._shown(value, "#,##0", digits)

    def percent(self, share: float, digits: int = 1) -> str:
        """0.248 → `24.8%`, or `24,8 %`"""
        return self._shown(share, self.percent_pattern, digits, 100)

    def percent_tick(self, share: float, digits: int) -> str:
        """A share at an axis whose marks differ in so many decimals of the share."""
        return self.percent(share, max(0, digits - 2))

    def signed(self, value: float, digits: int = 0) -> str:
        shown = self.number(value, digits)
        zero = self.number(0, digits)
        return shown if value < 0 or shown == zero else f"+{shown}"

    def _shown(self, value: float, pattern: str, digits: int, scale: int = 1) -> str:
        rounded = round(value * scale, digits) / scale
        pattern = pattern.replace("0", "0." + "0" * digits if digits else "0", 1)
        # A figure that is rounded to nothing has no sign.
        shown = format_decimal(abs(rounded), format=pattern, locale=self.locale, decimal_quantization=True)
        return f"{MINUS}{shown}" if rounded < 0 else str(shown)

    # ---- estimates --------------------------------------------------------------------------------------------------

    def mean(self, estimate: Estimate) -> str:
        return self.number(estimate.value, estimate.digits)

    def span(self, estimate: Estimate) -> str:
        """`186.9–187.7`"""
        digits = estimate.digits
        return self.between(self.number(estimate.low, digits), self.number(estimate.high, digits))

    def share(self, estimate: Estimate) -> str:
        return self.percent(estimate.value, self._percent_digits(estimate))

    def share_span(self, estimate: Estimate) -> str:
        """`24.6–25.0%`: the sign is said once."""
        digits = self._percent_digits(estimate)
        return self.between(self.number(100 * estimate.low, digits), self.percent(estimate.high, digits))

    def difference(self, estimate: Estimate, as_share: bool = False) -> str:
        """`+1.3`; of two shares in percentage points."""
        estimate = estimate.times(100) if as_share else estimate
        return self.signed(estimate.value, self._difference_digits(estimate))

    def difference_span(self, estimate: Estimate, as_share: bool = False) -> str:
        estimate = estimate.times(100) if as_share else estimate
        digits = self._difference_digits(estimate)
        low, high = self.signed(estimate.low, digits), self.signed(estimate.high, digits)
        if as_share:
            return self.gettext("{low} to {high} percentage points", low=low, high=high)
        return self.gettext("{low} to {high}", low=low, high=high)

    @staticmethod
    def _difference_digits(estimate: Estimate) -> int:
        """One more where an interval that does not hold zero would seem to begin with it."""
        nearest = min(abs(estimate.low), abs(estimate.high))
        return estimate.digits + (not estimate.holds(0) and round(nearest, estimate.digits) == 0)

    @staticmethod
    def between(low: str, high: str) -> str:
        return low if low == high else f"{low}–{high}"

    @staticmethod
    def _percent_digits(estimate: Estimate) -> int:
        """One, but two for what is rarer than one in a hundred, if that much is known."""
        if estimate.value == 0:
            return 0
        return 1 if estimate.value >= 0.01 else max(1, estimate.times(100).digits)
