"""Models of transformers after surgery, when torch is there: logits and text of the kept ids."""

import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from transformers import AutoModelForCausalLM, LogitsProcessorList  # noqa: E402

sys.path.append(str(Path(__file__).parents[1] / "unit" / "pruning"))
import tiny_model  # noqa: E402

import pytok  # noqa: E402
from pytok.hf import PruneLogitsProcessor  # noqa: E402
from pytok.pruning.surgery import prune_model  # noqa: E402

# Special tokens of zh-32k whose ids are 3 and 1.
EMBEDDED = {"eos_token_id": "<|im_end|>", "pad_token_id": "<|pad|>"}
ROWS = tiny_model.ROWS
KEPT = [0, 1, 2, 90, 3, 17, 33, 34, 35, 60, 61, 62, 80, 81, 95, 96, 5]
PROMPT = [1, 17, 34, 3]
PLACES = {old: new for new, old in enumerate(KEPT)}
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
SMALL = {"vocab_size": ROWS, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
LLAMA = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
CAUSAL = {
    "llama": ("Llama", LLAMA),
    "llama tied": ("Llama", {**LLAMA, "tie_word_embeddings": True}),
    "qwen3": ("Qwen3", {**LLAMA, "head_dim": 4, "tie_word_embeddings": True}),
    "mistral": ("Mistral", LLAMA),
    "phi, with a bias": ("Phi", {**LLAMA, "num_key_value_heads": 4}),
    "gpt2": ("GPT2", {"n_embd": 16, "n_layer": 2, "n_head": 4}),
    "gpt-neox": (
        "GPTNeoX",
        {**LLAMA, "num_key_value_heads": 4, "tie_word_embeddings": False},
    ),
    "bloom": ("Bloom", {"hidden_size": 16, "n_layer": 2, "n_head": 4}),
    "opt": (
        "OPT",
        {
            "hidden_size": 16,
            "ffn_dim": 24,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "word_embed_proj_dim": 16,
        },
    ),
    "mamba": ("Mamba", {"hidden_size": 16, "state_size": 4, "num_hidden_layers": 2}),
}


def made(name, folder, dtype, **saving):
    kind, settings = CAUSAL[name]
    config = getattr(transformers, f"{kind}Config")(**SMALL, **settings)
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).to(dtype)
    for parameter in model.parameters():  # biases and norms too are not what they begin with
        parameter.data += 0.1 * torch.randn_like(parameter)
    model.save_pretrained(folder, **saving)
    return model.eval()


def load(folder, dtype, kind=AutoModelForCausalLM):
    return kind.from_pretrained(folder, dtype=dtype).eval()


def close(got, want, dtype):
    scale = want.abs().max().item()
    torch.testing.assert_close(got, want, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * scale)


def moved(ids):
    return torch.tensor([[PLACES[token] for token in ids]])


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize("name", list(CAUSAL))
@torch.no_grad()
def test_logits_and_greedy_text_of_the_kept_ids_stay(tmp_path, name, dtype):
    made(name, tmp_path / "old", dtype)
    old = load(tmp_path / "old", dtype)
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    new = load(tmp_path / "new", dtype)
    assert new.config.vocab_size == new.get_input_embeddings().weight.shape[0] == 64
    assert (
        new.get_input_embeddings()
        .weight[: len(KEPT)]
        .equal(old.get_input_embeddings().weight[KEPT])
    )
    want = old(torch.tensor([PROMPT])).logits[..., KEPT]
    close(new(moved(PROMPT)).logits[..., : len(KEPT)], want, dtype)

    ids, text = list(PROMPT), list(PROMPT)
    for _ in range(10):
        logits = old(torch.tensor([ids])).logits[0, -1, KEPT]
        ids.append(KEPT[int(logits.argmax())])
        text.append(KEPT[int(new(moved(text)).logits[0, -1].argmax())])
    assert text == ids


@torch.no_grad()
def test_shards_in_half_precision(tmp_path):
    made("llama", tmp_path / "old", torch.bfloat16, max_shard_size="4KB")
    assert len(list((tmp_path / "old").glob("*.safetensors"))) > 2
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    old, new = (load(tmp_path / name, torch.bfloat16) for name in ("old", "new"))
    assert new.lm_head.weight.dtype == torch.bfloat16
    assert new.lm_head.weight[: len(KEPT)].equal(old.lm_head.weight[KEPT])
    mean = old.lm_head.weight[KEPT].double().mean(dim=0).to(torch.bfloat16)
    assert new.lm_head.weight[len(KEPT)].equal(mean)
    assert new.lm_head.weight[-1].equal(mean)


