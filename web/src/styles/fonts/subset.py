"""Makes inter.woff2: the Inter of the page, from the npm package inter-ui 4.1.1 (SIL Open Font License, see OFL.txt).

    npm pack inter-ui@4.1.1 && tar xzf inter-ui-4.1.1.tgz
    pip install fonttools==4.68.0 brotli==1.2.1
    python subset.py package/variable/InterVariable.woff2 inter.woff2

Kept are Latin, Greek and the signs that the page writes; one axis, the weights from 400 to 600, at the optical size of
text. Figures are tabular without being asked to be: a canvas, which measures the texts of charts, cannot ask.
"""

import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

RANGES = [
    (0x20, 0x7E),  # Latin
    (0xA0, 0x17F),  # Latin-1 and the letters of European names
    (0x391, 0x3C9),  # Greek
    (0x2000, 0x200A),  # spaces of given widths
    (0x2010, 0x2027),  # dashes, quotation marks, ellipsis
    (0x202F, 0x2033),  # narrow space, per mille, primes
    (0x2070, 0x209C),  # raised and lowered figures
    (0x2190, 0x2193),  # arrows
    (0x21E7, 0x21E7),  # Shift
    (0x2318, 0x2318),  # Command
    (0x2206, 0x2265),  # signs of calculation
]
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]


def tabular(font):
    """What the feature of tabular figures puts in the place of other glyphs."""
    table = font["GSUB"].table
    lookups = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    subtables = [part for index in lookups for part in table.LookupList.Lookup[index].SubTable]
    parts = [getattr(part, "ExtSubTable", part) for part in subtables]
    return {old: new for part in parts for old, new in getattr(part, "mapping", {}).items()}


source, target = sys.argv[1:]
font = TTFont(source)
figures = tabular(font)
for table in font["cmap"].tables:
    for code in range(ord("0"), ord("9") + 1):
        if code in table.cmap:
            table.cmap[code] = figures.get(table.cmap[code], table.cmap[code])

subsetter = Subsetter(Options(layout_features=FEATURES, hinting=False))
subsetter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
subsetter.subset(font)
font = instantiateVariableFont(font, {"opsz": 14, "wght": (400, 400, 600)})
font.flavor = "woff2"
font.save(target)
