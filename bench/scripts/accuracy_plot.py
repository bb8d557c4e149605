"""The plot of docs/accuracy.md, as SVG; accuracy_page.py writes it."""


def plot(rows, others, sets, label):
    """SVG of first poses within 2 A by set and protocol, on the ceiling of the pool, beside other programs.

    rows: {(set, protocol): {group: row}} of `poses.py table --json`; others: published figures; sets: {set: title}, in
    order; label(row): what a protocol is called."""
    left, width, step, body, y = 330, 400, 22, [], 44

    def text(x, at, words, **more):
        words = words.replace("&", "&amp;").replace("<", "&lt;").replace("`", "")
        extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
        body.append(f'<text x="{x}" y="{at}"{extra}>{words}</text>')

    def bar(at, value, color):
        body.append(f'<rect x="{left}" y="{at}" width="{width * value:.1f}" height="14" fill="{color}"/>')

    for name, title in sets.items():
        own = [groups_ for (of, _), groups_ in rows.items() if of == name]
        if not own:
            continue
        flatters = ", the crystal's conformer" if own[0]["all"].get("start") == "crystal" else ""
        complexes = own[0]["all"]["n"] // len(own[0]["all"]["seeds"])
        text(14, y, f"{title}, {complexes} complexes{flatters}", font_weight="bold")
        y += 10
        for groups_ in own:
            one = groups_["all"]
            low, high = (left + width * end for end in one["first_2"]["interval"])
            bar(y, one["pool_2"]["share"], "#cfe3e6")
            bar(y, one["first_2"]["share"], "#1f7a86")
            body.append(
                f'<path d="M{low:.1f} {y + 7}H{high:.1f}M{low:.1f} {y + 4}v6M{high:.1f} {y + 4}v6" stroke="#10393f"/>')
            text(left - 8, y + 11, label(one), text_anchor="end")
            first, pool = 100 * one["first_2"]["share"], 100 * one["pool_2"]["share"]
            text(left + width + 8, y + 11, f"{first:.0f} of {pool:.0f} %")
            y += step
        for one in others:
            if one["set"] == name:
                bar(y, one["first"] / 100, "#a9a9a9")
                text(left - 8, y + 11, one["program"], text_anchor="end")
                text(left + width + 8, y + 11, f"{one['first']:g} %")
                y += step
        y += 24
    grid = [f'<path d="M{left + width * tick / 100:.0f} 50V{y - 24}" stroke="#e4e4e4"/>' for tick in range(0, 101, 25)]
    ticks = [f'<text x="{left + width * tick / 100:.0f}" y="{y - 8}" text-anchor="middle">{tick} %</text>'
             for tick in range(0, 101, 25)]
    legend = (
        '<text x="14" y="20">First pose within 2 Å (dark, with its 95 % interval) and some pose of the file (pale); '
        'published figures (gray)</text>')
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="830" height="{y + 4}" viewBox="0 0 830 {y + 4}" '
                      'font-family="sans-serif" font-size="12" fill="#222">',
                      f'<rect width="830" height="{y + 4}" fill="#fff"/>', legend, *grid, *body, *ticks, "</svg>", ""])
