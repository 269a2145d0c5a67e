### Messages of: model

params-plain = { $n } parameters
params-million = { $n } million parameters
params-billion = { $n } billion parameters

quantity-plain = { $n }
quantity-million = { $n } million
quantity-billion = { $n } billion

model-verdict = { $name } has { $params }, { $bytes } in { $precision }, and { $cache }.
model-verdict-sparse = { $name } has { $params }, of which a token uses { $active }, { $bytes } in { $precision }, and { $cache }.
model-cache-per-token = keeps { $bytes } of cache for each token
model-cache-windows = keeps { $bytes } of cache for each token, beside at most { $windows } in windows
model-cache-only-windows = keeps at most { $windows } of cache in windows, however long the sequence
model-cache-state = keeps { $bytes } of state for each sequence, however long
model-cache-none = keeps no cache
model-cache-unknown = a cache that its tensors alone do not tell

model-layers = { $n } layers
model-hidden = width { $n }
model-heads = { $n } heads
model-kv-heads = { $n } KV heads
model-head-dim = heads of { $n }
model-vocabulary = vocabulary of { $n }
model-context = up to { $n } tokens
model-next-size = Does it fit on a machine, and how fast:
model-next-advise = The cheapest hardware for twenty people:

model-assumed-key = { $key } = { $value }
model-assumed-key-why = The configuration does not state it; this is what the library takes.
model-assumed-dtype = weights in { $dtype }
model-assumed-dtype-why = The configuration states no dtype; this is what most models of today are stored in. Files of weights, or --precision, say it.
model-assumed-mtp = layers of multi-token prediction left out
model-assumed-mtp-why = The configuration names them, but their shapes are not known for this family; the .safetensors files tell their bytes.

model-active-share = a token passes through { $share } of the parameters
column-sequence-tokens = Tokens
column-keeps = Keeps
column-growing = Grows on
column-constant = Constant
column-part = Part
column-params = Parameters
column-share = Share
column-cache = Cache
column-layers = Layers
column-per-token = Per token
column-window = Window (tokens)
column-state = Per sequence

model-compare-both = { $weights }; { $caches }.
model-compare-one = { $weights }.
model-compare-weights = { $name } weighs least, { $bytes }
model-compare-weights-draw = None weighs less than another ({ $bytes })
model-compare-caches = { $name } keeps least of a sequence of { $tokens } tokens, { $bytes }
model-compare-caches-too = it also keeps least of a sequence of { $tokens } tokens, { $bytes }
model-compare-caches-draw = none keeps less of a sequence of { $tokens } tokens than another ({ $bytes })
model-compare-legend = * the best; = the same in all
hint-model-compare-count = For example: maat model qwen3-8b llama-3.1-8b.
model-row-params-total = parameters
model-row-params-active = active per token
model-row-params-mtp = multi-token prediction
model-row-weights-bytes = weights
model-row-precision = precision
model-row-layers = layers
model-row-hidden = width
model-row-heads = heads
model-row-kv-heads = KV heads
model-row-head-dim = width of a head
model-row-vocabulary = vocabulary
model-row-context-max-tokens = most tokens
model-row-kv-bytes-per-token = cache per token
model-row-kept-at-8192-bytes = kept at 8,192 tokens
model-row-kept-at-32768-bytes = kept at 32,768 tokens
model-row-kept-at-most-bytes = kept at its most tokens
model-row-licence = licence
model-same-label = Same
model-licence = licence { $name }
column-bar = Bar
column-component = Component
column-precision = Precision
model-next-compare-size = Does one of them fit on a machine, and how fast:

part-embedding = embeddings
part-attention = attention
part-mlp = feed-forward
part-routed-experts = routed experts
part-shared-experts = shared experts
part-router = router
part-norm = norms
part-head = output head
part-towers = towers (vision, audio)
part-state-space = state space, linear attention
part-other = other
part-total = total

cache-full = all tokens
cache-window = window
cache-mla = latent (MLA)
cache-linear = linear attention
cache-ssm = state space
cache-cross = cross attention

fault-model-unknown = There is no file or built-in model { $name }.
hint-model-unknown = Give a folder with config.json, a .safetensors or .gguf file, a built-in id, or a size such as 7B.
hint-model-near = Names like it: { $names }. Or give a folder with config.json, a .safetensors or .gguf file, or a size such as 7B.
fault-model-ambiguous = { $name } is the name of several models.
hint-model-ambiguous = Say which: { $names }.

