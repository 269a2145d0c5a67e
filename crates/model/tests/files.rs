//! Model files, and what strangers may give in their place.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not as it must be")]

use std::fs;
use std::path::{Path, PathBuf};

use maat_model::{CacheKind, Options, Part, open};

/// A folder of a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("maat-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn code(path: &Path) -> &'static str {
    open(text(path), &Options::default()).unwrap_err().code
}

/// A safetensors file with these tensors in bf16, their bytes left as a hole.
fn safetensors(tensors: &[(&str, &[u64])]) -> Vec<u8> {
    let mut at = 0;
    let entries = tensors.iter().map(|(name, shape)| {
        let bytes = 2 * shape.iter().product::<u64>();
        at += bytes;
        format!(
            "\"{name}\":{{\"dtype\":\"BF16\",\"shape\":{shape:?},\"data_offsets\":[{},{at}]}}",
            at - bytes
        )
    });
    let header =
        format!("{{\"__metadata__\":{{\"format\":\"pt\"}},{}}}", entries.collect::<Vec<_>>().join(","));
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.resize(file.len() + at as usize, 0);
    file
}

const TINY: &str = r#"{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "dtype": "bfloat16", "hidden_size": 8,
    "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1,
    "vocab_size": 10, "tie_word_embeddings": true}"#;

/// The tensors of that model, the head stored beside the embedding that it shares.
const TENSORS: [(&str, &[u64]); 12] = [
    ("model.embed_tokens.weight", &[10, 8]),
    ("lm_head.weight", &[10, 8]),
    ("model.norm.weight", &[8]),
    ("model.layers.0.input_layernorm.weight", &[8]),
    ("model.layers.0.post_attention_layernorm.weight", &[8]),
    ("model.layers.0.self_attn.q_proj.weight", &[8, 8]),
    ("model.layers.0.self_attn.k_proj.weight", &[4, 8]),
    ("model.layers.0.self_attn.v_proj.weight", &[4, 8]),
    ("model.layers.0.self_attn.o_proj.weight", &[8, 8]),
    ("model.layers.0.mlp.gate_proj.weight", &[16, 8]),
    ("model.layers.0.mlp.up_proj.weight", &[16, 8]),
    ("model.layers.0.mlp.down_proj.weight", &[8, 16]),
];

/// 80 + 8 + 16 + 192 + 384.
const PARAMS: u64 = 680;

#[test]
fn a_head_that_is_stored_twice_counts_once() {
    let folder = Folder::new("tied");
    folder.write("config.json", TINY);
    folder.write("model.safetensors", safetensors(&TENSORS));
    let model = open(text(&folder.0), &Options::default()).unwrap();
    assert_eq!((model.params_total(), model.weights_bytes().0), (PARAMS, 2 * PARAMS));
}

#[test]
fn shards_are_added_up_and_a_tensor_in_two_counts_once() {
    let folder = Folder::new("shards");
    folder.write("config.json", TINY);
    folder.write("a.safetensors", safetensors(&TENSORS[2..8]));
    folder.write("b.safetensors", safetensors(&[&TENSORS[..1], &TENSORS[7..]].concat()));
    let index =
        r#"{"metadata": {"total_size": 9}, "weight_map": {"x": "a.safetensors", "y": "b.safetensors"}}"#;
    folder.write("model.safetensors.index.json", index);
    let model = open(text(&folder.0), &Options::default()).unwrap();
    assert_eq!(model.weights_bytes().0, 2 * PARAMS);
    fs::remove_file(folder.0.join("a.safetensors")).unwrap();
    // Some are not here: what the index states counts.
    assert_eq!(open(text(&folder.0), &Options::default()).unwrap().weights_bytes().0, 9);
}

