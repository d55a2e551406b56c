"""The exponential function as the core computes it, for languages whose own differs in the last bit.

``x`` is ``k ln 2 + r`` with a small ``r``, and exp(x) is 2**k times exp(r), a fraction of polynomials. After FreeBSD's
``e_exp.c``, as in the crate ``libm``; its notice ``NOTICE`` goes with every copy.

Each step is one rounded operation, so every language with doubles gets the same bits.
"""

from __future__ import annotations

import math
import struct

__all__ = ["C_TEXT", "HUGE", "LN2_HI", "LN2_LO", "LOG2_E", "NOTICE", "PYTHON_TEXT"]
__all__ += ["SERIES", "SMALL", "TINY", "VANISHING", "exp"]


def _high(word: int) -> float:
    """Return the double whose upper half is a word and whose lower half is 0."""
    return float(struct.unpack(">d", struct.pack(">II", word, 0))[0])


HUGE, VANISHING = 709.782712893384, -745.1332191019411
SMALL = _high(0x3FD62E43)  # below it, k is 0
TINY = _high(0x3E300001)  # below it, the result is 1 + x
LN2_HI, LN2_LO, LOG2_E = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.4426950408889634
# Coefficients of the polynomial, the highest power first.
SERIES = (
    4.13813679705723846039e-08,
    -1.65339022054652515390e-06,
    6.61375632143793436117e-05,
    -2.77777777770155933842e-03,
    1.66666666666666019037e-01,
)

NOTICE = (
    "exp is that of FreeBSD's e_exp.c: Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved.",
    "Permission to use, copy, modify, and distribute this software is freely granted, provided that this",
    "notice is preserved.",
)


def exp(x: float) -> float:
    """Return the exponential of a number, with the same bits as the core.

    Examples
    --------
    >>> exp(0.0), exp(1.0), exp(-1000.0), exp(1000.0)
    (1.0, 2.7182818284590455, 0.0, inf)
    """
    if x > HUGE:
        return math.inf
    if x < VANISHING:
        return 0.0
    if abs(x) < TINY:
        return 1.0 + x
    k = 0 if abs(x) < SMALL else int(LOG2_E * x + math.copysign(0.5, x))
    hi, lo = x - k * LN2_HI, k * LN2_LO
    r = hi - lo
    square, series = r * r, 0.0
    for factor in SERIES:
        series = factor + square * series
    c = r - square * series
    return math.ldexp(1.0 + (r * c / (2.0 - c) - lo + hi), k)


PYTHON_TEXT = f'''

# {NOTICE[0]}
# {NOTICE[1]}
# {NOTICE[2]}
def _exp(x):
    """Return the exponential of x, with the same bits on every machine."""
    if x > {HUGE!r}:
        return inf
    if x < {VANISHING!r}:
        return 0.0
    if abs(x) < {TINY!r}:
        return 1.0 + x
    k = 0 if abs(x) < {SMALL!r} else int({LOG2_E!r} * x + copysign(0.5, x))
    hi, lo = x - k * {LN2_HI!r}, k * {LN2_LO!r}
    r = hi - lo
    square, series = r * r, 0.0
    for factor in {SERIES!r}:
        series = factor + square * series
    c = r - square * series
    return ldexp(1.0 + (r * c / (2.0 - c) - lo + hi), k)
'''

C_TEXT = f"""\
/* {NOTICE[0]}
 * {NOTICE[1]}
 * {NOTICE[2]}
 * Here every product is rounded before it is added, so that the bits are the same on every machine. */
static double own_exp(double x) {{
    static const double factors[] = {{{", ".join(map(repr, SERIES))}}};
    volatile double square, series = 0.0, product, lo;
    double r, c, hi;
    int i, k = 0;
    if (x > {HUGE!r}) return INFINITY;
    if (x < {VANISHING!r}) return 0.0;
    if (fabs(x) < {TINY!r}) return 1.0 + x;
    if (fabs(x) >= {SMALL!r}) {{
        product = {LOG2_E!r} * x;
        k = (int)(product + (x < 0.0 ? -0.5 : 0.5));
    }}
    product = k * {LN2_HI!r};
    hi = x - product;
    lo = k * {LN2_LO!r};
    r = hi - lo;
    square = r * r;
    for (i = 0; i < 5; i++) {{
        product = square * series;
        series = factors[i] + product;
    }}
    product = square * series;
    c = r - product;
    product = r * c;
    return ldexp(1.0 + (product / (2.0 - c) - lo + hi), k);
}}
"""
