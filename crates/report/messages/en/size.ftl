### Messages of: size, and what it shares with advise

size-fits = Fits on { $machine } with { $spare } to spare{ $capacity ->
    [fewer] : { $users } users at once, but only { $most } of them with the full { $context } tokens
    [enough] : { $users ->
        [one] 1 user
       *[other] { $users } users
    } at up to { $context } tokens, room for { $most }
   *[unknown] : { $users ->
        [one] 1 user
       *[other] { $users } users
    } at up to { $context } tokens
}{ $speed-known ->
    [yes] , about { $speed } each
   *[no] {""}
}.
size-fits-tight = Just fits on { $machine } with { $spare } to spare, and may not in practice{ $capacity ->
    [fewer] : { $users } users at once, but only { $most } of them with the full { $context } tokens
    [enough] : { $users ->
        [one] 1 user
       *[other] { $users } users
    } at up to { $context } tokens, room for { $most }
   *[unknown] : { $users ->
        [one] 1 user
       *[other] { $users } users
    } at up to { $context } tokens
}{ $speed-known ->
    [yes] , about { $speed } each
   *[no] {""}
}.
size-does-not-fit = Does not fit on { $machine }: { $why }. { $next }
size-no-hardware = { $model } needs { $total } on one accelerator{ $card ->
    [unknown] ; no card of the catalogue holds it
   *[other] ; the smallest that holds it: { $card }
}.
nothing = {""}

nearest-context = With at most { $n } tokens each it fits.
nearest-users = With { $n ->
    [one] 1 user
   *[other] { $n } users
} it fits.
nearest-kv-precision = With the cache in { $precision } it fits.
nearest-experts-cpu = With the experts in host memory it fits.
nearest-gpu-layers = With { $n } of { $all } layers on the accelerators it fits.
nearest-precision = With weights in { $precision } it fits.
nearest-count = With { $n }x { $part } it fits.

reason-weights = The weights take { $bytes } in { $precision }.
reason-weights-split = The weights take { $bytes } in { $precision }; each accelerator holds { $each }.
reason-cache = A token of cache takes { $per-token }, so that { $users ->
    [one] one sequence of { $context } tokens takes { $per-sequence }
   *[other] { $users } sequences of { $context } tokens take { $total } ({ $per-sequence } each)
}.
reason-cache-pool = A token of cache takes { $per-token }, a sequence of { $context } tokens { $per-sequence }; what is left of the memory holds { $most } of them.
reason-state-only = It keeps a constant state of { $state } for each sequence, and no cache that grows.
reason-bound-memory = Writing tokens is held back by memory bandwidth: every token reads all weights that are in use.
reason-bound-compute = Writing tokens is held back by arithmetic: there are so many users that weights are reused well.
reason-bound-network = Writing tokens is held back by the links between accelerators.
reason-bound-launch = Writing tokens is held back by starting many small operations, not by the hardware.
reason-bound-cpu = Writing tokens is held back by the processor.
reason-bound-storage = Writing tokens is held back by the disk.
reason-replicas-faster = { $replicas } copies beside each other serve { $gain } more than { $other-replicas ->
    [one] one copy
   *[other] { $other-replicas } copies
} split wider.
reason-split-faster = Split { $ways } ways it serves { $gain } more than { $other-replicas } copies beside each other.
reason-nothing-near = No small change makes it fit: not fewer users, less context, smaller types or a few more cards.

assumed-users = { $n ->
    [one] 1 user
   *[other] { $n } users
}
assumed-input = { $n ->
    [one] 1 token in
   *[other] { $n } tokens in
}
assumed-output = { $n ->
    [one] 1 token out
   *[other] { $n } tokens out
}
assumed-context = { $n ->
    [one] room for 1 token each
   *[other] room for { $n } tokens each
}
assumed-precision = weights in { $precision }
assumed-kv-precision = cache in { $precision }
assumed-engine = engine { $engine }
assumed-engine-version = { $engine } { $version }
assumed-tp = each matrix over { $n ->
    [one] one accelerator
   *[other] { $n } accelerators
}
assumed-pp = { $n ->
    [one] no pipeline
   *[other] { $n } pipeline stages
}
assumed-replicas = { $n ->
    [one] one copy
   *[other] { $n } copies
}

why-default = The default; nobody said otherwise.
why-checkpoint = So the checkpoint is stored.
why-kv-dtype = The type that the model computes in.
why-context-input-output = The prompt and the answer together.
why-fastest-that-fits = The fastest division that fits.
why-engine-gguf = The model is in a GGUF type, which llama.cpp runs.
why-engine-cpu = On processors llama.cpp is the usual engine.
why-engine-edge = On a device of one's own llama.cpp is the usual engine.
why-engine-offload = Only llama.cpp keeps part of the model in host memory as asked.
why-engine-vllm = vLLM supports these accelerators.
why-engine-apple = On Apple's chips llama.cpp is the usual engine.
why-engine-rest = No other engine supports these accelerators.
why-commonest-of-name = The commonest part of that name; there is also { $others }.