#[test]
fn headers_alone_tell_weights_and_no_caches() {
    let folder = Folder::new("headers");
    let file = folder.write("model.safetensors", safetensors(&TENSORS));
    folder.write("config.json", r#"{"model_type": "new", "architectures": ["NewForCausalLM"]}"#);
    for path in [file, folder.0.clone()] {
        let model = open(text(&path), &Options::default()).unwrap();
        assert_eq!(model.params_total(), PARAMS + 80);
        assert_eq!(model.params_by_part()[&Part::Mlp], 384);
        assert!(!model.caches_known && model.summary().kv_kinds.is_none());
    }
}

/// Writes GGUF headers.
struct Gguf {
    bytes: Vec<u8>,
    tensors: u64,
    entries: u64,
}

impl Gguf {
    fn new() -> Self {
        Self { bytes: Vec::new(), tensors: 0, entries: 0 }
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    fn entry(mut self, key: &str, kind: u32, value: &[u8]) -> Self {
        self.text(key);
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend(value);
        self.entries += 1;
        self
    }

    fn int(self, key: &str, value: u32) -> Self {
        self.entry(key, 4, &value.to_le_bytes())
    }

    fn word(self, key: &str, value: &str) -> Self {
        let mut bytes = (value.len() as u64).to_le_bytes().to_vec();
        bytes.extend(value.as_bytes());
        self.entry(key, 8, &bytes)
    }

    fn tensor(mut self, name: &str, sides: &[u64], kind: u32) -> Self {
        self.text(name);
        self.bytes.extend((sides.len() as u32).to_le_bytes());
        for side in sides {
            self.bytes.extend(side.to_le_bytes());
        }
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend(0_u64.to_le_bytes());
        self.tensors += 1;
        self
    }

    fn done(self) -> Vec<u8> {
        let mut file = b"GGUF".to_vec();
        file.extend(3_u32.to_le_bytes());
        file.extend(self.tensors.to_le_bytes());
        file.extend(self.entries.to_le_bytes());
        file.extend(self.bytes);
        file
    }
}

fn gemma() -> Gguf {
    Gguf::new()
        .word("general.architecture", "gemma3")
        .int("general.file_type", 15)
        .int("gemma3.block_count", 6)
        .int("gemma3.embedding_length", 256)
        .int("gemma3.context_length", 32768)
        .int("gemma3.attention.head_count", 4)
        .int("gemma3.attention.head_count_kv", 1)
        .int("gemma3.attention.key_length", 256)
        .int("gemma3.attention.value_length", 256)
        .int("gemma3.attention.sliding_window", 512)
}

#[test]
fn a_gguf_file_tells_weights_and_caches() {
    let folder = Folder::new("gguf");
    let mut file =
        gemma().tensor("token_embd.weight", &[256, 100], 14).tensor("output_norm.weight", &[256], 0);
    for layer in 0..6 {
        file = file.tensor(&format!("blk.{layer}.attn_q.weight"), &[256, 1024], 12);
    }
    let path = folder.write("model.gguf", file.done());
    for path in [&path, &folder.0] {
        let model = open(text(path), &Options::default()).unwrap();
        assert_eq!(model.params_total(), 25_600 + 256 + 6 * 262_144);
        // q6_K: 210 bytes for 256; q4_K: 144.
        assert_eq!(model.weights_bytes().0, 100 * 210 + 1024 + 6 * 1024 * 144);
        let summary = model.summary();
        assert_eq!((summary.precision.as_str(), summary.vocabulary), ("q4_K_M", Some(100)));
        assert_eq!(summary.context_max, Some(32768));
        let kinds: Vec<_> = summary.kv_kinds.unwrap().iter().map(|kind| (kind.kind, kind.layers)).collect();
        assert_eq!(kinds, [(CacheKind::Window, 5), (CacheKind::Full, 1)]);
    }
}

/// A file of one architecture: `block_count` layers of 4 heads of 64 with 2 KV heads, each with a matrix for keys.
fn layered(architecture: &str, layers: u32, more: &[(&str, u32)], tensors: &[&str]) -> Gguf {
    let key = |name: &str| format!("{architecture}.{name}");
    let mut file = Gguf::new()
        .word("general.architecture", architecture)
        .int(&key("block_count"), layers)
        .int(&key("embedding_length"), 256)
        .int(&key("attention.head_count"), 4)
        .int(&key("attention.head_count_kv"), 2)
        .int(&key("attention.key_length"), 64)
        .int(&key("attention.value_length"), 64);
    for (name, value) in more {
        file = file.int(&key(name), *value);
    }
    for layer in 0..layers {
        for tensor in tensors {
            file = file.tensor(&format!("blk.{layer}.{tensor}"), &[256, 128], 1);
        }
    }
    file
}

/// What a file's layers keep: kind, layers, bytes a token (in f16), bytes of state.
fn kept(folder: &Folder, file: Gguf) -> Vec<(CacheKind, u64, f64, u64)> {
    let model = open(text(&folder.write("x.gguf", file.done())), &Options::default()).unwrap();
    let kinds = model.summary().kv_kinds.unwrap().into_iter();
    kinds
        .map(|kind| {
            let state = kind.state_bytes.map_or(0, |bytes| bytes.0);
            (kind.kind, kind.layers, kind.bytes_per_token.unwrap_or(0.0), state)
        })
        .collect()
}

/// Of a token a layer keeps 2 x (64 + 64) values of 2 bytes.
#[test]
fn gguf_caches_are_those_of_llama_cpp() {
    let folder = Folder::new("kinds");
    let keys = ["attn_k.weight"];
    let window = [("attention.sliding_window", 512)];
    // An architecture whose window llama.cpp does not read keeps all tokens.
    assert_eq!(kept(&folder, layered("llama", 4, &window, &keys)), [(CacheKind::Full, 4, 4.0 * 512.0, 0)]);
    let gemma2 = kept(&folder, layered("gemma2", 4, &window, &keys));
    assert_eq!(gemma2, [(CacheKind::Window, 2, 1024.0, 0), (CacheKind::Full, 2, 1024.0, 0)]);
    // The last layers read the caches of earlier ones; those with a window have heads of 32.
    let more = [
        ("attention.sliding_window", 512),
        ("attention.shared_kv_layers", 6),
        ("attention.key_length_swa", 32),
        ("attention.value_length_swa", 32),
    ];
    let gemma4 = kept(&folder, layered("gemma4", 12, &more, &keys));
    assert_eq!(gemma4, [(CacheKind::Window, 5, 5.0 * 256.0, 0), (CacheKind::Full, 1, 512.0, 0)]);
    // Attention and a state space beside each other: 512 x 16 in FP32, and 3 columns of 512 + 2 x 16.
    let more =
        [("ssm.inner_size", 512), ("ssm.state_size", 16), ("ssm.conv_kernel", 4), ("ssm.group_count", 1)];
    let hybrid = kept(&folder, layered("falcon-h1", 2, &more, &["attn_k.weight", "ssm_in.weight"]));
    assert_eq!(hybrid.len(), 2);
    assert!(hybrid.contains(&(CacheKind::Full, 2, 1024.0, 0)));
    assert!(
        hybrid.iter().any(|(kind, layers, _, state)| *kind != CacheKind::Full && *layers == 2 && *state > 0)
    );
}

#[test]
fn a_split_gguf_is_read_whole() {
    let folder = Folder::new("split");
    let part = |index| {
        gemma().int("split.count", 2).tensor(&format!("blk.{index}.attn_q.weight"), &[256, 1024], 0).done()
    };
    let first = folder.write("m-00001-of-00002.gguf", part(0));
    assert_eq!(code(&first), "file-missing");
    folder.write("m-00002-of-00002.gguf", part(1));
    assert_eq!(open(text(&first), &Options::default()).unwrap().params_total(), 2 * 262_144);
}

#[test]
fn hostile_files_are_refused_with_their_place() {
    let folder = Folder::new("hostile");
    let file = |name: &str, bytes: &[u8]| code(&folder.write(name, bytes));
    assert_eq!(file("a.safetensors", &u64::MAX.to_le_bytes()), "safetensors-header");
    assert_eq!(file("b.safetensors", &[8, 0, 0]), "file-truncated");
    assert_eq!(file("c.safetensors", &[&100_u64.to_le_bytes()[..], b"{}"].concat()), "file-truncated");
    let whole = safetensors(&TENSORS);
    assert_eq!(file("d.safetensors", &whole[..whole.len() - 10]), "file-truncated");
    assert_eq!(file("e.gguf", b"GGML0000"), "gguf-magic");
    assert_eq!(file("f.gguf", &gemma().done()[..60]), "file-truncated");
    let huge = [b"GGUF", &3_u32.to_le_bytes()[..], &u64::MAX.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
    assert_eq!(file("g.gguf", &huge), "gguf-count");
    let overflow = gemma().tensor("x", &[u64::MAX, u64::MAX], 0).done();
    assert_eq!(file("h.gguf", &overflow), "gguf-shape");
    assert_eq!(file("i.gguf", &gemma().tensor("x", &[4], 99).done()), "gguf-type-unknown");
    let nested =
        [9_u32, 9, 9, 9, 9].iter().flat_map(|kind| [&kind.to_le_bytes()[..], &1_u64.to_le_bytes()].concat());
    let nested: Vec<u8> = nested.collect();
    assert_eq!(file("j.gguf", &Gguf::new().entry("x", 9, &nested).done()), "gguf-nesting");
    assert_eq!(file("empty.json", b""), "file-not-json");
    assert_eq!(file("deep.json", "[".repeat(200_000).as_bytes()), "file-not-json");
}

/// Sizes that are each allowed and whose sum is beyond what is counted in: an answer that says the most, and no panic.
#[test]
fn sums_do_not_overflow() {
    let folder = Folder::new("sums");
    let huge = r#"{"_class_name": "FluxTransformer2DModel", "num_layers": 4096, "num_attention_heads": 16777216,
        "attention_head_dim": 16777216}"#;
    let answer = maat_model::describe(text(&folder.write("config.json", huge)), &Options::default()).unwrap();
    assert_eq!(answer.body.model.params_total, u64::MAX);
    let long = format!("{{\"model_type\": \"{}\"}}", "x".repeat(1_000_000));
    let fault = open(text(&folder.write("config.json", long)), &Options::default()).unwrap_err();
    assert!(format!("{fault}").len() < 2000);
}

/// Files that are short on disk and long in memory; and a vocabulary, which is long and is not kept.
#[test]
fn memory_is_bounded() {
    let folder = Folder::new("memory");
    let of = |file: Gguf| open(text(&folder.write("x.gguf", file.done())), &Options::default());
    let list = [&0_u32.to_le_bytes()[..], &4096_u64.to_le_bytes(), &[1; 4096]].concat();
    let many = (0..2000).fold(gemma(), |file, index| file.entry(&format!("x{index}"), 9, &list));
    assert_eq!(of(many).unwrap_err().code, "gguf-header-too-long");
    let name = "n".repeat(4000);
    let many = (0..8000).fold(gemma(), |file, _| file.tensor(&name, &[256], 0));
    assert_eq!(of(many).unwrap_err().code, "gguf-header-too-long");
    let words: Vec<u8> = (0..400_000).flat_map(|_| [&4_u64.to_le_bytes()[..], b"word"].concat()).collect();
    let words = [&8_u32.to_le_bytes()[..], &400_000_u64.to_le_bytes(), &words].concat();
    assert!(
        of(gemma().entry("tokenizer.ggml.tokens", 9, &words).tensor("output_norm.weight", &[256], 0)).is_ok()
    );
    let wide = format!("{{\"model_type\": \"llama\", \"x\": [{}0]}}", "0,".repeat(700_000));
    assert_eq!(code(&folder.write("config.json", wide)), "file-too-many-values");
    let header = format!("{{\"x\": {{\"shape\": [{}0]}}}}", "0,".repeat(700_000));
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    assert_eq!(code(&folder.write("x.safetensors", file)), "file-too-many-values");
    #[cfg(unix)]
    {
        let pipe = folder.0.join("pipe.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(code(&pipe), "file-not-regular");
        }
    }
}

#[test]
fn hostile_configurations_are_refused_with_the_key() {
    let folder = Folder::new("configs");
    let with = |from: &str, to: &str| {
        let fault = open(text(&folder.write("config.json", TINY.replace(from, to))), &Options::default());
        fault.map(|model| model.params_total()).map_err(|fault| (fault.code, fault.place.unwrap()))
    };
    let key = "\"hidden_size\": 8";
    for (value, code) in [
        ("\"8\"", "config-not-a-size"),
        ("-8", "config-not-a-size"),
        ("8.5", "config-not-a-size"),
        ("NaN", "config-not-a-size"),
        ("0", "config-not-a-size"),
        ("[8]", "config-not-a-size"),
        ("99999999999", "config-too-large"),
    ] {
        let (is, place) = with(key, &format!("\"hidden_size\": {value}")).unwrap_err();
        assert_eq!(is, code, "{value}");
        assert!(place.ends_with("config.json: hidden_size"), "{place}");
    }
    let layers = with("\"num_hidden_layers\": 1", "\"num_hidden_layers\": 4000000").unwrap_err();
    assert_eq!(layers.0, "config-too-large");
    for (from, to, code, at) in [
        ("\"num_hidden_layers\": 1", "\"num_hidden_layers\": 0", "config-not-a-size", "num_hidden_layers"),
        (key, "\"hidden_size\": 9", "config-not-a-divisor", "num_attention_heads"),
        (key, "\"hidden_size\": 8, \"architectures\": [5]", "config-not-a-list", "architectures"),
    ] {
        let (is, place) = with(from, to).unwrap_err();
        assert_eq!(is, code, "{to}");
        assert!(place.ends_with(&format!("config.json: {at}")), "{place}");
    }
    let uneven = TINY.replace("\"num_key_value_heads\": 1", "\"num_key_value_heads\": 4");
    let uneven = folder.write("config.json", uneven);
    assert_eq!(
        open(text(&uneven), &Options::default()).unwrap().check_heads().unwrap_err().code,
        "config-heads-uneven"
    );
    let answer = maat_model::describe(text(&uneven), &Options::default()).unwrap();
    assert_eq!(answer.findings[0].code, "heads-uneven");
    let unknown = with("\"llama\"", "\"lama\"").unwrap();
    // The class says what it is.
    assert_eq!(unknown, PARAMS);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("odd");
    let (a, b) = (folder.0.join("a.json"), folder.0.join("b.json"));
    symlink(&a, &b).unwrap();
    symlink(&b, &a).unwrap();
    assert_eq!(code(&a), "file-unreadable");
    assert_eq!(code(Path::new("/dev/zero")), "file-not-regular");
    let sparse = folder.0.join("sparse.json");
    fs::File::create(&sparse).unwrap().set_len(10 << 30).unwrap();
    assert_eq!(code(&sparse), "file-too-large");
    let sparse = folder.0.join("sparse.gguf");
    fs::File::create(&sparse).unwrap().set_len(10 << 30).unwrap();
    assert_eq!(code(&sparse), "gguf-magic");
    assert_eq!(code(Path::new("./nowhere/config.json")), "file-missing");
    assert_eq!(code(&folder.0.join(".").join("..").join("no such folder")), "file-missing");
}

/// What a configuration does not say is listed, and what is not described is not counted as nothing.
#[test]
fn gaps_of_a_configuration_are_told() {
    let folder = Folder::new("gaps");
    let opened = |more: &str| {
        let tiny = TINY.replace("\"hidden_size\": 8", &format!("\"hidden_size\": 8{more}"));
        open(text(&folder.write("config.json", tiny)), &Options::default()).unwrap()
    };
    let names = |more: &str| opened(more).assumed.iter().map(|assumed| assumed.name).collect::<Vec<_>>();
    let without = opened("").summary();
    assert_eq!(without.params_mtp, Some(0));
    assert_eq!(opened(", \"num_nextn_predict_layers\": 0").summary().params_mtp, Some(0));
    // Llama's classes have no such layers, so a file that names some means others than are described.
    assert_eq!(opened(", \"num_nextn_predict_layers\": 1").summary().params_mtp, None);
    assert!(names(", \"num_nextn_predict_layers\": 1").contains(&"multi_token_prediction"));
    assert!(!names("").contains(&"dtype"));
    let untyped = TINY.replace(" \"dtype\": \"bfloat16\",", "");
    let model = open(text(&folder.write("config.json", untyped)), &Options::default()).unwrap();
    assert!(model.assumed.iter().any(|assumed| assumed.name == "dtype" && assumed.value == "bf16"));
    let fault =
        open(text(&folder.write("config.json", r#"{"model_type": "zzzzqqqqxxxx"}"#)), &Options::default())
            .unwrap_err();
    assert_eq!(fault.hint.unwrap().id, "hint-architecture-unlike");
}

/// A pipeline's folder: an autoencoder of two widths beside a small text encoder, whose index names the classes.
#[test]
fn a_pipeline_is_the_sum_of_its_folders() {
    let folder = Folder::new("pipeline");
    let part = |name: &str, config: &str| {
        fs::create_dir_all(folder.0.join(name)).unwrap();
        folder.write(&format!("{name}/config.json"), config);
    };
    let index = r#"{"_class_name": "TinyPipeline", "_diffusers_version": "0.42.1", "scheduler": ["diffusers", "Euler"],
        "transformer": ["diffusers", "FluxTransformer2DModel"], "text_encoder": ["transformers", "CLIPTextModelWithProjection"],
        "feature_extractor": [null, null], "../up": ["diffusers", "AutoencoderKL"]}"#;
    folder.write("model_index.json", index);
    part(
        "transformer",
        r#"{"_class_name": "FluxTransformer2DModel", "num_layers": 1, "num_single_layers": 1,
        "num_attention_heads": 1, "attention_head_dim": 4, "in_channels": 2, "joint_attention_dim": 3, "pooled_projection_dim": 5}"#,
    );
    let text = r#"{"architectures": ["CLIPTextModel"], "model_type": "clip_text_model", "hidden_size": 4, "vocab_size": 10,
        "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 6, "projection_dim": 3}"#;
    part("text_encoder", text);
    let model = open(text_of(&folder), &Options::default()).unwrap();
    // Embeddings and positions; queries, keys, values, output; feed-forward; two norms and the last; the projection.
    let clip = 16 * 4 + 4 * (16 + 4) + (4 * 8 + 8 + 8 * 4 + 4) + 3 * 8 + 4 * 3;
    assert_eq!(model.params_by_part()[&Part::Towers], clip);
    assert_eq!(model.architecture, "TinyPipeline");
    assert_eq!(model.components().len(), 2);
    assert!(model.caches_known && model.summary().kv_kinds.unwrap().is_empty());
    folder.write("transformer/diffusion_pytorch_model.safetensors", safetensors(&[("x.weight", &[7, 3])]));
    let (clip_bytes, stored) = (2 * clip, 2 * 21);
    let bytes = open(text_of(&folder), &Options::default()).unwrap().weights_bytes().0;
    assert_eq!(bytes, clip_bytes + stored);
    folder.write("model_index.json", r#"{"_class_name": "X", "scheduler": ["a", "b"]}"#);
    assert_eq!(code(&folder.0), "folder-without-model");
}

fn text_of(folder: &Folder) -> &str {
    text(&folder.0)
}
