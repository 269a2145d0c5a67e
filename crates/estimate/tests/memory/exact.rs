//! Caches and states to the byte. Each formula is in the test; the shapes are those of the published configurations.

use maat_base::Bytes;
use maat_estimate::Engine;
use maat_model::CacheKind;

use crate::build::*;

const ENGINES: [Engine; 5] =
    [Engine::Vllm, Engine::Sglang, Engine::Trtllm, Engine::Llamacpp, Engine::Transformers];
const LONG: u64 = 131072;

/// DeepSeek-V3: 61 layers x (latent 512 + rotary 64) x 2 B, once on every rank.
#[test]
fn latent_attention() {
    let deepseek = || model(&[(61, cache(CacheKind::Mla, 1, 576, 0, None))]);
    for engine in ENGINES {
        let memory = sequence(deepseek(), engine, LONG);
        assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(70272)));
        assert_eq!(memory.kv_cache_bytes_per_sequence, Some(Bytes(9210691584)));
    }
    let mut split = case();
    on(&mut split, h100(), 8);
    split.model = deepseek();
    split.plan.parallel.tp = 8;
    split.work.context = LONG;
    assert_eq!(memory_of(&split).per_accelerator.kv_cache_bytes, Bytes(9210691584));
}

/// Gemma-3-27B: 10 global x 8192 B x 131072 + 52 local x 8192 B x 1024, all with 16 heads of 128.
#[test]
fn windows_are_capped() {
    let gemma = || model(&[(52, window(16, 128, 1024)), (10, full(16, 128))]);
    for engine in ENGINES {
        let memory = sequence(gemma(), engine, LONG);
        assert_eq!(memory.kv_cache_bytes_per_sequence, Some(Bytes(11173625856)), "{engine}");
        // Beyond the window only the global layers grow.
        assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(10 * 8192)), "{engine}");
    }
    assert_eq!(sequence(gemma(), Engine::Vllm, 1000).kv_cache_bytes_per_token, Some(Bytes(62 * 8192)));
}

/// Before its hybrid allocator vLLM kept every layer's full length: 62 x 8192 B x 131072.
#[test]
fn unified_pages_keep_the_full_length() {
    let mut old = case();
    old.plan.serve.version = Some("0.9.2".to_owned());
    old.work.context = LONG;
    old.model = model(&[(52, window(16, 128, 1024)), (10, full(16, 128))]);
    assert_eq!(anywhere(&old).kv_cache_bytes_per_sequence, Some(Bytes(66571993088)));
    // gpt-oss-120b: 36 layers of 8 heads of 64.
    old.model = model(&[(18, window(8, 64, 128)), (18, full(8, 64))]);
    assert_eq!(anywhere(&old).kv_cache_bytes_per_sequence, Some(Bytes(9663676416)));
    old.plan.serve.version = None;
    assert_eq!(anywhere(&old).kv_cache_bytes_per_sequence, Some(Bytes(4836556800)));
}

/// Gemma-4-26B-A4B: 25 x 2 x 8 x 256 x 2 x 1024 + 5 x 2 x 2 x 512 x 2 x 131072.
#[test]
fn layers_of_two_geometries() {
    let gemma = model(&[(25, window(8, 256, 1024)), (5, full(2, 512))]);
    assert_eq!(sequence(gemma, Engine::Vllm, LONG).kv_cache_bytes_per_sequence, Some(Bytes(2894069760)));
}

/// Qwen3.5-27B: 16 layers of 4 heads of 256; 48 gated-delta layers of 48 x 128 x 128 FP32 and 10240 x 3 of the
/// convolution, in BF16, but FP32 in llama.cpp (whose log says 149.625 MiB a cell).
#[test]
fn gated_delta_states() {
    let qwen = || model(&[(48, state(CacheKind::Linear, 48, 48 * 128 * 128, 10240 * 3)), (16, full(4, 256))]);
    for (engine, bytes) in
        [(Engine::Vllm, 153944064), (Engine::Transformers, 153944064), (Engine::Llamacpp, 156893184)]
    {
        let memory = sequence(qwen(), engine, LONG);
        assert_eq!(memory.kv_cache_bytes_per_sequence, Some(Bytes(8589934592)), "{engine}");
        assert_eq!(memory.state_bytes_per_sequence, Some(Bytes(bytes)), "{engine}");
    }
}

/// Nemotron-H-56B: 10 layers of 8 heads of 128, 54 Mamba-2 layers of 256 x 64 x 256 and (16384 + 4096) x 3; the state
/// is in the model's type unless the configuration or the engine says FP32.
#[test]
fn state_space_states() {
    let mut mixer = state(CacheKind::Ssm, 256, 256 * 64 * 256, (16384 + 4096) * 3);
    let nemotron =
        |mixer: &maat_model::Mixer| model(&[(54, mixer.clone()), (10, full(8, 128)), (54, full(0, 0))]);
    let memory = sequence(nemotron(&mixer), Engine::Vllm, 8192);
    assert_eq!(memory.kv_cache_bytes_per_sequence, Some(Bytes(335544320)));
    assert_eq!(memory.state_bytes_per_sequence, Some(Bytes(459620352)));
    if let Some(state) = &mut mixer.state {
        state.encoding = Some(plain("fp32", 32));
    }
    let memory = sequence(nemotron(&mixer), Engine::Vllm, 8192);
    assert_eq!(memory.state_bytes_per_sequence, Some(Bytes(912605184)));
}