size-accelerator-each = On each of { $count } accelerators, { $needed } of { $capacity } GiB are needed:
size-accelerator-one = Of { $capacity } GiB, { $needed } are needed:
size-accelerator-open = Needed on one accelerator, { $needed } GiB:
size-tried = { $count }x: { $fits ->
    [yes] fits
   *[no] does not fit
}
size-tried-label = Tried
size-next-advise = The cheapest hardware that does it:
size-next-gpu = Does it fit on a machine, and how fast:

part-weights = weights
part-kv-cache = cache
part-state = state
part-activations = activations
part-gradients = gradients
part-optimizer = optimizer
part-adapters = adapters
part-reference = reference model
part-workspace = workspace
part-framework = framework

column-figure = Figure
column-likely = Likely
column-range = 80% range
column-basis = Basis
column-card = Card
column-free = Free
column-plan = Plan
column-fits = Fits
basis-computed = computed
basis-estimated = estimated
fits-yes = yes
fits-no = no

figure-memory-each = Memory, each accelerator
figure-memory-all = Memory, all accelerators
figure-reserved = Taken by the engine, each
figure-host-ram = Host memory
figure-disk = Disk
figure-sequences = Full sequences at once
figure-ttft = Time to first token
figure-tpot = Time per output token
figure-decode = Output, each user
figure-throughput = Output, all users
figure-prefill = Reading one prompt
figure-power = Power at this work
column-capacity = Capacity
column-tokens-per-s = Tokens/s

reason-bound-cache = Writing tokens is held back by memory bandwidth: every token reads its sequence's cache, which together is more than the weights.
reason-bound-unpacking = Writing tokens is held back by arithmetic: unpacking the weights takes longer than reading them.
nearest-network = With the nodes joined by { $network } it fits.

size-explain-label = How the speed came about
reason-speed-needs-processor = The speed is not known: part of the work is done by the host, and its processor is not given (--cpu).
reason-speed-needs-configuration = The speed is not known: only tensors were read, and a config.json would say what is computed.
reason-speed-needs-figures = The speed is not known: bandwidth or rates of { $machine } are not.

size-room-unknown = On { $machine } it takes { $need } of memory, and how much there is was not stated (--ram){ $speed-known ->
    [yes] ; about { $speed }
   *[no] { "" }
}.

### Images and clips

size-fits-items = Fits on { $machine } with { $spare } to spare: about { $rate } { $item ->
    [clip] clips
   *[image] images
} a second, { $time } a batch.
size-fits-items-only = Fits on { $machine }, where it takes { $need }; its speed there is not known.
size-does-not-fit-items = Does not fit on { $machine }: { $why }.
size-needs-items = { $model } needs an accelerator of { $need }.
limit-items = it takes { $need } and there are { $have }: { $short } short
reason-items-weights = The weights take { $bytes } in { $precision }{ $pipeline ->
    [yes] , text encoders and autoencoder with them
   *[no] {""}
}.
reason-items-diffusion = An item takes { $total } TFLOP (a multiply-add counts as two): { $runs } runs of the denoiser of { $run } each, { $decode } to decode the latents, { $text } for the prompt.
reason-items-run = An image takes { $giga } GFLOP (a multiply-add counts as two).
reason-items-compute = Arithmetic holds it back: a larger batch than { $batch } gains little.
reason-items-memory = Memory bandwidth holds it back: a larger batch than { $batch } may gain more.
reason-items-launch = Launching kernels holds it back: raise --batch above { $batch } or run it as a graph.
assumed-items-size = images of { $size } pixels
assumed-items-size-model = images of the size that the model's file states
assumed-items-batch = { $n } { $n ->
    [one] item
   *[other] items
} at a time
assumed-items-steps = { $n } steps
assumed-items-frames = { $n } frames
assumed-items-guidance = { $n ->
    [one] one run of the denoiser a step
   *[other] { $n } runs of the denoiser a step (guidance)
}
assumed-items-words = a prompt of { $n } tokens
why-pipeline = What the model's pipeline does when nothing is said.
fault-image-size-malformed = { $given } is no size of an image.
hint-image-size-malformed = Write a side in pixels, 1024, or height x width: 544x960; at most 65,536.
fault-image-size-fixed = { $model } states its own image size, and another one is not reckoned with.
hint-image-size-fixed = Leave out --image-size.
fault-count-out-of-range = { $given } is more or less than can be reckoned with.
hint-count-out-of-range = Give 1 to { $most }.
reason-items-offload = The text encoders wait in host memory and are brought for each prompt, before the denoiser is.
reason-items-cached = The text encoders are not loaded: prompts were encoded before.
nearest-text-encoders = With the text encoders in host memory it fits.
nearest-vae-tiling = With latents decoded tile by tile it fits.
size-items-memory-unknown = On { $machine } it takes { $need } of memory, and how much there is was not stated (--ram); about { $rate } { $item ->
    [clip] clips
   *[image] images
} a second.
assumed-items-text-encoders = text encoders kept on the accelerator
