"""Runs llama.cpp on a Llama of random weights and prints what it does beside what `maat size --here` says.

  pip install xllamacpp gguf numpy
  maat bench && python docs/measure/cpu_truth.py target/release/maat

The weights are random, so the text is noise; the time does not depend on it. Each row is the best of three runs.
"""

import json, os, subprocess, sys, tempfile, time

import gguf
import numpy as np
import xllamacpp as xl

SHAPES = {  # layers, hidden, heads, kv heads, feed-forward
    "0.1B": (12, 768, 12, 4, 2048),
    "0.5B": (20, 1280, 20, 4, 3584),
    "1.1B": (22, 2048, 32, 4, 5632),
}
VOCABULARY, PROMPT, ANSWER = 8192, 256, 64
TYPES = {"Q8_0": gguf.GGMLQuantizationType.Q8_0, "Q4_0": gguf.GGMLQuantizationType.Q4_0}


def tensors(layers, hidden, heads, kv, ff):
    narrow = hidden // heads * kv
    yield "token_embd.weight", (VOCABULARY, hidden)
    yield "output.weight", (VOCABULARY, hidden)
    yield "output_norm.weight", (hidden,)
    for i in range(layers):
        for name, shape in {
            "attn_norm": (hidden,), "ffn_norm": (hidden,), "attn_q": (hidden, hidden), "attn_k": (narrow, hidden),
            "attn_v": (narrow, hidden), "attn_output": (hidden, hidden), "ffn_gate": (ff, hidden), "ffn_up": (ff, hidden),
            "ffn_down": (hidden, ff),
        }.items():
            yield f"blk.{i}.{name}.weight", shape


def write(path, shape, kind):
    layers, hidden, heads, kv, ff = shape
    out = gguf.GGUFWriter(path, "llama")
    out.add_name("random"); out.add_block_count(layers); out.add_context_length(2048); out.add_embedding_length(hidden)
    out.add_feed_forward_length(ff); out.add_head_count(heads); out.add_head_count_kv(kv)
    out.add_layer_norm_rms_eps(1e-5); out.add_rope_dimension_count(hidden // heads); out.add_vocab_size(VOCABULARY)
    out.add_tokenizer_model("llama")
    words = [b"<unk>", b"<s>", b"</s>"] + [f"<0x{i:02X}>".encode() for i in range(256)]
    kinds = [2, 3, 3] + [6] * 256
    words += [f"w{i}".encode() for i in range(VOCABULARY - len(words))]
    out.add_token_list(words); out.add_token_scores([0.0] * VOCABULARY)
    out.add_token_types(kinds + [1] * (VOCABULARY - len(kinds)))
    rng = np.random.default_rng(7)
    for name, size in tensors(*shape):
        data = rng.standard_normal(size, dtype=np.float32) * 0.02
        if len(size) == 1:
            out.add_tensor(name, np.ones(size, np.float32))
        else:
            out.add_tensor(name, gguf.quants.quantize(data, TYPES[kind]), raw_dtype=TYPES[kind])
    out.write_header_to_file(); out.write_kv_data_to_file(); out.write_tensors_to_file(); out.close()


def run(path, threads):
    params = xl.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup = path, 1024, 1, True
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    server = xl.Server(params)
    best = (0.0, 0.0)
    for i in range(3):
        prompt = [3 + (j * 37 + i * 101) % 256 for j in range(PROMPT)]
        answer = server.handle_completions(
            {"prompt": prompt, "n_predict": ANSWER, "ignore_eos": True, "cache_prompt": False, "temperature": 1.0})
        timings = answer["timings"]
        best = (max(best[0], timings["prompt_per_second"]), max(best[1], timings["predicted_per_second"]))
    return best


def predicted(maat, path, threads):
    words = [maat, "size", path, "--here", "--threads", str(threads), "--input", str(PROMPT), "--output", str(ANSWER), "--json"]
    speed = json.loads(subprocess.run(words, capture_output=True, text=True).stdout)["speed"]
    return [speed[name] for name in ("prefill_tokens_per_s", "decode_tokens_per_s")]


def steal():
    ticks = [int(word) for word in open("/proc/stat").readline().split()[1:9]]
    return ticks[7], sum(ticks)


def main():
    maat = sys.argv[1]
    most = len(os.sched_getaffinity(0))
    print("model,type,threads,what,measured,predicted_low,predicted,predicted_high,inside,load,steal")
    for name, shape in SHAPES.items():
        for kind in TYPES:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, f"{name}.gguf")
                write(path, shape, kind)
                for threads in sorted({1, most}):
                    before = steal()
                    rates = run(path, threads)
                    after = steal()
                    stolen = (after[0] - before[0]) / max(1, after[1] - before[1])
                    for what, rate, range_ in zip(("prefill", "decode"), rates, predicted(maat, path, threads)):
                        inside = range_["low"] <= rate <= range_["high"]
                        print(f"{name},{kind},{threads},{what},{rate:.1f},{range_['low']:.1f},{range_['likely']:.1f},"
                              f"{range_['high']:.1f},{'yes' if inside else 'no'},{os.getloadavg()[0]:.1f},{stolen:.3f}",
                              flush=True)


if __name__ == "__main__":
    main()
