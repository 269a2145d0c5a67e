### Messages of: model

params-plain = { $n } parameters
params-million = { $n } million parameters
params-billion = { $n } billion parameters

model-verdict = { $name } has { $params }, { $bytes } in { $precision }, and { $cache }.
model-verdict-sparse = { $name } has { $params }, of which a token uses { $active }, { $bytes } in { $precision }, and { $cache }.
model-cache-per-token = keeps { $bytes } of cache for each token
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

column-part = Part
column-params = Parameters
column-share = Share
column-cache = Cache
column-layers = Layers
column-per-token = Per token
column-window = Window (tokens)
column-state = Per sequence

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