@torch.no_grad()
def test_a_masked_model(tmp_path):
    config = transformers.BertConfig(
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        **{**SMALL, "pad_token_id": 0},
    )
    model = transformers.BertForMaskedLM(config).eval()
    model.cls.predictions.bias.data += torch.randn(ROWS)
    model.save_pretrained(tmp_path / "old")
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    new = load(tmp_path / "new", torch.float32, transformers.BertForMaskedLM)
    want = model(torch.tensor([PROMPT])).logits[..., KEPT]
    close(new(moved(PROMPT)).logits[..., : len(KEPT)], want, torch.float32)


@torch.no_grad()
def test_an_encoder_and_a_decoder(tmp_path):
    config = transformers.T5Config(
        d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4, decoder_start_token_id=0, **SMALL
    )
    model = transformers.T5ForConditionalGeneration(config).eval()
    model.save_pretrained(tmp_path / "old")
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    new = load(tmp_path / "new", torch.float32, transformers.T5ForConditionalGeneration)
    want = model(torch.tensor([PROMPT]), decoder_input_ids=torch.tensor([PROMPT])).logits
    got = new(moved(PROMPT), decoder_input_ids=moved(PROMPT)).logits
    close(got[..., : len(KEPT)], want[..., KEPT], torch.float32)


@pytest.mark.parametrize("tied", [False, True])
@torch.no_grad()
def test_the_model_in_numpy_is_the_one_of_transformers(tmp_path, tied):
    tensors = tiny_model.weights("float64", tied=tied)
    tiny_model.write_checkpoint(tmp_path / "model", tensors, tiny_model.config(tied=tied))
    model = load(tmp_path / "model", torch.float64)
    got = model(torch.tensor([PROMPT])).logits[0].numpy()
    # transformers computes rotations in single precision.
    np.testing.assert_allclose(got, tiny_model.forward(tensors, PROMPT), rtol=1e-4, atol=1e-6)


@torch.no_grad()
def test_generating_with_pruned_logits(tmp_path):
    model = made("llama", tmp_path / "old", torch.float32)
    processor = PruneLogitsProcessor(top_k=4, protected=[2])
    assert isinstance(processor, transformers.LogitsProcessor)
    prompt = torch.tensor([PROMPT, PROMPT[::-1]])
    options = {"max_new_tokens": 8, "pad_token_id": 0, "attention_mask": torch.ones_like(prompt)}
    greedy = model.generate(prompt, do_sample=False, **options)
    pruned = model.generate(
        prompt, do_sample=False, logits_processor=LogitsProcessorList([processor]), **options
    )
    assert pruned.equal(greedy)
    assert processor.report is not None and processor.report.kept <= 4 + 1 + 2
    torch.manual_seed(0)
    kept = set()

    class Watch(transformers.LogitsProcessor):
        def __call__(self, input_ids, scores):
            kept.add(int(scores.isfinite().all(dim=0).sum()))
            return scores

    model.generate(
        prompt,
        do_sample=True,
        logits_processor=LogitsProcessorList([processor, Watch()]),
        **options,
    )
    assert max(kept) <= 7


@torch.no_grad()
def test_a_pruned_folder_is_loaded_whole_by_transformers(tmp_path):
    large = pytok.Tokenizer.from_pretrained("zh-32k")
    large.save(tmp_path / "old")
    ids = {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 1}
    config = transformers.LlamaConfig(**LLAMA, **ids, vocab_size=32_000)
    model = transformers.LlamaForCausalLM(config).eval()
    model.save_pretrained(tmp_path / "old")
    text = "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？"
    small = pytok.prune(large, [text] * 9, target_size=5_000)
    prune_model(tmp_path / "old", tmp_path / "new", small.id_map, tokenizer=small.tokenizer)

    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "new")
    new = load(tmp_path / "new", torch.float32)
    assert tokenizer(text).input_ids == small.tokenizer.encode_ids(text)
    batch = tokenizer([text], return_tensors="pt")
    want = model(torch.tensor([large.encode_ids(text)])).logits
    kept = sorted(small.id_map, key=small.id_map.get)
    close(new(**batch).logits[..., :5_000], want[..., kept], torch.float32)
    written = new.generate(**batch, max_new_tokens=5, do_sample=False)
    assert tokenizer.decode(written[0]) == small.tokenizer.decode(written[0].tolist())
    names = {name: small.tokenizer.control_tokens[token] for name, token in EMBEDDED.items()}
    assert {name: getattr(new.config, name) for name in names} == names
