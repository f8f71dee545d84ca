"""A small causal model: its checkpoint as transformers writes it, and its forward pass in NumPy.

The architecture is Llama's: root mean square norms, rotary positions, grouped
attention, gated layers. With `bias` the output layer has one, as Phi's has;
transformers' Llama would ignore it.
"""

import json

import numpy as np
import safetensors
from safetensors.numpy import save_file

ROWS, WIDTH, LAYERS, HEADS, GROUPS, INNER = 97, 16, 2, 4, 2, 24
HEAD = WIDTH // HEADS
THETA, EPSILON = 10_000.0, 1e-6
NAMES = {"float16": "F16", "float32": "F32", "float64": "F64"}


def weights(dtype="float32", *, tied=False, bias=False, rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)

    def matrix(*shape):
        return (rng.normal(size=shape) / np.sqrt(shape[-1])).astype(dtype)

    tensors = {"model.embed_tokens.weight": matrix(rows, WIDTH)}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        for name, out, into in (
            ("self_attn.q_proj", WIDTH, WIDTH),
            ("self_attn.k_proj", GROUPS * HEAD, WIDTH),
            ("self_attn.v_proj", GROUPS * HEAD, WIDTH),
            ("self_attn.o_proj", WIDTH, WIDTH),
            ("mlp.gate_proj", INNER, WIDTH),
            ("mlp.up_proj", INNER, WIDTH),
            ("mlp.down_proj", WIDTH, INNER),
        ):
            tensors[f"{at}{name}.weight"] = matrix(out, into)
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{at}{name}.weight"] = (1 + matrix(WIDTH)).astype(dtype)
    tensors["model.norm.weight"] = (1 + matrix(WIDTH)).astype(dtype)
    if not tied:
        tensors["lm_head.weight"] = matrix(rows, WIDTH)
    if bias:
        tensors["lm_head.bias"] = matrix(rows)
    return tensors


def config(*, tied=False, rows=ROWS, **more):
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": rows,
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": GROUPS,
        "intermediate_size": INNER,
        "max_position_embeddings": 128,
        "rope_theta": THETA,
        "rms_norm_eps": EPSILON,
        "tie_word_embeddings": tied,
        "bos_token_id": 1,
        "eos_token_id": [2, 90],
        "pad_token_id": None,
        **more,
    }


def write_tensors(path, tensors):
    save_file(tensors, path, {"format": "pt"})


def write_raw(path, name, dtype, shape, data, metadata):
    """Write one tensor of a type that NumPy does not know."""
    header = {"__metadata__": metadata}
    header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}
    content = json.dumps(header).encode()
    path.write_bytes(len(content).to_bytes(8, "little") + content + data)


def write_checkpoint(folder, tensors, settings, *, shards=1):
    """Write a model folder; tensors are dealt out to the shards in turn."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(settings))
    (folder / "generation_config.json").write_text(
        json.dumps({"bos_token_id": 1, "eos_token_id": [2, 90], "suppress_tokens": [3, 5]})
    )
    if shards == 1:
        write_tensors(folder / "model.safetensors", tensors)
        return folder
    names = list(tensors)
    places = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        mine = names[shard::shards]
        write_tensors(folder / file, {name: tensors[name] for name in mine})
        places |= dict.fromkeys(mine, file)
    size = sum(array.nbytes for array in tensors.values())
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": size}, "weight_map": places})
    )
    return folder


def read_raw(folder):
    """Every tensor by the reference library: type, shape and bytes."""
    found = {}
    for path in sorted(folder.glob("*.safetensors")):
        for name, value in safetensors.deserialize(path.read_bytes()):
            found[name] = (value["dtype"], tuple(value["shape"]), bytes(value["data"]))
    return found


def read_arrays(folder):
    dtypes = {short: name for name, short in NAMES.items()}
    return {
        name: np.frombuffer(data, dtype=dtypes[dtype]).reshape(shape)
        for name, (dtype, shape, data) in read_raw(folder).items()
    }


def forward(tensors, ids):
    """Logits of every position, shape (positions, rows), in the precision of the tensors."""
    dtype = tensors["model.embed_tokens.weight"].dtype
    hidden = tensors["model.embed_tokens.weight"][np.asarray(ids)]
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        normed = norm(hidden, tensors[f"{at}input_layernorm.weight"])
        hidden = hidden + attention(tensors, f"{at}self_attn.", normed)
        normed = norm(hidden, tensors[f"{at}post_attention_layernorm.weight"])
        gate = normed @ tensors[f"{at}mlp.gate_proj.weight"].T
        inner = gate / (1 + np.exp(-gate)) * (normed @ tensors[f"{at}mlp.up_proj.weight"].T)
        hidden = hidden + inner @ tensors[f"{at}mlp.down_proj.weight"].T
    hidden = norm(hidden, tensors["model.norm.weight"])
    head = tensors.get("lm_head.weight", tensors["model.embed_tokens.weight"])
    logits = hidden @ head.T + tensors.get("lm_head.bias", 0)
    assert logits.dtype == dtype
    return logits


def norm(hidden, weight):
    scale = np.sqrt((hidden**2).mean(-1, keepdims=True) + hidden.dtype.type(EPSILON))
    return hidden / scale * weight


def attention(tensors, at, hidden):
    length = len(hidden)
    q, k, v = (
        (hidden @ tensors[f"{at}{name}_proj.weight"].T).reshape(length, -1, HEAD)
        for name in ("q", "k", "v")
    )
    q, k = rotated(q), rotated(k)
    k, v = (np.repeat(part, HEADS // GROUPS, axis=1) for part in (k, v))
    scores = np.einsum("ihd,jhd->hij", q, k) / hidden.dtype.type(np.sqrt(HEAD))
    scores = np.where(np.tri(length, dtype=bool), scores, hidden.dtype.type(-np.inf))
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = np.einsum("hij,jhd->ihd", powers / powers.sum(-1, keepdims=True), v)
    return mixed.reshape(length, -1) @ tensors[f"{at}o_proj.weight"].T


def rotated(part):
    speeds = THETA ** (-np.arange(0, HEAD, 2) / HEAD)
    angles = np.outer(np.arange(len(part)), speeds)
    angles = np.concatenate([angles, angles], axis=-1)[:, None, :]
    half = HEAD // 2
    turned = np.concatenate([-part[..., half:], part[..., :half]], axis=-1)
    return (part * np.cos(angles) + turned * np.sin(angles)).astype(part.dtype)


def greedy(tensors, ids, steps, allowed=None):
    """Continue with the best of the allowed ids (default: all), `steps` times."""
    ids = list(ids)
    for _ in range(steps):
        logits = forward(tensors, ids)[-1]
        if allowed is not None:
            masked = np.full_like(logits, -np.inf)
            masked[allowed] = logits[allowed]
            logits = masked
        ids.append(int(logits.argmax()))
    return ids
