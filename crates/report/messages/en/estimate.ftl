### Messages of: estimate

# Why something does not fit: clauses that follow "Does not fit on …:" and stand alone in an answer's limit.
limit-announced = { $part } is only announced
limit-engine = { $engine } does not support { $part }
limit-precision = { $engine } does not run { $precision } on { $part }
limit-cache-precision = { $engine } does not keep a cache in { $precision } on { $part }
limit-cache-flash = llama.cpp packs cached values as { $precision } only with flash attention
limit-devices = the plan asks for { $needed } accelerators and there are { $devices }
limit-nodes = one copy of the model needs { $needed } accelerators and a node has { $devices }: it spans nodes that are not joined (--network joins them)
limit-stages = { $layers } layers cannot be divided into { $pp } pipeline stages so
limit-experts = { $experts } experts cannot be divided over { $ep } ranks
limit-heads = { $heads } heads cannot be divided over { $tp } accelerators
limit-width = the matrix { $weight } cannot be divided over { $tp } accelerators
limit-weights = { $place ->
    [host] the weights alone need { $need } of memory, and there is { $have }: { $short } short
   *[card] the weights alone need { $need } on each card, which has { $have }: { $short } short
}
limit-total = { $place ->
    [host] weights, cache and workspace need { $need } of memory, and there is { $have }: { $short } short
   *[card] weights, cache and workspace need { $need } on each card, which has { $have }: { $short } short
}
limit-fixed = weights ({ $weights }) and workspace need { $need } of each card, of which the engine takes { $have }: { $short } short
limit-kv-one-sequence = one sequence of the full context needs { $need } of cache on each card, where { $have } is left: { $short } short
limit-sequences = the engine runs at most { $most } sequences at once, not { $users }
limit-kv-users = { $users ->
    [one] one user needs
   *[other] { $users } users at once need
} { $need } of cache on each card, where { $have } is left: { $short } short
limit-host = host memory must hold { $need }, and there is { $have }: { $short } short
fault-engine-table = The built-in facts of engines cannot be read: { $what }. This is a fault of maat.

# What an engine decides where nobody says otherwise.
assumed-memory-fraction = { $share } of each card for the engine
assumed-max-batched-tokens = steps of up to { $n } tokens
assumed-max-num-seqs = up to { $n } sequences at once
assumed-ubatch = micro-batches of { $n } tokens
why-engine-default = { $engine } sets it so on this hardware ({ $source })
