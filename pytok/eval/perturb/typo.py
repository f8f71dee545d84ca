"""Typing errors: a homophone is chosen, or two neighbours change places."""

from __future__ import annotations

import random
import re
from functools import cache

from pytok.eval.perturb.perturbation import Perturbation, drawn_places
from pytok.eval.perturb.replacements import others_in_groups

__all__ = ["TYPO"]

# Characters of equal or nearly equal Mandarin reading that input methods offer
# together and that writers mix up, compiled; simplified and traditional apart.
_HOMOPHONES = """
    的得地 在再 做作坐座 他她它 那哪 象像 以已 带戴 须需 和合 到道 是事市 有又由 会回 以意 为位未
    其期 进近 成城 应因 实时 生声 工公功 发法 理力 现线 话化 经精 力利立 体提 制治 性信 机计
    分份 即既 象向 反返 复覆 度渡 历厉 练炼 帐账 记计 至致 副付 决绝 侯候 园圆 题提 刻克 采彩
    式试 部布 平评 气汽 清情 名明 及级 资自 知之 心新 业也 如入 物务 与于
    他她它 帶戴 須需 為位 會回 現線 話化 經精 體提 機計 實時 應因 發法 復覆 歷曆 練煉 帳賬 記計
    與於 進近 聲生 題提 園圓 氣汽 級及 業也
    """.split()  # noqa: SIM905 - one group per string takes a hundred lines
_LETTER = re.compile("[A-Za-z\u3400-\u9fff\U00020000-\U0003ffff]")
_SEVERAL_LETTERS = re.compile("[A-Za-z]{2}|[\u3400-\u9fff\U00020000-\U0003ffff]{2}")


@cache
def _others() -> dict[str, str]:
    return others_in_groups(_HOMOPHONES)


def _mistyped(text: str, generator: random.Random, rate: float) -> str:
    others = _others()
    letters = list(text)
    free = 0
    places = (found.start() for found in _LETTER.finditer(text))
    for place in drawn_places(places, generator, rate):
        if place < free:
            continue
        if text[place] in others:
            letters[place] = generator.choice(others[text[place]])
        elif _SEVERAL_LETTERS.match(text, place):
            letters[place], letters[place + 1] = text[place + 1], text[place]
            free = place + 2
    return "".join(letters)


TYPO = Perturbation(
    "typo",
    "Han characters and Latin letters are mistyped with the rate as probability: a frequent "
    "homophone (在 再) where the table has one, else the letter and the next change places",
    _mistyped,
    rate=0.02,
)
