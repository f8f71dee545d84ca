"""Segmentations besides the one that encoding gives: random ones and the n best."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._call import SpecialPolicy, check_count, check_seed, check_threads

__all__ = ["Sampling"]


class Sampling:
    """The methods of `Tokenizer` that give other segmentations than `encode`.

    A model that is trained on several segmentations of its texts learns what
    pieces are made of and minds noise less (subword regularisation).
    """

    __slots__ = ()

    _core: _pytok.Tokenizer

    def sample_ids(
        self,
        text: str,
        *,
        seed: int,
        alpha: float | None = None,
        dropout: float | None = None,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> list[int]:
        """Encode a text to the ids of a segmentation that is drawn at random.

        The result is a function of the tokenizer and the arguments, the same on
        every platform; pass another seed for another segmentation. Added tokens,
        normalizer and pre-tokenizer work as in `encode`: what is drawn is the
        segmentation inside each word (SentencePiece unigram: of the whole text).

        Unigram models (tokenizer.json, SentencePiece) draw a segmentation with a
        probability proportional to ``exp(alpha * score)``, its score being the
        sum of its pieces' scores (Kudo 2018), from all segmentations. Pieces with
        a score of -2**20 and less, which no text is meant to use, are left out;
        user-defined symbols of SentencePiece stay whole.

        BPE models skip each merge that is possible with probability `dropout`, in
        every step anew, until all are skipped at once (Provilkov et al. 2020). So
        a skipped merge has another chance as long as the word has other merges:
        long words are changed less than the probability says. Whole words are not
        looked up (``ignore_merges``, tiktoken). SentencePiece BPE models follow
        their library, where a merge that is skipped does not come again.

        Parameters
        ----------
        text
            The text.
        seed
            An integer from 0 to 2**64 - 1.
        alpha
            For Unigram models, from 0 to 1e6. With 0 all segmentations are as
            likely, most of them in very small pieces; a large value gives the
            best one. The default is 0.1, the value of SentencePiece's examples,
            or ``1.5 / c`` where that is less, with the cost ``c`` of the cheapest
            piece in nats: the scores of hybrid tokenizers hold a price per token
            (`TrainConfig.lam`), beside which 0.1 would change next to nothing.
        dropout
            For BPE models, from 0 to 1, by default 0.1, the value of the paper.
            0 gives the ids of `encode_ids`, 1 characters or bytes.
        special, add_special_tokens, bos, eos
            As in `encode`.

        Raises
        ------
        ConfigError
            When an option is out of range or is that of the other kind of model,
            and for models that cut a word in one way only: WordPiece, WordLevel,
            SentencePiece word and character models.
        EncodeError
            As in `encode`.

        References
        ----------
        Kudo 2018, "Subword regularization: improving neural network translation
        models with multiple subword candidates". Provilkov, Emelianenko and Voita
        2020, "BPE-dropout: simple and effective subword regularization".

        Examples
        --------
        >>> from pytok import Tokenizer
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> ids = tokenizer.sample_ids("我们学习", seed=1)
        >>> tokenizer.decode(ids)
        '我们学习'
        >>> ids == tokenizer.sample_ids("我们学习", seed=1)
        True

        """
        options = (special, add_special_tokens, bos, eos)
        return self._core.sample_ids(text, check_seed(seed), (alpha, dropout), options)

    def sample_batch_ids(
        self,
        texts: Iterable[str],
        *,
        seed: int,
        alpha: float | None = None,
        dropout: float | None = None,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        threads: int | None = None,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode many texts to segmentations that are drawn at random.

        A text's ids are those of `sample_ids` with the same seed, whatever stands
        around it and however many threads there are. A text that stands in the
        batch again is drawn anew: its ids depend on the seed, the text, and how
        often it stood before. For another epoch pass another seed.

        Parameters
        ----------
        texts
            The texts.
        seed, alpha, dropout
            As in `sample_ids`.
        special, add_special_tokens, bos, eos
            As in `encode`.
        threads
            As in `encode_batch`.

        Returns
        -------
        ids : numpy.ndarray of uint32, shape (n_tokens,)
            The ids of all texts, one after another.
        bounds : numpy.ndarray of int64, shape (n_texts + 1,)
            The ids of text ``i`` are ``ids[bounds[i]:bounds[i + 1]]``.

        Raises
        ------
        ConfigError, EncodeError
            As in `sample_ids`, for the first text that fails.

        Examples
        --------
        >>> from pytok import Tokenizer
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> ids, bounds = tokenizer.sample_batch_ids(["学而", "时习"], seed=1)
        >>> ids[bounds[1] :].tolist() == tokenizer.sample_ids("时习", seed=1)
        True

        """
        options = (special, add_special_tokens, bos, eos)
        sampling = (alpha, dropout)
        return self._core.sample_batch_ids(
            texts, check_seed(seed), sampling, options, check_threads(threads)
        )

    def nbest_ids(
        self,
        text: str,
        n: int,
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> list[tuple[list[int], float]]:
        """Encode a text to the ids of its n best segmentations, the best first.

        For Unigram models (tokenizer.json, SentencePiece). The search is exact;
        the scores are added in double precision.

        Parameters
        ----------
        text
            The text.
        n
            How many segmentations, from 1 to 1,024, and at most 2**24 over the
            bytes of the normalised text: 16 kB for 1,024 and 1 MB for 16.
        special, add_special_tokens, bos, eos
            As in `encode`.

        Returns
        -------
        list of (ids, score), length min(n, number of segmentations)
            The first has the ids of `encode_ids`, the others follow by their
            score: the sum of the scores of the model's pieces, in nats; added
            tokens count as 0. Any two differ in the ids of some word. Of equal
            scores the one with the better last word goes first, inside a
            word the one with the longer last piece; then what is before decides.

        Raises
        ------
        ConfigError
            When `n` is out of range, and for models that are not Unigram models.
        EncodeError
            As in `encode`.

        References
        ----------
        Kudo 2018, as in `sample_ids`, for the use of n-best segmentations.

        Examples
        --------
        >>> from pytok import TrainConfig, train
        >>> config = TrainConfig(vocab_size=260, tau=1, han_prefixes=False)
        >>> tokenizer = train(["学而时习之", "学而不思"], config).tokenizer
        >>> best = tokenizer.nbest_ids("学而", 3)
        >>> len(best), best[0][0] == tokenizer.encode_ids("学而")
        (3, True)

        """
        options = (special, add_special_tokens, bos, eos)
        return self._core.nbest_ids(text, check_count(n), options)