fault-architecture-unknown = { $architecture } (model_type { $family }) is not a known architecture.
hint-architecture-unknown = Two ways out: give the model's .safetensors files, whose headers tell all sizes, or set model_type to a family of the same shapes (near: { $near }).
hint-architecture-unlike = Two ways out: give the model's .safetensors files, whose headers tell all sizes, or set model_type to a family of the same shapes.
fault-config-key-missing = The configuration has no { $key }, and the family has no default for it.
fault-config-not-an-object = The file is not a configuration: it holds no JSON object.
fault-config-not-a-size = { $key } is { $value }, which is no whole number above 0.
fault-config-too-large = { $key } is { $value }, which is beyond any model.
fault-config-not-a-flag = { $key } is { $value }, which is neither true nor false.
fault-config-not-a-divisor = { $key } is { $value }, which does not divide { $whole }.
fault-config-heads-uneven = { $heads } attention heads cannot be shared out evenly over { $kv_heads } KV heads, so no engine runs this model.
fault-config-not-a-list = { $key } is { $value }, which is no list.
fault-config-not-described = { $key } is { $value }, which asks for shapes that are not described here.
hint-config-not-described = Give the folder with its .safetensors files: their headers tell all sizes.
fault-config-list-length = { $key } has { $length } entries for { $layers } layers.
fault-config-dtype-unknown = The type { $value } is not known.
fault-config-pattern = { $key } is { $value }, with a letter that stands for no kind of layer.
fault-precision-unknown = { $name } is not a precision of weights.
hint-precision-unknown = One of: { $names }.
fault-kv-precision-unknown = { $name } is not a precision of caches.
hint-kv-precision-unknown = One of: { $names }; keys and values apart as q8_0,q4_0.
fault-file-unreadable = The file cannot be read: { $why }.
fault-file-not-regular = This is not a file.
fault-file-too-large = The file is larger than { $limit }, which no configuration is.
fault-file-too-many-values = The file holds { $count } values; at most { $limit } are read.
fault-file-not-json = The file is not JSON: { $why }.
fault-facts-unreadable = The built-in facts cannot be read. This is a fault of maat.

### Files of models

fault-file-missing = There is no file { $name }.
fault-file-truncated = The file ends early, at byte { $byte }.
fault-file-empty = The file holds no tensors.
fault-folder-without-model = The folder holds no config.json, .safetensors or .gguf file.
fault-safetensors-header = The header of this safetensors file would be { $length }; at most { $limit } is read.
fault-safetensors-tensor = The tensor { $tensor } states a { $what } that does not fit the rest.
fault-gguf-magic = This is not a GGUF file: it does not begin with GGUF.
fault-gguf-version = GGUF version { $version } cannot be read; versions 2 and 3 can.
fault-gguf-count = The header states { $count } entries, more than the { $limit } that are read.
fault-gguf-header-too-long = The header is longer than { $limit }.
fault-gguf-value = The value of { $key } cannot be used.
fault-gguf-value-type = The metadata hold a value of type { $type }, which GGUF does not know.
fault-gguf-nesting = The metadata hold lists within lists, too deep to be read.
fault-gguf-dimensions = The tensor { $tensor } has { $count } dimensions, more than GGUF allows.
fault-gguf-shape = The tensor { $tensor } has a shape that its type cannot hold.
fault-gguf-type-unknown = The tensor { $tensor } has the type { $type }, whose size is not known.
fault-gguf-not-first = This is a part of a split file; give the first, which ends in -00001-of-….gguf.
fault-quantisation-unknown = The quantisation { $method } is not known.
hint-quantisation-unknown = Give the model's .safetensors files: their headers tell every size. Or choose the weights' precision with --precision.
hint-architecture-missing = A configuration of Transformers names its family in model_type or its class in architectures; without either, give the .safetensors files.
model-assumed-caches = caches unknown
model-assumed-caches-why = Only tensors were given; what is kept for each token stands in the configuration.
model-assumed-shape = { $layers } layers of width { $hidden }, { $heads } heads, { $kv_heads } KV heads
model-assumed-shape-why = Only a size was given; this is a typical dense shape of that size.

finding-heads-uneven = { $heads } attention heads cannot be shared out evenly over { $kv_heads } KV heads, so no engine runs this model.