/// Llama-3.1-70B over 16 ranks: 8 heads are copied, so a rank holds 128 x 2 x 2 B x 80 layers a token.
#[test]
fn heads_are_copied_beyond_their_number() {
    let mut wide = case();
    on(&mut wide, h100(), 16);
    wide.model = model(&[(80, full(8, 128))]);
    wide.plan.parallel.tp = 16;
    wide.work.context = 4096;
    assert_eq!(memory_of(&wide).per_accelerator.kv_cache_bytes, Bytes(40960 * 4096));
    wide.plan.parallel.tp = 4;
    assert_eq!(memory_of(&wide).per_accelerator.kv_cache_bytes, Bytes(2 * 40960 * 4096));
}

/// Qwen3-0.6B: 28 layers x 2 x 8 heads x 128 x 2 B; the head's width is not hidden / heads.
#[test]
fn head_width_is_its_own() {
    let memory = sequence(model(&[(28, full(8, 128))]), Engine::Transformers, 40960);
    assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(114688)));
}

/// Llama-3.1-70B at 128,000 tokens: 80 x 8 x 128 x 2 x 2 B x 128,000 = 39.06 GiB; the 405B of 126 layers: 61.5 GiB.
#[test]
fn long_contexts_of_llama() {
    let bytes =
        |layers| sequence(model(&[(layers, full(8, 128))]), Engine::Vllm, 128000).kv_cache_bytes_per_sequence;
    assert_eq!(bytes(80).map(|bytes| (bytes.as_gib() * 100.0).round()), Some(3906.0));
    assert_eq!(bytes(126).map(|bytes| (bytes.as_gib() * 10.0).round()), Some(615.0));
}

/// GGML: q8_0 stores 32 elements in 34 bytes, q4_0 in 18.
#[test]
fn packed_caches() {
    let mut packed = case();
    packed.model = model(&[(28, full(8, 128))]);
    packed.plan.serve.engine = Engine::Llamacpp;
    packed.plan.serve.kv_precision = kv(&blocks("q8_0", 32, 272), &blocks("q4_0", 32, 144));
    let token = 28 * (8 * 128 / 32) * (34 + 18);
    assert_eq!(anywhere(&packed).kv_cache_bytes_per_token, Some(Bytes(token)));
}

/// vLLM keeps whole blocks of 16 tokens.
#[test]
fn blocks_are_whole() {
    let memory = sequence(model(&[(1, full(1, 1))]), Engine::Vllm, 17);
    assert_eq!(memory.kv_cache_bytes_per_sequence, Some(Bytes(32 * 4)));
}

/// What is not known is not 0.
#[test]
fn unknown_mixers_have_no_cache_figures() {
    let mut headers = case();
    headers.model.caches_known = false;
    let memory = memory_of(&headers);
    assert_eq!(memory.kv_cache_bytes_per_token, None);
    assert_eq!(memory.kv_cache_bytes_per_sequence, None);
    assert_eq!(memory.state_bytes_per_sequence, None);
    assert_eq!(memory.kv_pool_tokens, None);
}

/// An indexer of 128 wide keeps 128 bytes of FP8 and a scale of 4 for each token and layer in vLLM, SGLang and
/// TensorRT-LLM whatever the cache's precision, and the cache's own type elsewhere.
#[test]
fn an_indexer_keeps_fp8_and_a_scale() {
    let scales = vec![maat_model::Scale { rows: 1, cols: 128, bits: 32 }];
    let packed = maat_model::Encoding { scales, ..maat_model::Encoding::plain("fp8", 8) };
    let mut mixer = cache(CacheKind::Mla, 1, 576, 0, None);
    let index = maat_model::Cache { key: 128, encoding: Some(packed.into()), ..mixer.caches[0].clone() };
    mixer.caches.push(index);
    let model = model(&[(61, mixer)]);
    for engine in [Engine::Vllm, Engine::Sglang, Engine::Trtllm] {
        let memory = sequence(model.clone(), engine, 1024);
        assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(61 * (1152 + 132))), "{engine}");
    }
    let memory = sequence(model, Engine::Llamacpp, 1024);
    assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(61 * (1152 + 256))));
}

/// Cells in FP8 leave the convolution's window and the recurrent state in the model's type.
#[test]
fn a_cache_in_fp8_leaves_states_alone() {
    let mut case = case();
    case.model = model(&[(4, state(CacheKind::Ssm, 8, 4096, 300))]);
    let whole = anywhere(&case).state_bytes_per_sequence;
    assert_eq!(whole, Some(Bytes(4 * (2 * 4096 + 2 * 300))));
    let fp8 = plain("fp8", 8);
    case.plan.serve.kv_precision = kv(&fp8, &fp8);
    case.model.kv_default = Some(fp8);
    assert_eq!(anywhere(&case).state_bytes_per_sequence, whole);
}
