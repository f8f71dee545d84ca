"""基于词典的最大概率分词示例。

思路很老套：先把句子里所有可能的词连成一张有向无环图（DAG），
再从右往左做动态规划，取对数概率之和最大的那条路径。
词典里查不到的汉字按单字成词，英文和数字整段保留。
"""

from __future__ import annotations

import math
import re
import sys
from typing import Dict, Iterable, Iterator, List, Tuple

# 汉字（含扩展 A 区）连续出现的一段，交给 DAG 处理
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
# 英文、数字以及常见的版本号写法，例如 v2.0、utf-8
_ASCII_RUN = re.compile(r"[A-Za-z0-9]+(?:[._\-][A-Za-z0-9]+)*")


class Lexicon:
    """词频表，支持逐行加载。

    每行格式为「词 空格 频次」，井号开头的是注释，空行忽略。
    """

    def __init__(self) -> None:
        self.freq: Dict[str, int] = {}
        self.total = 0
        self.max_len = 1

    def add(self, word: str, count: int = 1) -> None:
        """加入一个词；重复添加时频次累加。"""
        if count <= 0:
            raise ValueError(f"频次必须是正数：{word!r} -> {count}")
        self.freq[word] = self.freq.get(word, 0) + count
        self.total += count
        self.max_len = max(self.max_len, len(word))

    def load(self, lines: Iterable[str]) -> None:
        for lineno, raw in enumerate(lines, 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            parts = line.split()
            if len(parts) != 2 or not parts[1].isdigit():
                # 不直接抛异常：脏数据很常见，跳过并提示行号就够了
                print(f"第 {lineno} 行格式不对，已跳过：{line}", file=sys.stderr)
                continue
            self.add(parts[0], int(parts[1]))

    def log_prob(self, word: str) -> float:
        """对数概率。未登录的单字给一个很小的平滑值，避免 log(0)。"""
        count = self.freq.get(word, 0)
        return math.log(count or 0.5) - math.log(self.total or 1)


class Segmenter:
    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def _build_dag(self, text: str) -> List[List[int]]:
        """dag[i] 存放从位置 i 出发的所有词的结束下标（不含）。"""
        dag: List[List[int]] = []
        for start in range(len(text)):
            ends = [start + 1]  # 单字永远可行，保证图是连通的
            stop = min(len(text), start + self.lexicon.max_len)
            for end in range(start + 2, stop + 1):
                if text[start:end] in self.lexicon.freq:
                    ends.append(end)
            dag.append(ends)
        return dag

    def _best_path(self, text: str) -> Iterator[str]:
        dag = self._build_dag(text)
        # route[i] = (从 i 到句尾的最大得分, 这一步切到哪里)
        route: List[Tuple[float, int]] = [(0.0, 0)] * (len(text) + 1)
        for i in range(len(text) - 1, -1, -1):
            # 注意：得分相同时取更长的词，结果才稳定
            route[i] = max(
                (self.lexicon.log_prob(text[i:end]) + route[end][0], end)
                for end in dag[i]
            )
        i = 0
        while i < len(text):
            end = route[i][1]
            yield text[i:end]
            i = end

    def cut(self, text: str) -> List[str]:
        """切分一段混合文本，拼接结果必须等于原文。"""
        words: List[str] = []
        pos = 0
        while pos < len(text):
            han = _HAN_RUN.match(text, pos)
            if han:
                words.extend(self._best_path(han.group()))
                pos = han.end()
                continue
            other = _ASCII_RUN.match(text, pos)
            if other:
                words.append(other.group())
                pos = other.end()
            else:
                words.append(text[pos])  # 标点、空白、emoji 各自成词
                pos += 1
        return words


# 演示用的小词典，真实项目里请换成完整词表
_DEMO = """
# 词 频次
研究 120
研究生 45
生命 80
命 20
起源 60
的 900
武汉 70
武汉市 40
长江 90
长江大桥 30
大桥 50
市长 25
"""


def main() -> None:
    lexicon = Lexicon()
    lexicon.load(_DEMO.splitlines())
    seg = Segmenter(lexicon)
    # TODO: 支持从命令行读文件，目前只跑两个经典的歧义例子
    for sentence in ("研究生命的起源", "武汉市长江大桥，建成于1957年"):
        words = seg.cut(sentence)
        assert "".join(words) == sentence, "切分结果丢字了"
        print(" / ".join(words))


if __name__ == "__main__":
    main()
