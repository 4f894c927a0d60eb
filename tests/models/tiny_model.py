"""A language model of random weights, small enough for a test: Qwen3's architecture, 7 MB. Entry: `write_tiny_model`.

It says nothing about quality. It is there so that a real llama.cpp has something to load, to constrain and to stream.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

LAYERS, WIDTH, INNER, HEADS, KEY_HEADS, HEAD = 4, 256, 768, 4, 2, 64
MERGES = 120
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CORPUS = (
    "the invoice meeting is attached please review before friday urgent actionable informational low priority request "
    'receipts newsletters true false because {"mails":[{"n":1,"bucket":"urgent","reply":false,"sure":50}]} '
)
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

Word = tuple[str, ...]


def _letters() -> dict[int, str]:
    """A printable letter for each byte, as GPT-2's byte-level vocabulary has it (Radford et al., 2019)."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {byte: chr(byte) for byte in shown} | {byte: chr(256 + at) for at, byte in enumerate(hidden)}


def _joined(word: Word, first: str, second: str) -> Word:
    made: list[str] = []
    for piece in word:
        if made and made[-1] == first and piece == second:
            made[-1] = first + second
        else:
            made.append(piece)
    return tuple(made)


def _vocabulary() -> tuple[list[str], list[str]]:
    """Tokens and merges, by byte pair encoding (Sennrich et al., 2016)."""
    letters = _letters()
    words = Counter(tuple(letters[byte] for byte in f" {word}".encode()) for word in CORPUS.split())
    tokens, merges = list(letters.values()), list[str]()
    for _ in range(MERGES):
        pairs = Counter[tuple[str, str]]()
        for word, count in words.items():
            for pair in pairwise(word):
                pairs[pair] += count
        if not pairs:
            break
        first, second = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(f"{first} {second}")
        tokens.append(first + second)
        again = Counter[Word]()
        for word, count in words.items():
            again[_joined(word, first, second)] += count
        words = again
    return [*dict.fromkeys(tokens), *SPECIAL], merges


def write_tiny_model(path: Path, *, context: int = 8192) -> Path:
    """Write the model as a GGUF file."""
    gguf: Any = import_module("gguf")
    tokens, merges = _vocabulary()
    out: Any = gguf.GGUFWriter(str(path), "qwen3")
    out.add_name("tiny-random-qwen3")
    out.add_context_length(context)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(INNER)
    out.add_head_count(HEADS)
    out.add_head_count_kv(KEY_HEADS)
    out.add_key_length(HEAD)
    out.add_value_length(HEAD)
    out.add_rope_freq_base(1e6)
    out.add_layer_norm_rms_eps(1e-6)
    out.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    out.add_vocab_size(len(tokens))
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("qwen2")
    out.add_token_list(tokens)
    out.add_token_types([1] * (len(tokens) - len(SPECIAL)) + [3] * len(SPECIAL))
    out.add_token_merges(merges)
    end, _, turn = (len(tokens) - len(SPECIAL) + at for at in range(len(SPECIAL)))
    out.add_bos_token_id(end)
    out.add_pad_token_id(end)
    out.add_eos_token_id(turn)
    out.add_add_bos_token(False)
    out.add_chat_template(TEMPLATE)
    _add_weights(out, len(tokens))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return path


def _add_weights(out: Any, vocabulary: int) -> None:
    numpy: Any = import_module("numpy")
    random: Any = numpy.random.default_rng(0)

    def drawn(*shape: int, scale: float = 0.05) -> Any:
        return (random.standard_normal(shape) * scale).astype(numpy.float16)

    def ones(length: int) -> Any:
        return numpy.ones(length, numpy.float32)

    out.add_tensor("token_embd.weight", drawn(vocabulary, WIDTH, scale=0.5))
    out.add_tensor("output_norm.weight", ones(WIDTH))
    out.add_tensor("output.weight", drawn(vocabulary, WIDTH))
    for layer in range(LAYERS):
        for name, length in (("attn", WIDTH), ("ffn", WIDTH), ("attn_q", HEAD), ("attn_k", HEAD)):
            out.add_tensor(f"blk.{layer}.{name}_norm.weight", ones(length))
        for name, shape in {
            "attn_q": (HEADS * HEAD, WIDTH),
            "attn_k": (KEY_HEADS * HEAD, WIDTH),
            "attn_v": (KEY_HEADS * HEAD, WIDTH),
            "attn_output": (WIDTH, HEADS * HEAD),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
        }.items():
            out.add_tensor(f"blk.{layer}.{name}.weight", drawn(*shape))
