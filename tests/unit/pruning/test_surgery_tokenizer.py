"""A model whose tokenizer is pruned or extended with it."""

import json

import numpy as np
import pytest
from sample_files import bert_bytes, ranks_bytes, words_bytes
from tiny_model import WIDTH, config, forward, read_arrays, weights, write_checkpoint

import pytok
from pytok import VocabError
from pytok.pruning.surgery import extend_model, prune_model
from pytok.pruning.surgery.cut import OldPieces

TEXTS = ["螺蛳粉配螺蛳汤", "螺蛳粉好吃", "粉汤", "学而时习之", "学而不思则罔"] * 3


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.tiktoken"
    path.write_bytes(ranks_bytes())
    return pytok.Tokenizer.from_file(path, pattern=r"\p{Han}+|\P{Han}+")


@pytest.fixture
def extended(old):
    return pytok.extend(old, TEXTS, add=12, char_align=False).tokenizer


def made(folder, rows, **options):
    tensors = weights(rows=rows, **options)
    settings = config(rows=rows, tied=options.get("tied", False))
    write_checkpoint(folder, tensors, settings)
    return tensors


@pytest.mark.parametrize("rows", [259, 264, 320])
@pytest.mark.parametrize("tied", [False, True])
def test_new_rows_are_means_and_old_rows_stay(tmp_path, old, extended, rows, tied):
    before = made(tmp_path / "old", rows, bias=True, tied=tied)
    report = extend_model(tmp_path / "old", tmp_path / "new", old, extended)
    after = read_arrays(tmp_path / "new")
    assert (report.ids, report.rows_after) == (271, 320)
    added = range(259, 271)
    for name in (
        "model.embed_tokens.weight",
        "lm_head.bias",
        *([] if tied else ["lm_head.weight"]),
    ):
        assert after[name][:259].tobytes() == before[name][:259].tobytes()
        assert after[name][271:rows].tobytes() == before[name][271:].tobytes()
        for token_id in added:
            content = extended.token_bytes(token_id)
            ids = OldPieces(old).of(content)
            assert b"".join(map(old.token_bytes, ids)) == content
            want = before[name][ids].astype(np.float64).mean(axis=0).astype(np.float32)
            np.testing.assert_allclose(after[name][token_id], want, rtol=1e-6)
    # A text without new pieces has the same logits.
    ids = old.encode_ids("abc")
    assert extended.encode_ids("abc") == ids
    np.testing.assert_allclose(
        forward(after, ids)[:, :259], forward(before, ids)[:, :259], rtol=1e-5, atol=1e-5
    )
    loaded = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    assert loaded.encode_ids(TEXTS[0]) == extended.encode_ids(TEXTS[0])
    assert json.loads((tmp_path / "new" / "config.json").read_text())["vocab_size"] == 320


def test_new_pieces_are_cut_as_the_old_tokenizer_cuts(old):
    pieces = OldPieces(old)
    assert pieces.of("学".encode()).tolist() == [257]
    assert pieces.of(b"\xe5\xad").tolist() == [256]  # half a character
    assert pieces.of(b"ab\xe5\xad\xa6\xe5").tolist() == [258, 257, 0xE5]


def test_a_piece_that_cannot_be_cut_is_named(tmp_path):
    (tmp_path / "tokenizer.json").write_bytes(words_bytes({"<unk>": 0, "a": 1}))
    pieces = OldPieces(pytok.Tokenizer.from_file(tmp_path / "tokenizer.json"))
    with pytest.raises(VocabError, match="no pieces join to"):
        pieces.of("学".encode())


def test_an_extension_of_another_tokenizer_is_refused(tmp_path, old, extended):
    made(tmp_path / "old", 259)
    with pytest.raises(VocabError, match=r"new: id \d+ is not"):
        extend_model(tmp_path / "old", tmp_path / "new", extended, old)
    with pytest.raises(VocabError, match="no piece that the old tokenizer has not"):
        extend_model(tmp_path / "old", tmp_path / "new", old, old)
    made(tmp_path / "small", 250)
    with pytest.raises(VocabError, match="old: has the id 258, but the model has 250 rows"):
        extend_model(tmp_path / "small", tmp_path / "new", old, extended)
    assert not (tmp_path / "new").exists()


def test_the_pruned_tokenizer_is_saved_with_the_roles_of_the_old(tmp_path):
    made(tmp_path / "model", 97)
    (tmp_path / "bert.json").write_bytes(bert_bytes())
    bert = pytok.Tokenizer.from_file(tmp_path / "bert.json")
    special = bert.add_special_tokens(["<|gone|>", "<|end|>"])
    gone, end = (special.control_tokens[token] for token in ("<|gone|>", "<|end|>"))
    (tmp_path / "model" / "tokenizer_config.json").write_text(
        json.dumps(
            {
                "tokenizer_class": "OldTokenizer",
                "auto_map": {"AutoTokenizer": ["x", None]},
                "chat_template": "{{ messages }}",
                "eos_token": "<|end|>",
                "pad_token": {"content": "<|gone|>"},
                "unk_token": None,
                "additional_special_tokens": ["<|gone|>", "<|end|>"],
                "add_bos_token": False,
                "clean_up_tokenization_spaces": True,
                "added_tokens_decoder": {str(end): {"content": "<|end|>"}, str(gone): {}},
            }
        )
    )
    (tmp_path / "model" / "special_tokens_map.json").write_text('{"bos_token": "<|end|>"}')
    pruned = bert.add_special_tokens(["<|end|>"])
    # The ids of the configuration are rows that this tokenizer has not.
    kept = [*range(gone), end, 90]
    report = prune_model(tmp_path / "model", tmp_path / "new", kept, tokenizer=pruned)
    assert (report.ids, report.rows_after) == (len(kept), 64)
    saved = json.loads((tmp_path / "new" / "tokenizer_config.json").read_text())
    added = saved.pop("added_tokens_decoder")
    assert added[str(gone)]["content"] == "<|end|>"
    assert len(added) == 5
    assert saved == {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": True,
        "bos_token": "<|end|>",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        # The one of the model is gone, and this one is there.
        "pad_token": "[PAD]",
        "eos_token": "<|end|>",
        "unk_token": None,
        "chat_template": "{{ messages }}",
        "additional_special_tokens": ["<|end|>"],
        "add_bos_token": False,
    }
    loaded = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    assert loaded.control_tokens["<|end|>"] == gone
    assert read_arrays(tmp_path / "new")["lm_head.weight"].shape == (64, WIDTH)
    with pytest.raises(VocabError, match=f"tokenizer: has the id {gone}, but 4 ids are kept"):
        prune_model(tmp_path / "model", tmp_path / "fewer", [0, 1, 2, 90], tokenizer=pruned)
